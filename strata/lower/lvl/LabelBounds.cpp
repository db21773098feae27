// Bounds loops by comparisons of labels. Where a comparison does not hold, or does, and there is
// nothing to do, the loop over the last of its labels leaves these values out: it begins and ends
// between them, and operands are searched for where that is. Inside the truth is known.
//
// y(i) = sum(j, where(j <= i, x(j), 0)):    for i
//                                             for j from 0 to i
//                                               add x(j)
//
// A comparison that no loop can keep to is asked where a value comes to a sparse result
// (CinToLvl.cpp).
#include "strata/lower/lvl/KernelConverter.h"

#include "strata/dialect/ta/FormatMap.h"
#include "strata/lower/utils/EmitAffine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace strata {

// Parts of labels keep what they have, chunks too. The outermost loop over places of the result is
// cut in pieces, which are those of all its values.
bool KernelConverter::takesBounds(cin::ForallOp forall, const Scope &scope) {
  bool writes = llvm::is_contained(carriedBy(forall, scope), resultStorage);
  return !forall.isInChunk() && !(forall.isOfParts() && !forall.getPart()) &&
         !leaderOf(forall, scope) && !(writes && (scope.bound.none() || forall.getBlocks()));
}

// The conditions that the loop's values have to keep to, given those of the loops around it.
LinearConditions KernelConverter::decideComparisons(cin::ForallOp forall, Scope &scope) {
  LinearConditions kept;
  SmallVector<const LabelComparison *> open = openComparisons(forall, scope);
  if (open.empty() || !takesBounds(forall, scope))
    return kept;
  llvm::SmallBitVector bound = scope.bound;
  bound.set(nest.numberOf(forall.getVariable()));
  auto areBound = [&](const LinearConditions &conditions) {
    return llvm::all_of(conditions, [&](AffineExpr one) {
      return llvm::all_of(llvm::seq<unsigned>(0, bound.size()), [&](unsigned variable) {
        return bound.test(variable) || !one.isFunctionOfDim(variable);
      });
    });
  };
  for (const LabelComparison *one : open)
    for (bool truth : {true, false}) {
      const std::optional<LinearConditions> &conditions = truth ? one->holding : one->failing;
      if (!conditions || !areBound(*conditions))
        continue;
      Absence otherwise = scope.absence;
      decide(*one, !truth, otherwise);
      if (!hasNoEffect(forall.getBlock(), otherwise))
        continue;
      decide(*one, truth, scope.absence);
      llvm::append_range(kept, *conditions);
      break;
    }
  return kept;
}

KernelConverter::LoopRange KernelConverter::within(cin::ForallOp forall, LoopRange range,
                                                   const LinearConditions &conditions,
                                                   const Scope &scope) {
  if (conditions.empty())
    return range;
  unsigned variable = nest.numberOf(forall.getVariable());
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value first = zero, end = range.extent;
  for (AffineExpr condition : conditions) {
    int64_t factor = 0;
    AffineExpr rest;
    ta::splitLinear(condition, variable, factor, rest);
    auto emitted = [&](AffineExpr expr) {
      return emitAffine(b, loc, simplifyAffineExpr(expr, scope.indices.size(), 0), scope.indices);
    };
    if (factor > 0) { // from the least value on
      Value least = emitted((factor - 1 - rest).floorDiv(factor));
      first = first == zero ? Value(arith::MaxSIOp::create(b, loc, least, zero))
                            : Value(arith::MaxSIOp::create(b, loc, first, least));
    } else if (factor < 0) { // up to the greatest
      end = arith::MinSIOp::create(b, loc, end, emitted(rest.floorDiv(-factor) + 1));
    } else {
      Value holds = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, emitted(rest), zero);
      end = arith::SelectOp::create(b, loc, holds, end, zero);
    }
  }
  Value length = first == zero ? end : Value(arith::SubIOp::create(b, loc, end, first));
  return {.first = first == zero ? Value() : first,
          .extent = arith::MaxSIOp::create(b, loc, length, zero),
          .bounded = true};
}

// The loops no longer come to each place of the result.
void KernelConverter::leavePlaces() {
  kernel.walk([&](Operation *op) {
    if (auto build = dyn_cast<lvl::BuildOp>(op))
      build.setPartial(true);
    else if (auto refill = dyn_cast<lvl::RefillOp>(op))
      refill.setPartial(true);
  });
}

SmallVector<const LabelComparison *> KernelConverter::openComparisons(Operation *statement,
                                                                      const Scope &scope) const {
  SmallVector<const LabelComparison *> open;
  for (const LabelComparison &one : comparisons)
    if (one.isIn(statement) && !scope.absence.truths.contains(one.ops.front()))
      open.push_back(&one);
  return open;
}

// Tells whether the assignment does nothing because comparisons are so, all that may be absent
// being there, or some of it not: several operands may be merged in one body.
bool KernelConverter::leaveNothing(cin::AssignOp assign, const Absence &decided,
                                   const Scope &scope) const {
  SmallVector<OpenPresence> open;
  llvm::copy_if(scope.open, std::back_inserter(open),
                [&](const OpenPresence &one) { return one.isUsedBy(assign); });
  const unsigned sets = open.size() > mostOpenPresences ? 1 : 1u << open.size();
  return llvm::any_of(llvm::seq(0u, sets), [&](unsigned absent) {
    Absence without = scope.absence, here = decided;
    for (auto [at, one] : llvm::enumerate(open))
      if (absent >> at & 1) {
        one.deny(without);
        one.deny(here);
      }
    return hasNoEffect(assign, here) && !hasNoEffect(assign, without);
  });
}

// One on which it depends whether the assignment does anything, perhaps together with others; null
// if there is none.
FailureOr<const LabelComparison *> KernelConverter::decidingComparison(cin::AssignOp assign,
                                                                       const Scope &scope) const {
  SmallVector<const LabelComparison *> open = openComparisons(assign, scope);
  constexpr unsigned most = 8; // all sets of them are looked at
  if (open.size() > most)
    return emitError(assign.getLoc())
           << "cannot tell of " << open.size() << " comparisons of labels at once where they hold; "
           << most << " are possible";
  for (unsigned truths = 0; !open.empty() && truths < 1u << open.size(); ++truths) {
    Absence here = scope.absence;
    for (auto [at, one] : llvm::enumerate(open))
      decide(*one, truths >> at & 1, here);
    if (leaveNothing(assign, here, scope))
      return open.front();
  }
  return nullptr;
}

} // namespace strata
