// Decides how the outermost loop of a sum can be cut into parts.
#include "strata/lower/analysis/PartsOfSum.h"

#include "strata/dialect/ta/LevelRoom.h"
#include "strata/dialect/ta/Notation.h"
#include "strata/level/LevelFormat.h"
#include "strata/level/Pieces.h"
#include "strata/lower/analysis/ContractionShape.h"
#include "strata/lower/analysis/LoopOrderSearch.h"

#include "llvm/ADT/SmallSet.h"

using namespace mlir;

namespace strata {
namespace {

struct Walked {
  Operation *access;
  const AccessPath *path;
  PathPiece piece;
};

// What the outermost loop walks; nothing where that is not known.
std::optional<SmallVector<Walked>> walkedOutermost(const IndexStatement &statement,
                                                   unsigned variable) {
  SmallVector<Walked> walked;
  llvm::SmallBitVector bound(statement.variables.size());
  std::string why;
  for (const auto &[access, path] : statement.accesses) {
    unsigned next = 0;
    if (!bindVariable(path, next, bound, std::nullopt, why))
      return std::nullopt;
    std::optional<PathPiece> piece = bindVariable(path, next, bound, variable, why);
    if (!piece)
      return std::nullopt;
    if (piece->compose && !piece->full)
      walked.push_back({access, &path, *piece});
  }
  SmallVector<const PathPiece *> pieces;
  for (const Walked &one : walked)
    pieces.push_back(&one.piece);
  auto accompanied = [&](const llvm::SmallBitVector &others) {
    SmallVector<Operation *> accesses;
    for (int other : others.set_bits())
      accesses.push_back(walked[other].access);
    return statement.isEssential(accesses);
  };
  llvm::SmallBitVector located = chooseLocated(pieces, accompanied);
  SmallVector<Walked> left;
  for (auto [at, one] : llvm::enumerate(walked))
    if (!located.test(at))
      left.push_back(one);
  return left;
}

// Tells whether each coordinate of the result is a label of its own, by which sums can be kept
// apart.
bool hasLabelsOnly(AffineMap place) {
  llvm::SmallSet<unsigned, 4> labels;
  return llvm::all_of(place.getResults(), [&](AffineExpr coordinate) {
    auto label = dyn_cast<AffineDimExpr>(coordinate);
    return label && labels.insert(label.getPosition()).second;
  });
}

// Tells whether a schedule finds the operand by its name, at one place.
bool isReadOnce(const IndexStatement &statement, ta::AccessOp access) {
  return llvm::count_if(statement.accesses, [&](const auto &entry) {
           auto other = cast<ta::AccessOp>(entry.first);
           return ta::nameOf(other.getTensor()) == ta::nameOf(access.getTensor());
         }) == 1;
}

} // namespace

int64_t numberOfParts(const IndexStatement &statement) {
  constexpr int64_t ofTensors = 2, ofNumbers = 32;
  return statement.result.coordinates.empty() ? ofNumbers : ofTensors;
}

std::optional<PartsOfSum> partsOfSum(const IndexStatement &statement, const LoopPlan &plan) {
  ta::ReduceOp root = statement.rootReduction();
  if (!root || root.getCombine() == ta::Combine::any || plan.joined ||
      plan.assembly != Assembly::InOrder || !plan.parts.empty() || plan.order.empty() ||
      !statement.result.format.isFull() ||
      statement.variables[plan.order.front()].reduction != root ||
      !hasLabelsOnly(statement.resultPlace()) || isDenseContraction(statement, root))
    return std::nullopt;
  std::optional<SmallVector<Walked>> walked = walkedOutermost(statement, plan.order.front());
  if (!walked)
    return std::nullopt;
  if (llvm::all_of(*walked, [](const Walked &one) { return canSeek(*one.path, one.piece); }))
    return PartsOfSum{};
  if (walked->size() != 1)
    return std::nullopt;
  const Walked &sole = walked->front();
  auto access = cast<ta::AccessOp>(sole.access);
  bool leads = walksRange(*sole.path, sole.piece) && statement.isEssential(sole.access) &&
               isReadOnce(statement, access) && !mayBeWindowed(statement);
  return leads ? std::optional(PartsOfSum{access}) : std::nullopt;
}

bool storesInOrder(ta::FormatAttr format) {
  return llvm::all_of(llvm::seq<unsigned>(0, format.getLvlRank()), [&](unsigned level) {
    const LevelFormat &own = *findLevelFormat(format.getLevels()[level].getName());
    LevelProperties properties = ta::levelProperties(format, level);
    bool lists = own.positionIteration() && own.inspect() && !properties.branchless;
    return hasPieces(own, properties) && properties.unique && !format.isSlot(level) &&
           (lists || ta::hasPlacesOnly(format, level));
  });
}

ta::AccessOp entriesToCut(const IndexStatement &statement, const LoopPlan &plan) {
  ta::ReduceOp root = statement.rootReduction();
  if (!root || root.getCombine() != ta::Combine::add || plan.joined || plan.blocks ||
      plan.assembly != Assembly::InOrder || !plan.parts.empty() || plan.order.size() < 2 ||
      mayBeWindowed(statement) || !statement.result.format.isFull() ||
      !hasLabelsOnly(statement.resultPlace()))
    return {};
  ta::AccessOp leader;
  const AccessPath *path = nullptr;
  for (const auto &[access, way] : statement.accesses)
    if (!way.format.isFull()) {
      if (leader)
        return {};
      leader = cast<ta::AccessOp>(access);
      path = &way;
    }
  unsigned levels = plan.order.size();
  if (!leader || path->coordinates.size() != levels || !storesInOrder(path->format) ||
      !path->format.sortedDims().empty() || !statement.isEssential(leader.getOperation()) ||
      !isReadOnce(statement, leader) || ta::levelProperties(path->format, levels - 1).full)
    return {};
  unsigned ofResult = statement.resultPlace().getNumResults();
  for (unsigned level = 0; level < levels; ++level) {
    unsigned variable = plan.order[level];
    ta::ReduceOp reduction = statement.variables[variable].reduction;
    bool isPlace = path->coordinates[level] == getAffineDimExpr(variable, root.getContext());
    if (!isPlace || (level < ofResult ? bool(reduction) : reduction != root))
      return {};
  }
  return ofResult > 0 ? leader : ta::AccessOp();
}

} // namespace strata
