// Tells where threads can share the values of a loop, and cuts it in pieces there: loops that a
// schedule marks, a person's or the compiler's own (ParallelizeLoops.cpp). Loops that are walked as
// one (JoinedLoops.cpp) and chunks (ChunkLoops.cpp) add what holds for them.
#include "strata/level/LevelFormat.h"
#include "strata/lower/lvl/KernelConverter.h"

using namespace mlir;

namespace strata {

// Tells whether each value of the loop's variable writes to places of workspaces of its own.
bool KernelConverter::fillsApart(cin::ForallOp forall, const Scope &scope) {
  bool apart = true;
  forall.walk([&](cin::AssignOp assign) {
    auto temp = assign.getTarget().getDefiningOp<cin::TempOp>();
    if (!temp || forall->isAncestor(temp))
      return;
    auto isLabel = [&](AffineExpr coordinate) {
      auto dim = dyn_cast<AffineDimExpr>(coordinate);
      return dim && assign.getIndices()[dim.getPosition()] == forall.getVariable();
    };
    AffineMap place = assign.getMap();
    apart &= rows.contains(temp.getStorage()) && !scope.touched.contains(temp.getStorage()) &&
             llvm::any_of(place.getResults(), isLabel);
  });
  return apart;
}

// The pieces in which threads can take the values of a marked loop over an iterator, or over the
// universe: it is the only one where entries are counted before they are stored, or appended, and
// reaches each value of `variable` in one piece. An iterator is cut where it begins.
IntegerAttr KernelConverter::cutInPieces(cin::ForallOp forall, Value iterator,
                                         std::optional<unsigned> variable, const Scope &scope) {
  if (!forall.isInThreads())
    return {};
  if (!forall->isAncestor(nest.result))
    return variable && fillsApart(forall, scope) ? b.getI64IntegerAttr(0) : IntegerAttr();
  bool isPart = forall.isOfParts();
  bool possible = resultWalk->counts() ? resultWalk->countsInPieces()
                                       : variable && resultWalk->buildsInPieces(*variable, isPart);
  bool alone = singleLoop || (variable && resultWalk->writesApart(*variable, isPart));
  if (!forall.hasStrategy(ta::Strategy::atomic) && (!possible || !alone))
    return {};
  if (scope.bound.any())
    return b.getI64IntegerAttr(0);
  if (auto op = iterator ? iterator.getDefiningOp<lvl::IteratorOp>() : lvl::IteratorOp()) {
    const AccessPath *path = nullptr;
    auto root = op.getParent().getDefiningOp<lvl::RootOp>();
    for (const NestAccess &access : nest.accesses)
      if (root && access.storage == root.getStorage())
        path = &access.path;
    if (!path || !isa<UnitAttr>(op.getSteps()[0]))
      return {};
    const LevelFormat &level = *findLevelFormat(path->format.getLevels()[op.getLevel()].getName());
    if (ta::levelProperties(path->format, op.getLevel()).branchless ||
        (level.spanIteration() && level.spanIteration()->hasOnePerParent()))
      return {};
  }
  return b.getI64IntegerAttr(0);
}

// A loop inside another takes its pieces in turn.
IntegerAttr KernelConverter::piecesFor(cin::ForallOp forall, IntegerAttr possible,
                                       const Scope &scope) {
  if (!forall.isInThreads())
    return {};
  bool inside = scope.bound.any();
  threads[forall] |= possible || (inside && forall.hasStrategy(ta::Strategy::temporary));
  if (!inside)
    inThreads = forall;
  return inside ? IntegerAttr() : possible;
}

bool KernelConverter::hasPartialSums(cin::ForallOp forall, IntegerAttr pieces,
                                     const Scope &scope) const {
  return forall.hasStrategy(ta::Strategy::temporary) && !pieces && scope.bound.none();
}

LogicalResult KernelConverter::checkThreads() {
  if (isSurvey)
    return success();
  for (auto [loop, isCut] : threads)
    if (!isCut) {
      InFlightDiagnostic error = emitError(loop->getLoc());
      error << "the loop over '" << cast<cin::ForallOp>(loop).getName()
            << "' cannot run in threads without races: its values would write to the same places, "
               "or the result takes its entries one after the other";
      error.attachNote() << "with the strategies Temporary (of loops over parts) and Atomics they "
                            "may write to the same places";
      return error;
    }
  lvl::CoiterateOp uncut = inThreads ? findUncut() : lvl::CoiterateOp();
  if (uncut)
    return emitError(inThreads.getLoc()) << "the loop over '" << inThreads.getName()
                                         << "' cannot run in threads beside the one over '"
                                         << uncut.getName() << "', which does not";
  return success();
}

lvl::CoiterateOp KernelConverter::findUncut() {
  lvl::CoiterateOp uncut;
  kernel.walk([&](lvl::CoiterateOp loop) {
    if (!loop->getParentOfType<lvl::CoiterateOp>() && !loop.getCollects() && !loop.getPieces() &&
        !loop.carriesScalars())
      uncut = loop;
  });
  return uncut;
}

// Tells whether a region of a loop has to be filled. Of outermost loops a survey fills those, the
// fullest region alone, that may turn out to compute nothing but scalars.
bool KernelConverter::fillsRegion(lvl::CoiterateOp loop, size_t region, const Scope &scope) const {
  if (!isSurvey || scope.bound.any())
    return true;
  return region == 0 && !loop.getPieces() && !loop.getInits().empty() &&
         !llvm::is_contained(loop.getInits(), scope.carried.lookup(resultStorage));
}

llvm::SmallBitVector KernelConverter::findShareable(ArrayRef<cin::ForallOp> loops) {
  llvm::SmallBitVector shareable(loops.size());
  isSurvey = true;
  if (failed(run()) || findUncut())
    return shareable;
  for (auto [at, loop] : llvm::enumerate(loops)) // of which the addresses alone are left
    if (threads.lookup(loop))
      shareable.set(at);
  return shareable;
}

} // namespace strata
