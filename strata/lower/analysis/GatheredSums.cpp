// Decides which sums are gathered, and over which labels.
#include "strata/lower/analysis/GatheredSums.h"

#include "strata/dialect/ta/LabelValues.h"
#include "strata/lower/analysis/ContractionShape.h"
#include "strata/lower/analysis/MergeCost.h"
#include "strata/lower/analysis/Resolutions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;

namespace strata {
namespace {

// Tells whether a walk over what is stored finds places that hold nothing.
bool mayBeAbsentWhereWalked(const IndexStatement &statement, ta::AccessOp access) {
  ta::FormatAttr format = statement.accesses.find(access)->second.format;
  return format.isFull() || format.hasPadding();
}

// A sum that the statement's right side has as a part, each of whose terms is there or is not as
// the operands say, whatever the labels are.
bool mayBeGathered(const IndexStatement &statement, ta::ReduceOp reduce) {
  ta::ComputeOp op = statement.op;
  if (op.getScheduleAttr() || reduce.getMissing() || reduce->getBlock() != &op.getBlock() ||
      reduce == statement.rootReduction() || isForbidden(op, Resolution::Workspace))
    return false;
  bool plain = true;
  reduce.getBody().walk([&](Operation *inner) {
    auto access = dyn_cast<ta::AccessOp>(inner);
    plain &= !ta::asksPresence(inner) && !inner->hasAttr(ta::ofLabelsAttribute) &&
             !(access && access.getMissing() && mayBeAbsentWhereWalked(statement, access));
  });
  return plain;
}

bool isInside(Operation *access, ta::ReduceOp reduce) { return reduce->isProperAncestor(access); }

// Tells whether a reduction inside of the sum depends on the variable. Such a one would be repeated
// for each of its values.
bool isReducedInside(const IndexStatement &statement, ta::ReduceOp reduce, unsigned variable) {
  WalkResult found = reduce.getBody().walk([&](ta::ReduceOp inner) {
    return statement.freeVariables(inner.getResult()).test(variable) ? WalkResult::interrupt()
                                                                     : WalkResult::advance();
  });
  return found.wasInterrupted();
}

bool hasReductionInside(ta::ReduceOp reduce) {
  return reduce.getBody()
      .walk([](ta::ReduceOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

// Has the result a place for each value of the variable?
bool hasPlaceForAll(const AccessPath &result, unsigned variable) {
  return llvm::all_of(llvm::seq<unsigned>(0, result.coordinates.size()), [&](unsigned level) {
    return !result.depends(level, variable) || ta::levelProperties(result.format, level).full;
  });
}

// Is the sum wanted for all values of the variable? Not where the result, or another operand
// without which there is nothing to do, stores few of them; and not where an operand of the sum is
// walked by it.
bool isWantedForAll(const IndexStatement &statement, ta::ReduceOp reduce, unsigned variable) {
  if (!hasPlaceForAll(statement.result, variable))
    return false;
  SmallVector<Operation *> others;
  for (const auto &[access, path] : statement.accesses) {
    if (path.format.isFull() || !path.involves(variable))
      continue;
    if (isInside(access, reduce))
      return false;
    others.push_back(access);
  }
  return others.empty() || !statement.isEssential(others);
}

// Tells whether elements of one of the sum's operands lie next to each other for the variable's
// values.
bool hasNeighbours(const IndexStatement &statement, ta::ReduceOp reduce, unsigned variable) {
  return llvm::any_of(statement.accesses, [&](const auto &entry) {
    const auto &[access, path] = entry;
    return isInside(access, reduce) && !path.coordinates.empty() &&
           path.coordinates.back() == getAffineDimExpr(variable, access->getContext());
  });
}

// Does the value become a term of the result's, with factors that are the same everywhere? Loops
// that store such terms are taken apart.
bool isTerm(const IndexStatement &statement, Value value) {
  ta::ComputeOp op = statement.op;
  while (value != op.getYielded()) {
    if (!value.hasOneUse())
      return false;
    Operation *user = *value.getUsers().begin();
    bool scales = isProduct(user) && llvm::all_of(user->getOperands(), [&](Value factor) {
                    return factor == value || statement.freeVariables(factor).none();
                  });
    if (!scales && !isa<arith::AddFOp, arith::AddIOp, arith::SubFOp, arith::SubIOp, arith::NegFOp,
                        complex::AddOp, complex::SubOp, complex::NegOp>(user))
      return false;
    value = user->getResult(0);
  }
  return true;
}

} // namespace

bool isGatheredContraction(const IndexStatement &statement, ta::ReduceOp reduce) {
  return statement.result.format.isFull() && mayBeGathered(statement, reduce) &&
         !hasReductionInside(reduce) && isDenseContraction(statement, reduce) &&
         !isTerm(statement, reduce.getResult());
}

llvm::SmallBitVector IndexStatement::gatheredVariables(ta::ReduceOp reduce) const {
  llvm::SmallBitVector gathered(variables.size());
  if (reduce.getWorkspace()) {
    for (auto around = reduce->getParentOfType<ta::ReduceOp>(); around;
         around = around->getParentOfType<ta::ReduceOp>())
      for (Value variable : around.getVariables())
        gathered.set(numberOf(variable));
    return gathered;
  }
  if (!mayBeGathered(*this, reduce))
    return gathered;
  bool isOfDense = isDenseContraction(*this, reduce), lies = isGatheredContraction(*this, reduce);
  if (isOfDense && !lies)
    return gathered;
  llvm::SmallBitVector needed = freeVariables(reduce.getResult());
  for (unsigned variable : needed.set_bits())
    if (isWantedForAll(*this, reduce, variable) && !isReducedInside(*this, reduce, variable)) {
      gathered.set(variable);
      lies |= hasNeighbours(*this, reduce, variable);
    }
  return lies ? gathered : llvm::SmallBitVector(variables.size());
}

llvm::SmallBitVector gatheredLabels(const IndexStatement &statement, const LoopPlan &plan,
                                    ta::ReduceOp reduce) {
  llvm::SmallBitVector none(statement.variables.size());
  llvm::SmallBitVector gathered = statement.gatheredVariables(reduce);
  if (gathered.none())
    return none;
  llvm::SmallBitVector needed = statement.freeVariables(reduce.getResult());
  if (reduce.getWorkspace()) {
    // As soon as it needs no other labels.
    for (unsigned variable : plan.order) {
      if (llvm::SmallBitVector others = needed; !others.reset(gathered).any())
        break;
      needed.reset(variable);
    }
    llvm::SmallBitVector others = needed;
    return others.reset(gathered).any() ? none : needed;
  }
  // What it needs of other labels comes before.
  auto isGathered = [&](unsigned variable) { return gathered.test(variable); };
  const auto *first = llvm::find_if(plan.order, isGathered);
  const bool isReady = std::all_of(first, plan.order.end(), [&](unsigned variable) {
    return isGathered(variable) || !needed.test(variable);
  });
  if (isReady && isGatheredContraction(statement, reduce))
    return gathered;
  auto isOwn = [&](unsigned variable) { return statement.variables[variable].reduction == reduce; };
  for (auto at = plan.order.begin(); at != plan.order.end() && !isOwn(*at); ++at)
    gathered.reset(*at);
  return gathered;
}

} // namespace strata
