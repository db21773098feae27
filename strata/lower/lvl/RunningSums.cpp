// Carries sums on from round to round. Where the bounds of comparisons only grow with the variable
// of the loop around, and nothing else of the sum depends on that, its terms are those of the round
// before and others behind them: they are added to what the round before had.
//
// y(i) = sum(j, where(j <= i, x(j), 0)):    s = 0, n = 0
//                                           for i
//                                             for j from n to i
//                                               add x(j) to s
//                                             n = i + 1
//                                             y(i) = s
//
// The terms of a sum are added in the same order as if each began anew.
#include "strata/lower/lvl/KernelConverter.h"

#include "strata/dialect/ta/Algebra.h"
#include "strata/dialect/ta/FormatMap.h"
#include "strata/dialect/ta/LabelValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace strata {

// All that the operations are computed from, and they themselves.
static llvm::SmallPtrSet<Operation *, 8> sourcesOf(ArrayRef<Operation *> ops) {
  llvm::SmallPtrSet<Operation *, 8> found(ops.begin(), ops.end());
  SmallVector<Operation *> open(ops);
  while (!open.empty())
    for (Value operand : open.pop_back_val()->getOperands())
      if (Operation *made = operand.getDefiningOp(); made && found.insert(made).second)
        open.push_back(made);
  return found;
}

static bool reads(const LabelComparison &comparison, Value variable) {
  return llvm::any_of(sourcesOf(comparison.ops), [&](Operation *op) {
    auto access = dyn_cast<cin::AccessOp>(op);
    return access && llvm::is_contained(access.getIndices(), variable);
  });
}

// Tells whether the loop uses the variable to compare it alone.
static bool onlyCompares(cin::ForallOp loop, Value variable,
                         ArrayRef<LabelComparison> comparisons) {
  llvm::SmallPtrSet<Operation *, 8> compared;
  for (const LabelComparison &one : comparisons)
    for (Operation *op : sourcesOf(one.ops))
      compared.insert(op);
  return llvm::all_of(variable.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    return !loop->isAncestor(user) ||
           (isa<cin::AccessOp>(user) &&
            llvm::all_of(user->getUsers(), [&](Operation *op) { return compared.contains(op); }));
  });
}

// Tells whether the loop is a sum, or another reduction, into the scalar, of values that stay the
// same while the loop around runs.
static bool isPlainSum(cin::ForallOp loop, cin::TempOp scalar, cin::ForallOp around, Value result) {
  bool plain = true;
  loop.walk([&](Operation *op) {
    if (auto inner = dyn_cast<cin::ForallOp>(op))
      plain &= !inner.getPart() && !inner.isOfParts() && !inner.getCollapsed() &&
               !inner.getLeader() && !inner.isInThreads();
    else if (auto assign = dyn_cast<cin::AssignOp>(op))
      plain &= assign.getTarget() == scalar.getStorage() && assign.getCombine().has_value();
    else if (auto access = dyn_cast<cin::AccessOp>(op)) {
      Operation *made = access.getStorage().getDefiningOp();
      plain &= access.getStorage() != result && !(made && around->isProperAncestor(made));
    } else
      plain &= !isa<cin::TempOp, cin::WhereOp>(op);
  });
  return plain;
}

// Tells whether more values of `inner` keep to the conditions, and none fewer, as `outer` grows.
static bool growWith(const LinearConditions &conditions, unsigned outer, unsigned inner) {
  auto factorOf = [](AffineExpr one, unsigned variable) {
    int64_t factor = 0;
    AffineExpr rest;
    return ta::splitLinear(one, variable, factor, rest) ? factor : 0;
  };
  return llvm::all_of(conditions, [&](AffineExpr one) {
    return !one.isFunctionOfDim(outer) || (factorOf(one, outer) > 0 && factorOf(one, inner) < 0);
  });
}

// The conditions to which the loop has to keep, because it does nothing where the comparison is
// otherwise; null if there are none.
static const LinearConditions *conditionsOf(const LabelComparison &comparison, cin::ForallOp loop) {
  for (bool truth : {true, false}) {
    const std::optional<LinearConditions> &conditions =
        truth ? comparison.holding : comparison.failing;
    Absence otherwise;
    decide(comparison, !truth, otherwise);
    if (conditions && hasNoEffect(loop.getBlock(), otherwise))
      return &*conditions;
  }
  return nullptr;
}

