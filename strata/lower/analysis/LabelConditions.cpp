// Reads comparisons of labels in a statement.
#include "strata/lower/analysis/LabelConditions.h"

#include "strata/dialect/ta/Algebra.h"
#include "strata/dialect/ta/FormatMap.h"
#include "strata/dialect/ta/LabelValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace strata {

namespace {

/// Gives what values are where a comparison holds, or does not.
class ValuesWhere {
public:
  ValuesWhere(Operation *comparison, bool holds) : comparison(comparison), holds(holds) {}

  ta::Known of(Value value) {
    auto [known, isNew] = values.try_emplace(value);
    if (!isNew)
      return known->second;
    ta::Known found = compute(value);
    values[value] = found;
    return found;
  }

private:
  ta::Known compute(Value value) {
    Operation *def = value.getDefiningOp();
    if (!def || isa<ta::AccessOp, ta::ReduceOp>(def))
      return {};
    if (def == comparison)
      return {IntegerAttr::get(value.getType(), holds)};
    if (TypedAttr constant = ta::constantOf(def))
      return {constant};
    SmallVector<ta::Known> operands;
    for (Value operand : def->getOperands())
      operands.push_back(of(operand));
    Value same;
    return ta::foldElement(def, operands, same);
  }

  Operation *comparison;
  bool holds;
  llvm::DenseMap<Value, ta::Known> values;
};

} // namespace

namespace {

/// What a tensor of values of a label counts.
struct Count {
  int64_t first, step;
};

} // namespace

static std::optional<Count> countIn(Value tensor) {
  if (auto iota = tensor.getDefiningOp<ta::IotaOp>())
    return Count{int64_t(iota.getFirst()), int64_t(iota.getStep())};
  auto argument = dyn_cast<BlockArgument>(tensor);
  auto kernel =
      argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()) : func::FuncOp();
  auto counts = kernel ? kernel.getArgAttrOfType<DenseI64ArrayAttr>(argument.getArgNumber(),
                                                                    ta::iotaAttribute)
                       : DenseI64ArrayAttr();
  return counts && counts.size() == 2 ? std::optional(Count{counts[0], counts[1]}) : std::nullopt;
}

static LabelConditions readConditions(Value value, TypedAttr passedOver) {
  LabelConditions labels;
  llvm::SetVector<Operation *> ops;
  if (Operation *def = value.getDefiningOp())
    ops.insert(def);
  SmallVector<ta::CompareOp> comparisons;
  for (size_t at = 0; at < ops.size(); ++at) {
    if (isa<ta::ReduceOp>(ops[at]))
      continue;
    if (auto compare = dyn_cast<ta::CompareOp>(ops[at]);
        compare && compare->hasAttr(ta::ofLabelsAttribute))
      comparisons.push_back(compare);
    for (Value operand : ops[at]->getOperands())
      if (Operation *def = operand.getDefiningOp())
        ops.insert(def);
  }
  for (Operation *op : ops)
    if (auto access = dyn_cast<ta::AccessOp>(op); access && countIn(access.getTensor()))
      for (Value index : access.getIndices())
        if (!llvm::is_contained(labels.variables, index))
          labels.variables.push_back(index);
  auto labelOf = [&](Operation *op) {
    auto access = dyn_cast<ta::AccessOp>(op);
    std::optional<Count> count = access ? countIn(access.getTensor()) : std::nullopt;
    if (!count)
      return AffineExpr();
    SmallVector<AffineExpr> numbers;
    for (Value index : access.getIndices())
      numbers.push_back(getAffineDimExpr(
          llvm::find(labels.variables, index) - labels.variables.begin(), op->getContext()));
    return labelValue(access.getMap().getResult(0).replaceDims(numbers), count->first, count->step);
  };
  for (ta::CompareOp compare : comparisons)
    for (bool holds : {true, false})
      if (TypedAttr otherwise = ValuesWhere(compare, !holds).of(value).value;
          otherwise && Attribute(otherwise) == Attribute(passedOver)) {
        if (auto found = linearConditions(compare, holds, labels.variables.size(), labelOf)) {
          llvm::append_range(labels.conditions, *found);
          labels.said.push_back(compare);
        }
        break;
      }
  return labels;
}

// Tells whether the body uses the variable in these comparisons alone.
static bool onlyCompares(ta::ReduceOp reduce, Value variable, ArrayRef<Operation *> comparisons) {
  SmallVector<Operation *> open;
  for (Operation *user : variable.getUsers())
    if (reduce->isProperAncestor(user))
      open.push_back(user);
  while (!open.empty()) {
    Operation *op = open.pop_back_val();
    if (llvm::is_contained(comparisons, op))
      continue;
    if (!isa<ta::AccessOp, arith::AddIOp, arith::SubIOp, arith::MulIOp>(op) ||
        (isa<ta::AccessOp>(op) && !countIn(op->getOperand(0))))
      return false;
    llvm::append_range(open, op->getUsers());
  }
  return true;
}

// What the terms of a running sum follow.
static Value followedBy(ta::ReduceOp reduce, const LabelConditions &labels) {
  auto isBound = [&](unsigned number) {
    return cast<BlockArgument>(labels.variables[number]).getOwner() == &reduce.getBody().front();
  };
  Value follows;
  for (AffineExpr condition : labels.conditions)
    for (unsigned outer = 0; outer < labels.variables.size(); ++outer) {
      int64_t factor = 0, inner = 0;
      AffineExpr rest;
      ta::splitLinear(condition, outer, factor, rest);
      if (factor == 0 || isBound(outer))
        continue;
      for (unsigned number = 0; number < labels.variables.size(); ++number)
        if (int64_t own = 0; isBound(number) && ta::splitLinear(condition, number, own, rest))
          inner = std::min(inner, own);
      if (factor < 0 || inner >= 0 || (follows && follows != labels.variables[outer]))
        return {};
      follows = labels.variables[outer];
    }
  return follows && onlyCompares(reduce, follows, labels.said) ? follows : Value();
}

LabelConditions labelConditions(Value value, TypedAttr passedOver) {
  LabelConditions labels = readConditions(value, passedOver);
  auto reduce = dyn_cast<ta::ReduceOp>(value.getParentBlock()->getParentOp());
  if (reduce && reduce.getYielded() == value &&
      Attribute(passedOver) == Attribute(ta::identityOf(reduce.getCombine(), reduce.getType())))
    labels.follows = followedBy(reduce, labels);
  return labels;
}

Value runningLabel(ta::ReduceOp reduce) {
  return labelConditions(reduce.getYielded(), ta::identityOf(reduce.getCombine(), reduce.getType()))
      .follows;
}

} // namespace strata
