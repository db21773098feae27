// Follows a value through a statement to what tells an absent zero from one that is held.
#include "strata/lower/analysis/HeldZeros.h"

#include "strata/dialect/ta/Algebra.h"
#include "strata/lower/analysis/IndexStatement.h"
#include "strata/lower/analysis/MergeCost.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace strata {

namespace {

/// Values that are known where one of them is an absent zero, and their uses.
class ZeroUses {
public:
  explicit ZeroUses(ta::ComputeOp op) : op(op) {}

  HeldZeros of(Value value) {
    known.insert(value);
    for (size_t at = 0; at < known.size() && !found.isTold; ++at)
      for (OpOperand &use : known[at].getUses())
        follow(use);
    return found;
  }

private:
  void follow(OpOperand &use);
  void leave(Operation *around);
  void needFactor(Value factor);
  void needDivisor(Value divisor);
  bool mayBeKnown(Value value) const;
  Value denseElement(Value value) const;

  ta::ComputeOp op;
  llvm::SetVector<Value> known;
  HeldZeros found;
};

bool isQuotient(Operation *op) {
  return isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemFOp, complex::DivOp>(op);
}

// Tells whether the operation makes something known of an absent zero only if its other operand is
// known, too.
bool needsBothKnown(Operation *op) {
  return isAddition(op) || isDifference(op) || isQuotient(op) ||
         isa<arith::MaximumFOp, arith::MinimumFOp, math::PowFOp, math::Atan2Op, complex::PowOp,
             ta::CompareOp>(op);
}

// Tells whether the tensor was computed for the statement, so that it may hold zeros itself.
bool isComputedFirst(Value tensor) {
  while (auto convert = tensor.getDefiningOp<ta::ConvertOp>())
    tensor = convert.getTensor();
  auto first = tensor.getDefiningOp<ta::ComputeOp>();
  return first && first.getReason();
}

} // namespace

void ZeroUses::follow(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isa<ta::YieldOp>(user))
    return leave(user->getParentOp());
  const Value other =
      user->getNumOperands() == 2 ? user->getOperand(1 - use.getOperandNumber()) : Value();
  const bool isDividend = isQuotient(user) && use.getOperandNumber() == 0;
  if (isDividend)
    needDivisor(other);
  else if (isProduct(user) && other != use.get() && !other.getType().isIntOrIndex())
    needFactor(other);
  else if (needsBothKnown(user) && !mayBeKnown(other))
    return;
  known.insert(user->result_begin(), user->result_end());
}

// A sum of absent zeros has no terms. To other reductions, and updates, they are other operands
// than zeros that are held, or none.
void ZeroUses::leave(Operation *around) {
  if (auto reduce = dyn_cast<ta::ReduceOp>(around)) {
    found.isTold |= reduce.getCombine() != ta::Combine::add || reduce.getMissing();
    known.insert(reduce.getResult());
    return;
  }
  auto type = cast<RankedTensorType>(op.getResult().getType());
  found.isTold |= !ta::formatOf(type).isFull() ||
                  op.getCombine().value_or(ta::Combine::add) != ta::Combine::add;
}

// The tensor of which the value is an element, if it has a place for everything; else null.
Value ZeroUses::denseElement(Value value) const {
  if (auto wider = value.getDefiningOp<arith::ExtFOp>())
    value = wider.getIn();
  auto access = value.getDefiningOp<ta::AccessOp>();
  return access && !isSparse(access) ? access.getTensor() : Value();
}

void ZeroUses::needFactor(Value factor) {
  Operation *def = factor.getDefiningOp();
  if (def && ta::constantOf(def))
    found.isTold |= ta::hasInfinity(def);
  else if (Value tensor = denseElement(factor))
    found.factors.insert(tensor);
  else
    found.isTold = true;
}

void ZeroUses::needDivisor(Value divisor) {
  Operation *def = divisor.getDefiningOp();
  if (TypedAttr constant = def ? ta::constantOf(def) : TypedAttr())
    found.isTold |=
        ta::hasInfinity(def) || matchPattern(def, m_AnyZeroFloat()) ||
        Attribute(constant) == Attribute(ta::identityOf(ta::Combine::add, constant.getType()));
  else if (Value tensor = denseElement(divisor))
    found.divisors.insert(tensor);
  else
    found.isTold = true;
}

// Constants are known, sparse tensors where they store nothing, and sums where they have no terms,
// also those that were computed first.
bool ZeroUses::mayBeKnown(Value value) const {
  bool readsDense = false;
  SmallVector<Value> open{value};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!open.empty()) {
    Operation *def = open.pop_back_val().getDefiningOp();
    if (!def || !op->isProperAncestor(def)) {
      readsDense = true; // a coordinate
      continue;
    }
    if (!seen.insert(def).second)
      continue;
    auto access = dyn_cast<ta::AccessOp>(def);
    if (isa<ta::ReduceOp>(def) ||
        (access && (isSparse(access) || isComputedFirst(access.getTensor()))))
      return true;
    readsDense |= bool(access);
    if (!access)
      llvm::append_range(open, def->getOperands());
  }
  return !readsDense;
}

HeldZeros heldZerosOf(ta::ComputeOp op, Value value) { return ZeroUses(op).of(value); }

// Adds what the statements make of a tensor that holds such zeros.
static void addUsesOf(Value sums, HeldZeros &found) {
  for (Operation *user : sums.getUsers()) {
    if (auto convert = dyn_cast<ta::ConvertOp>(user))
      addUsesOf(convert.getResult(), found);
    auto reader = dyn_cast<ta::ComputeOp>(user);
    if (!reader)
      continue;
    for (ta::AccessOp access : accessesIn(reader, reader.getYielded())) {
      if (access.getTensor() != sums)
        continue;
      HeldZeros own = heldZerosOf(reader, access.getResult());
      found.isTold |= own.isTold;
      found.factors.insert(own.factors.begin(), own.factors.end());
      found.divisors.insert(own.divisors.begin(), own.divisors.end());
    }
  }
}

HeldZeros heldZerosIn(ta::IfOp branch) {
  HeldZeros found;
  branch.getOtherwise().walk([&](ta::ComputeOp compute) {
    auto type = cast<RankedTensorType>(compute.getResult().getType());
    if (compute.getReason() && ta::formatOf(type).isFull() &&
        llvm::any_of(accessesIn(compute, compute.getYielded()), isSparse))
      addUsesOf(compute.getResult(), found);
  });
  auto isInside = [&](Value tensor) {
    return branch->isAncestor(tensor.getParentRegion()->getParentOp());
  };
  found.isTold |= llvm::any_of(found.factors, isInside) || llvm::any_of(found.divisors, isInside);
  return found;
}

} // namespace strata