// The sums right inside a loop that its values only carry on, as far as the kernel says.
SmallVector<KernelConverter::RunningSum, 0>
KernelConverter::runningSums(cin::ForallOp forall) const {
  SmallVector<RunningSum, 0> found;
  auto outer = dyn_cast_or_null<cin::ForallOp>(forall->getParentOp());
  cin::AssignOp result = nest.result;
  if (forall.isOfParts() || forall.getPart() || forall.getCollapsed() || forall.getBlocks() ||
      (outer && outer.getCollapsed()))
    return found;
  forall.walk([&](cin::WhereOp where) {
    Block &producer = where.getProducer().front();
    auto scalar = dyn_cast_or_null<cin::TempOp>(where->getPrevNode());
    auto loop = llvm::hasSingleElement(producer) ? dyn_cast<cin::ForallOp>(producer.front())
                                                 : cin::ForallOp();
    if (where->getParentOfType<cin::ForallOp>() != forall || !scalar || !loop ||
        scalar.getMissing() || !scalar.getExtents().empty() ||
        !isPlainSum(loop, scalar, forall, result.getTarget()) ||
        !onlyCompares(loop, forall.getVariable(), comparisons))
      return;
    unsigned around = nest.numberOf(forall.getVariable()),
             inner = nest.numberOf(loop.getVariable());
    bool some = false, all = true;
    for (const LabelComparison &one : comparisons)
      if (one.isIn(loop) && reads(one, forall.getVariable())) {
        const LinearConditions *conditions = conditionsOf(one, loop);
        some = true;
        all &= conditions && growWith(*conditions, around, inner);
      }
    if (some && all) {
      RunningSum &running = found.emplace_back();
      running.around = forall;
      running.loop = loop;
      running.sum = scalar.getStorage();
    }
  });
  return found;
}

// Before the loop around: no sum has a term yet. Of a loop that threads share each value stands
// alone.
void KernelConverter::beginRunningSums(cin::ForallOp forall, ArrayRef<Participant> iterated,
                                       Scope &scope) {
  if (forall.isInThreads() || !llvm::all_of(iterated, [](const Participant &participant) {
        return participant.piece.ordered;
      }))
    return;
  for (RunningSum running : runningSums(forall)) {
    auto scalar = running.sum.getDefiningOp<cin::TempOp>();
    Type element = scalar.getStorage().getType().getElementType();
    running.total = ta::emitConstant(b, loc, ta::identityOf(scalar.getCombine(), element));
    running.touched = arith::ConstantIntOp::create(b, loc, 0, 1);
    running.next = arith::ConstantIndexOp::create(b, loc, 0);
    for (Value key : {running.total, running.touched, running.next})
      scope.carried[key] = key;
    scope.running.push_back(running);
  }
}

void KernelConverter::endRunningSums(cin::ForallOp forall, Scope &scope) {
  llvm::erase_if(scope.running, [&](const RunningSum &running) {
    if (running.around != forall)
      return false;
    for (Value key : {running.total, running.touched, running.next})
      scope.carried.erase(key);
    return true;
  });
}

// Tells whether a sum goes on between bounds, which are decided: that of the loop's first values
// alone, and all that the loop around has to say. Several cases of the loop around go on alike.
bool KernelConverter::goesOn(RunningSum running, const LinearConditions &conditions,
                             const Scope &scope) {
  const Value variable = running.around.getVariable();
  const bool asks = scope.touched.contains(running.sum);
  return growWith(conditions, nest.numberOf(variable), nest.numberOf(running.loop.getVariable())) &&
         llvm::none_of(openComparisons(running.loop, scope),
                       [&](const LabelComparison *one) { return reads(*one, variable); }) &&
         asksTerms.try_emplace(running.next, asks).first->second == asks;
}

// Lets the loop take the values that come after those of the round before, if its sum goes on.
// Gives the value at which the next round does; null if each round begins anew.
Value KernelConverter::goOn(cin::ForallOp loop, const LinearConditions &conditions,
                            LoopRange &range, Scope &scope) {
  const RunningSum *running =
      llvm::find_if(scope.running, [&](const RunningSum &one) { return one.loop == loop; });
  if (running == scope.running.end() || !range.bounded || !goesOn(*running, conditions, scope))
    return {};
  Value first = scope.carried[running->next], end = range.extent;
  if (range.first) {
    end = arith::AddIOp::create(b, loc, range.first, end);
    first = arith::MaxSIOp::create(b, loc, first, range.first);
  }
  Value next = arith::MaxSIOp::create(b, loc, first, end);
  range.first = first;
  range.extent = arith::SubIOp::create(b, loc, next, first);
  scope.carried[running->sum] = scope.carried[running->total];
  if (Value flag = scope.touched.lookup(running->sum))
    scope.carried[flag] = scope.carried[running->touched];
  return next;
}

// After the loop: what the next round goes on from.
void KernelConverter::keepTotal(cin::ForallOp loop, Value next, Scope &scope) {
  if (!next)
    return;
  const RunningSum *running =
      llvm::find_if(scope.running, [&](const RunningSum &one) { return one.loop == loop; });
  scope.carried[running->total] = scope.carried[running->sum];
  scope.carried[running->next] = next;
  if (Value flag = scope.touched.lookup(running->sum))
    scope.carried[running->touched] = scope.carried[flag];
}

} // namespace strata
