// Describes storages by words that the runtime checks.
#include "strata/tensor/StorageSignature.h"

#include "strata/dialect/ta/Ta.h"
#include "strata/level/BufferCounts.h"
#include "strata/lower/entry/StorageLayout.h"
#include "strata/runtime/storage/Signature.h"
#include "strata/tensor/ElementTypes.h"

using namespace mlir;
using strata::runtime::Step;

namespace strata {
namespace {

class Description {
public:
  explicit Description(Signature &signature) : signature(signature) {}

  void run(StringRef name, RankedTensorType type, bool isResult) {
    ta::FormatAttr format = ta::formatOf(type);
    std::vector<strata_type> types = bufferTypes(type);
    add({type.getRank(), int64_t(types.size()), isResult});
    for (strata_type one : types)
      add({one});
    addName(name);
    for (const std::string &buffer : bufferNames(format, name.str()))
      addName(buffer);
    for (unsigned lvl = 0; lvl < format.getLvlRank(); ++lvl)
      addLevel(format, lvl);
    int64_t next = int64_t(types.size()) - 1 - 2 * int64_t(format.sortedDims().size());
    for (unsigned dim : format.sortedDims()) {
      add(Step::Dimension, {next++, int64_t(dim)});
      add(Step::Dimension, {next++, int64_t(dim)});
    }
    add(Step::End);
  }

private:
  // How many positions the level has, if its buffers do not tell, and then what they hold.
  void addLevel(ta::FormatAttr format, unsigned lvl) {
    ta::LevelAttr attribute = format.getLevels()[lvl];
    const LevelFormat &level = *findLevelFormat(attribute.getName());
    SmallVector<int64_t> buffers = visibleBuffers(format, lvl);
    add(Step::Level);
    if (level.traits.places && !level.traits.computed)
      addPlaces(format, lvl, buffers);
    else if (attribute.getParameter())
      add(Step::Times, {attribute.getParameter()});
    for (auto [rule, buffer] : llvm::zip(countsOf(level, /*root=*/lvl == 0), buffers))
      addRule(rule, buffer, format.interleaving(lvl).stride, buffers);
  }

  void addPlaces(ta::FormatAttr format, unsigned lvl, ArrayRef<int64_t> buffers) {
    AffineExpr expr = format.getDimToLvl().getResult(lvl);
    if (format.isSlot(lvl))
      return add(Step::TimesWord, {buffers.back()});
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      return add(Step::TimesBlocks, {int64_t(dim.getPosition()), 1});
    auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
    auto constant = binary ? dyn_cast<AffineConstantExpr>(binary.getRHS()) : AffineConstantExpr();
    if (constant && expr.getKind() == AffineExprKind::Mod)
      return add(Step::Times, {constant.getValue()});
    if (constant && expr.getKind() == AffineExprKind::FloorDiv)
      if (auto dim = dyn_cast<AffineDimExpr>(binary.getLHS()))
        return add(Step::TimesBlocks, {int64_t(dim.getPosition()), constant.getValue()});
    add(Step::Unknown);
  }

  void addRule(CountRule rule, int64_t buffer, int64_t stride, ArrayRef<int64_t> buffers) {
    switch (rule.kind) {
    case CountRule::Free:
      return;
    case CountRule::Edges:
      return add(Step::Edges, {buffer});
    case CountRule::Each:
      return add(Step::Each, {buffer, stride});
    case CountRule::Parents:
      return add(Step::Parents, {buffer});
    case CountRule::ParentEdges:
      return add(Step::ParentEdges, {buffer});
    case CountRule::ParentPairs:
      return add(Step::ParentPairs, {buffer});
    case CountRule::Word:
      return add(Step::Word, {buffer});
    case CountRule::Told:
      break;
    }
    add(Step::Told, {buffer, buffers[rule.from], int64_t(rule.at)});
  }

  void add(std::initializer_list<int64_t> words) { llvm::append_range(signature.words, words); }
  void add(Step step, std::initializer_list<int64_t> operands = {}) {
    add({int64_t(step)});
    add(operands);
  }
  void addName(StringRef name) {
    signature.names += name;
    signature.names += '\0';
  }

  Signature &signature;
};

} // namespace

void describeStorage(RankedTensorType type, StringRef name, StorageRole role,
                     Signature &signature) {
  Description(signature).run(name, type, role == StorageRole::Result);
}

} // namespace strata
