// Answers questions about the loops of a nest by the levels that they walk.
#include "strata/lower/cin/NestShape.h"

#include "strata/dialect/ta/LevelRoom.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/analysis/MergeCost.h"
#include "strata/lower/analysis/MergedLists.h"
#include "strata/lower/analysis/SlotNumbering.h"
#include "strata/lower/cin/MergeLattice.h"

using namespace mlir;

namespace strata {

static const LevelTraits &traitsOf(const AccessPath &path, unsigned level) {
  return *findLevelTraits(path.format.getLevels()[level].getName());
}

bool appendsResult(const LoopNest &nest) {
  AccessPath result = nest.resultPath();
  return llvm::any_of(llvm::seq<unsigned>(0, result.coordinates.size()),
                      [&](unsigned level) { return traitsOf(result, level).appends; });
}

cin::AssignOp assignmentBelow(cin::ForallOp loop) {
  Operation *at = &loop.getBlock().back();
  while (!isa<cin::AssignOp>(at)) {
    auto where = dyn_cast<cin::WhereOp>(at);
    at = where ? &where.getConsumer().front().back() : &cast<cin::ForallOp>(at).getBlock().back();
  }
  return cast<cin::AssignOp>(at);
}

static bool containsProducer(cin::ForallOp loop) {
  return loop.walk([](cin::WhereOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

// The levels that an access walks or locates at a loop; nothing where they wait for a variable that
// no loop around has.
static std::optional<PathPiece> pieceAt(const LoopNest &nest, const AccessPath &path,
                                        cin::ForallOp loop) {
  unsigned level = 0;
  std::string why;
  llvm::SmallBitVector before(nest.loops.size());
  for (unsigned outer : nest.around(loop)) {
    if (path.involves(outer) && !bindVariable(path, level, before, outer, why))
      return std::nullopt;
    before.set(outer);
  }
  return bindVariable(path, level, before, nest.numberOf(loop.getVariable()), why);
}

bool mayReturn(const LoopNest &nest, cin::ForallOp loop) {
  unsigned variable = nest.numberOf(loop.getVariable());
  return llvm::any_of(nest.accessesIn(loop), [&](unsigned access) {
    const AccessPath &path = nest.accesses[access].path;
    if (!path.involves(variable))
      return false;
    std::optional<PathPiece> piece = pieceAt(nest, path, loop);
    return piece && !piece->empty() && !piece->unique && !piece->ordered;
  });
}

bool acceptsDuplicates(func::FuncOp kernel, const LoopNest &nest, cin::ForallOp loop) {
  AccessPath result = nest.resultPath();
  bool numbers = assumes(kernel, Assumptions::Slots) && slotNumbering(result);
  if (assignsTemporary(assignmentBelow(loop)) || containsProducer(loop) || numbers ||
      (appendsResult(nest) && !result.format.isList()))
    return false;
  cin::AssignOp assign = nest.result;
  bool addsUpEntries =
      assign.getCombine() == ta::Combine::add && isMultilinear(assign.getYielded());
  unsigned variable = nest.numberOf(loop.getVariable());
  unsigned drivers = 0;
  bool repeats = false, storedOnce = true;
  for (unsigned access : nest.accessesIn(loop)) {
    const AccessPath &path = nest.accesses[access].path;
    if (!path.involves(variable))
      continue;
    std::optional<PathPiece> piece = pieceAt(nest, path, loop);
    if (!piece)
      return false;
    if (piece->empty() || piece->full)
      continue;
    drivers += nest.accesses[access].ops.size();
    repeats |= !piece->unique;
    storedOnce = !ta::repeatsEntries(path.format) || (!piece->ordered && addsUpEntries);
  }
  return drivers == 1 && repeats && storedOnce;
}

// Would the result be told a coordinate again for each tuple that has it? Parents wait for their
// first entry, but not those whose children have places for everything.
static bool repeatsParents(const AccessPath &result, ArrayRef<unsigned> tuple) {
  for (unsigned level = 0; level + 1 < result.coordinates.size(); ++level)
    if (traitsOf(result, level).appends && !traitsOf(result, level + 1).appends &&
        !result.depends(level, tuple.back()) &&
        llvm::any_of(tuple, [&](unsigned variable) { return result.depends(level, variable); }))
      return true;
  return false;
}

// Does a sum inside the loops belong between them: does it use some of them, but not the last?
static bool hasSumBetween(ArrayRef<cin::ForallOp> loops) {
  cin::ForallOp last = loops.back();
  auto uses = [](cin::WhereOp where, cin::ForallOp loop) {
    return llvm::any_of(loop.getVariable().getUsers(), [&](Operation *user) {
      return where.getProducer().isAncestor(user->getParentRegion());
    });
  };
  return last
      .walk([&](cin::WhereOp where) {
        bool some = llvm::any_of(loops, [&](cin::ForallOp loop) { return uses(where, loop); });
        return some && !uses(where, last) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

SmallVector<cin::ForallOp> loopsOverTuples(func::FuncOp kernel, const LoopNest &nest,
                                           cin::ForallOp loop) {
  bool temporary = assignsTemporary(assignmentBelow(loop));
  cin::BuildOp build = nest.build;
  bool gathers = build && build.getGathered();
  auto isInGroup = [](cin::ForallOp one) { return one.getGroup().has_value(); };
  if (assumes(kernel, Assumptions::Windowed) || (gathers && !temporary) ||
      llvm::any_of(chainFrom(loop), isInGroup))
    return {};
  std::optional<MergedLists> merged = findMergedLists(nest, chainFrom(loop));
  if (!merged)
    return {};
  Absence absence;
  if (build)
    absence.built.insert(build.getStorage());
  auto isIdleWithout = [&](ArrayRef<unsigned> lists) {
    Absence without = absence;
    for (unsigned list : lists)
      without.accesses.insert_range(nest.accesses[list].ops);
    return hasNoEffect(loop.getBlock(), without);
  };
  if (!isIdleWithout(merged->lists))
    return {};
  if (merged->asks &&
      llvm::none_of(merged->lists, [&](unsigned list) { return isIdleWithout(list); }))
    return {};
  SmallVector<unsigned> tuple = llvm::map_to_vector(
      merged->loops, [&](cin::ForallOp one) { return nest.numberOf(one.getVariable()); });
  if ((!temporary && repeatsParents(nest.resultPath(), tuple)) || hasSumBetween(merged->loops))
    return {};
  return merged->loops;
}

} // namespace strata
