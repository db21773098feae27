// Finds the labels that several operands store in the same blocks.
#include "strata/lower/analysis/BlockLabels.h"

#include "strata/dialect/ta/Digits.h"
#include "strata/lower/analysis/ContractionBlock.h"
#include "strata/lower/analysis/MergeCost.h"

using namespace mlir;

namespace strata {
namespace {

std::optional<BlockDigit> asBlockDigit(AffineExpr coordinate) {
  std::optional<ta::Digit> digit = ta::asDigit(coordinate);
  auto variable = dyn_cast_or_null<AffineDimExpr>(digit ? digit->number : AffineExpr());
  if (!variable)
    return std::nullopt;
  bool isBlock = digit->divisor > 1 && digit->modulus == 0;
  bool isPlace = digit->divisor == 1 && digit->modulus > 1;
  if (!isBlock && !isPlace)
    return std::nullopt;
  return BlockDigit{{variable.getPosition(), isBlock ? digit->divisor : digit->modulus}, isPlace};
}

// Collects the sizes of blocks, and refuses what is stored otherwise.
class Blocks {
public:
  explicit Blocks(unsigned variables) : sizes(variables) {}

  // Takes those of a sparse tensor: all its labels are in blocks, which are dense.
  bool take(const AccessPath &path) {
    if (!path.ranks.empty() || !path.format.getWindows().empty())
      return false;
    llvm::SmallBitVector numbered(sizes.size()), placed(sizes.size());
    for (auto [level, coordinate] : llvm::enumerate(path.coordinates)) {
      std::optional<BlockDigit> digit = asBlockDigit(coordinate);
      if (!digit || path.format.isSlot(level))
        return false;
      auto [variable, size] = digit->label;
      std::optional<int64_t> &known = sizes[variable];
      if (digit->isPlace && !ta::levelProperties(path.format, level).full)
        return false;
      if (known.value_or(size) != size)
        return false;
      known = size;
      (digit->isPlace ? placed : numbered).set(variable);
    }
    return numbered == placed;
  }

  std::optional<int64_t> sizeOf(unsigned variable) const { return sizes[variable]; }

private:
  SmallVector<std::optional<int64_t>> sizes; ///< by variable
};

// True if loops over all blocks, and inside of them loops over the places in each, can walk an
// access: each level that stores some coordinates only is walked in order, from block to block.
bool canBeWalked(const AccessPath &path, ArrayRef<VariableBlocks> labels,
                 ArrayRef<unsigned> order) {
  unsigned variables = path.variables;
  SmallVector<LabelInParts> parts;
  SmallVector<AffineExpr> values;
  SmallVector<unsigned> loops(order);
  MLIRContext *context = path.format.getContext();
  for (unsigned variable = 0; variable < variables; ++variable)
    values.push_back(getAffineDimExpr(variable, context));
  for (auto [at, label] : llvm::enumerate(labels)) {
    unsigned within = variables + at;
    parts.push_back({label.variable, within, label.size});
    values[label.variable] = values[label.variable] + getAffineDimExpr(within, context);
    loops.push_back(within);
  }
  unsigned count = variables + labels.size(), next = 0;
  AccessPath divided(path.format, path.place.replaceDimsAndSymbols(values, {}, count, 0), parts);
  llvm::SmallBitVector bound(count);
  std::string why;
  return llvm::all_of(loops, [&](unsigned variable) {
    std::optional<PathPiece> piece = bindVariable(divided, next, bound, variable, why);
    bound.set(variable);
    if (!piece || piece->full)
      return piece.has_value();
    return variable < variables && piece->ordered && piece->unique;
  });
}

} // namespace

// Those that at least so many operands store.
static SmallVector<VariableBlocks> labelsInBlocks(const IndexStatement &statement,
                                                  const LoopPlan &plan, unsigned least) {
  ta::ReduceOp root = statement.rootReduction();
  bool gathers = plan.assembly == Assembly::Gathered;
  if (plan.joined || gathers == statement.result.format.isFull())
    return {};
  if (llvm::any_of(statement.variables, [&](const IndexVariable &variable) {
        return variable.reduction && variable.reduction != root;
      }))
    return {};
  Blocks blocks(statement.variables.size());
  unsigned operands = 0;
  for (const auto &[op, path] : statement.accesses) {
    if (path.format.isFull())
      continue;
    ++operands;
    if (!blocks.take(path))
      return {};
  }
  if (operands < least || (gathers && !blocks.take(statement.result)))
    return {};
  SmallVector<VariableBlocks> labels;
  for (unsigned variable : plan.order)
    if (std::optional<int64_t> size = blocks.sizeOf(variable))
      labels.push_back({variable, *size});
  for (const auto &[op, path] : statement.accesses)
    if (!canBeWalked(path, labels, plan.order))
      return {};
  return labels;
}

SmallVector<VariableBlocks> labelsInBlocks(const IndexStatement &statement, const LoopPlan &plan) {
  return labelsInBlocks(statement, plan, 2);
}

SmallVector<VariableBlocks> labelsToContract(const IndexStatement &statement,
                                             const LoopPlan &plan) {
  ta::ReduceOp root = statement.rootReduction();
  Operation *product = root ? root.getYielded().getDefiningOp() : nullptr;
  if (!product || !isProduct(product) || statement.accesses.size() != 2 ||
      !statement.result.format.isFull() || !llvm::all_of(product->getOperands(), [](Value factor) {
        return factor.getDefiningOp<ta::AccessOp>();
      }))
    return {};
  SmallVector<VariableBlocks> labels = labelsInBlocks(statement, plan, 1);
  double summed = 1;
  bool hasRows = false, hasColumns = false;
  for (auto [number, variable] : llvm::enumerate(statement.variables)) {
    auto *block = llvm::find_if(
        labels, [&](const VariableBlocks &label) { return label.variable == number; });
    bool isInBlocks = block != labels.end();
    if (variable.reduction && !isInBlocks)
      return {};
    if (variable.reduction)
      summed *= double(block->size);
    hasRows |= isInBlocks && !variable.reduction;
    hasColumns |= !isInBlocks;
  }
  bool enough = hasRows && hasColumns && summed >= double(leastContraction.valuesInLoops);
  return enough ? labels : SmallVector<VariableBlocks>();
}

std::optional<BlockDigit> asBlockDigit(AffineExpr coordinate, ArrayRef<VariableBlocks> labels) {
  std::optional<BlockDigit> digit = asBlockDigit(coordinate);
  bool known = digit && llvm::any_of(labels, [&](const VariableBlocks &label) {
                 return label.variable == digit->label.variable && label.size == digit->label.size;
               });
  return known ? digit : std::nullopt;
}

bool storesBlocks(const AccessPath &result, ArrayRef<VariableBlocks> labels) {
  return llvm::all_of(result.coordinates, [&](AffineExpr coordinate) {
    return asBlockDigit(coordinate, labels).has_value();
  });
}

} // namespace strata
