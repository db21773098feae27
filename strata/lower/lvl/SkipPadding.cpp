// Passes over the padding of operands: in formats with places for all coordinates of a block, what
// equals the fill value is no entry, so that it makes none in a sparse result, and no loop over
// another sparse operand runs for it.
//
// R(i,k) = A(i,j) * B(j,k), A in BCSR:    for j in A2-4
//                                           if the value of A is not the fill
//                                             for k in B2 ...
#include "strata/dialect/ta/FillValue.h"
#include "strata/lower/lvl/EmitValues.h"
#include "strata/lower/lvl/KernelConverter.h"

using namespace mlir;

namespace strata {

// Tells whether loops inside walk what a sparse operand stores.
bool KernelConverter::walksBelow(cin::ForallOp forall, const Scope &scope) const {
  auto walks = [&](unsigned access, unsigned variable) {
    const AccessPath &path = nest.accesses[access].path;
    unsigned next = scope.cursors.lookup(access).next;
    return !isAbsent(access, scope) &&
           llvm::any_of(llvm::seq<unsigned>(next, path.coordinates.size()), [&](unsigned level) {
             return path.depends(level, variable) && !ta::levelProperties(path.format, level).full;
           });
  };
  WalkResult found = forall.getBlock().walk([&](cin::ForallOp inner) {
    bool any = llvm::any_of(nest.accessesIn(inner), [&](unsigned access) {
      return walks(access, nest.numberOf(inner.getVariable()));
    });
    return any ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found.wasInterrupted();
}

// Tells whether so many loops are inside each other there.
static bool hasLoopsBelow(cin::ForallOp forall, unsigned count) {
  if (count == 0)
    return true;
  WalkResult found = forall.getBlock().walk([&](cin::ForallOp inner) {
    return hasLoopsBelow(inner, count - 1) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found.wasInterrupted();
}

// Tells whether elements next to each other are those of a block of a size that the format tells:
// with one loop inside, these loops are unrolled, and run without asking at twice the speed.
static bool endsInBlock(const LoopNest &nest, const AccessPath &path) {
  auto last = dyn_cast<AffineDimExpr>(path.coordinates.back());
  if (!last)
    return true;
  cin::ForallOp loop = nest.loops[last.getPosition()];
  return loop.getPart() != nullptr;
}

// Tells whether the sparse result stores entries one by one, which padding of the operand must not
// become. A pattern that is kept for other values does not depend on these.
bool KernelConverter::entriesSkip(unsigned access) const {
  ta::FormatAttr result = ta::formatOf(resultStorage.getType().getTensor());
  const ta::FormatAttr &format = nest.accesses[access].path.format;
  return phaseOf(kernel) == Phase::All && resultWalk->storesEntries() && !result.hasPadding() &&
         !format.isFull() && format.hasPadding();
}

// The operands with padding of which the place is known at this loop, and not before, that are to
// be asked whether it is an entry; with `asksAny` all are.
SmallVector<unsigned> KernelConverter::paddedAt(cin::ForallOp forall, const Scope &scope,
                                                bool asksAny) const {
  if (phaseOf(kernel) != Phase::All)
    return {};
  asksAny = asksAny || walksBelow(forall, scope);
  unsigned variable = nest.numberOf(forall.getVariable());
  SmallVector<unsigned> padded;
  for (unsigned access : nest.accessesIn(forall)) {
    const AccessPath &path = nest.accesses[access].path;
    if (!path.format.isFull() && path.format.hasPadding() && path.involves(variable) &&
        (asksAny || hasLoopsBelow(forall, endsInBlock(nest, path) ? 2 : 1) ||
         entriesSkip(access)) &&
        !scope.entries.contains(access) && !isAbsent(access, scope) &&
        scope.cursors.lookup(access).next == path.coordinates.size())
      padded.push_back(access);
  }
  return padded;
}

// Tells whether there is nothing to do in the loop where the operand stores nothing.
bool KernelConverter::isNeeded(unsigned access, cin::ForallOp forall, const Scope &scope) const {
  ArrayRef<Operation *> ops = nest.accesses[access].ops;
  Absence without = scope.absence;
  without.accesses.insert(ops.begin(), ops.end());
  return hasNoEffect(forall.getBlock(), without);
}

// Gives whether a value is stored at the end of the operand's path that is no padding; `guard`:
// whether there is a path.
Value KernelConverter::emitIsEntry(unsigned access, Value guard, const Scope &scope) {
  auto read = cast<cin::AccessOp>(nest.accesses[access].ops.front());
  auto differs = [&]() -> Value {
    Value value = lvl::ValueOp::create(b, loc, read.getType(), scope.cursors.lookup(access).path);
    return ta::emitDiffersFromFill(b, loc, value,
                                   ta::fillOf(read.getStorage().getType().getTensor()));
  };
  if (!guard)
    return differs();
  auto choice = scf::IfOp::create(b, loc, TypeRange{guard.getType()}, guard, true);
  OpBuilder::InsertionGuard insertion(b);
  b.setInsertionPointToStart(choice.thenBlock());
  scf::YieldOp::create(b, loc, differs());
  b.setInsertionPointToStart(choice.elseBlock());
  scf::YieldOp::create(b, loc, guard);
  return choice.getResult(0);
}

// Looks operands up at a place that is no padding of another, without which there is nothing to do.
LogicalResult KernelConverter::emitLookUps(cin::ForallOp forall, Scope &scope,
                                           ArrayRef<Participant> sought) {
  Value isEntry;
  if (!sought.empty())
    for (unsigned access : paddedAt(forall, scope, /*asksAny=*/true)) {
      if (scope.flags.lookup(access) || !isNeeded(access, forall, scope))
        continue;
      isEntry = both(b, loc, isEntry, emitIsEntry(access, nullptr, scope));
      scope.entries.insert(access);
    }
  if (!isEntry)
    return emitGuarded(forall, scope, sought);
  return emitIf(isEntry, forall, scope, [&](Scope &inner, bool holds) {
    return holds ? emitGuarded(forall, inner, sought) : success();
  });
}

// Nothing is done where an operand is padding without which there is nothing to do, or where all of
// several are.
LogicalResult KernelConverter::emitPastPadding(cin::ForallOp forall, Scope &scope) {
  Value isEntry;
  Absence withoutAny = scope.absence;
  SmallVector<unsigned> others;
  for (unsigned access : paddedAt(forall, scope)) {
    if (Value flag = scope.flags.lookup(access)) {
      setPresence(access, emitIsEntry(access, flag, scope), scope);
      continue;
    }
    if (isNeeded(access, forall, scope)) {
      isEntry = both(b, loc, isEntry, emitIsEntry(access, nullptr, scope));
      continue;
    }
    ArrayRef<Operation *> ops = nest.accesses[access].ops;
    withoutAny.accesses.insert(ops.begin(), ops.end());
    others.push_back(access);
  }
  if (others.size() > 1 && hasNoEffect(forall.getBlock(), withoutAny)) {
    Value any = emitIsEntry(others.front(), nullptr, scope);
    for (unsigned access : llvm::drop_begin(others))
      any = arith::OrIOp::create(b, loc, any, emitIsEntry(access, nullptr, scope));
    isEntry = both(b, loc, isEntry, any);
  }
  if (!isEntry)
    return emitBlock(forall.getBlock(), scope);
  return emitIf(isEntry, forall, scope, [&](Scope &inner, bool holds) {
    return holds ? emitBlock(forall.getBlock(), inner) : success();
  });
}

} // namespace strata
