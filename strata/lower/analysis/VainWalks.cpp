// Follows the values of accesses up to where two of them meet.
#include "strata/lower/analysis/VainWalks.h"

#include "strata/lower/analysis/MergeCost.h"

using namespace mlir;

namespace strata {

// Tells whether only the patterns of operands say what the masks let pass: nothing else does.
static bool masksConstant(ta::MaskedOp op) {
  Operation *passes = op.getOperand(0).getDefiningOp();
  while (isa_and_present<ta::MaskedOp>(passes))
    passes = passes->getOperand(0).getDefiningOp();
  return passes && passes->hasTrait<OpTrait::ConstantLike>();
}

bool isMask(Operation *access) {
  return llvm::all_of(access->getUses(), [](OpOperand &use) {
    auto masked = dyn_cast<ta::MaskedOp>(use.getOwner());
    return masked && use.getOperandNumber() == 1 && !masksConstant(masked);
  });
}

// Gives the operation that the only use of a value is part of; null at the end of the statement.
static Operation *above(Operation *op) {
  if (!op->hasOneUse())
    return nullptr;
  Operation *user = *op->user_begin();
  return isa<ta::YieldOp>(user) ? dyn_cast<ta::ReduceOp>(user->getParentOp()).getOperation() : user;
}

// Tells whether there is one product of which both are factors, or parts of factors.
static bool areMultiplied(Operation *one, Operation *other) {
  llvm::SmallPtrSet<Operation *, 8> around;
  for (Operation *op = above(one); op; op = above(op))
    around.insert(op);
  for (Operation *op = above(other); op; op = above(op))
    if (around.contains(op))
      return isProduct(op);
  return false;
}

bool isVainWithout(const IndexStatement &statement, Operation *walked, Operation *other) {
  return walked != other && !isMask(other) &&
         (areMultiplied(walked, other) || statement.isEssential(other));
}

bool isSampled(const IndexStatement &statement) {
  return llvm::any_of(statement.accesses, [&](const auto &entry) {
    const AccessPath &path = entry.second;
    return !path.format.isFull() && statement.isEssential(entry.first) &&
           llvm::all_of(llvm::enumerate(statement.variables), [&](auto pair) {
             return pair.value().reduction || path.involves(pair.index());
           });
  });
}

bool countsRewalks(const IndexStatement &statement) {
  constexpr int64_t mostSparse = 3;
  return llvm::count_if(statement.accesses, [](const auto &entry) {
           return !entry.second.format.isFull();
         }) <= mostSparse;
}

} // namespace strata
