// Applies each kernel's schedule to its loops, and completes it by the contractions that it leaves.
#include "strata/lower/Passes.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/analysis/LoopNest.h"
#include "strata/lower/analysis/SlotNumbering.h"
#include "strata/lower/utils/KernelStage.h"
#include "strata/schedule/Commands.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_APPLYSCHEDULES
#include "strata/lower/Passes.h.inc"

namespace {

// The level of the result below whose parents entries are gathered, or slots numbered.
std::optional<unsigned> levelBelowBlocks(func::FuncOp kernel, const LoopNest &nest,
                                         const AccessPath &result) {
  if (cin::BuildOp build = nest.build; build && build.getGathered())
    return gatherableLevel(result.format, phaseOf(kernel) != Phase::All);
  if (!assumes(kernel, Assumptions::Slots))
    return std::nullopt;
  std::optional<VariableNumbering> numbering = slotNumbering(result);
  return numbering && numbering->rowsPerParent ? std::optional(numbering->level) : std::nullopt;
}

// Blocks of a label that is cut would begin and end inside its parts.
LogicalResult checkWholeLabels(const LoopNest &nest, AffineExpr coordinate) {
  auto quotient = dyn_cast<AffineBinaryOpExpr>(coordinate);
  if (!quotient || quotient.getKind() != AffineExprKind::FloorDiv)
    return success();
  for (auto [variable, of] : llvm::enumerate(nest.loops))
    if (cin::ForallOp loop = of; loop.getPart() && coordinate.isFunctionOfDim(variable))
      return emitError(loop.getLoc())
             << "the loop over '" << loop.getName()
             << "' takes a part of the values, which would cut what the result stores together";
  return success();
}

// What the result keeps for a block of rows begins and ends with the block: the loop over the rows
// runs in blocks.
LogicalResult runInBlocks(func::FuncOp kernel) {
  LoopNest nest(kernel);
  AccessPath result = nest.resultPath();
  std::optional<unsigned> level = levelBelowBlocks(kernel, nest, result);
  if (!level || *level == 0)
    return success();
  std::optional<VariableBlocks> blocks = blocksAt(result, *level - 1);
  if (!blocks)
    return checkWholeLabels(nest, result.coordinates[*level - 1]);
  cin::ForallOp loop = nest.loops[blocks->variable];
  if (loop.isOfParts() && !loop.getPart())
    return success(); // it goes from block to block
  if (loop.getCollapsed())
    return emitError(loop.getLoc()) << "the loop over '" << loop.getName()
                                    << "' cannot be walked as one with those inside it: it runs in "
                                       "blocks of "
                                    << blocks->size << ", as the result is stored";
  loop.setBlocks(blocks->size);
  return success();
}

struct ApplySchedules : impl::ApplySchedulesBase<ApplySchedules> {
  void runOnOperation() override {
    if (failed(expectStage(getOperation(), KernelStage::Loops, getArgument())))
      return signalPassFailure();
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      if (!isKernel(kernel))
        continue;
      if (failed(schedule::apply(kernel, scheduleOf(kernel))) || failed(runInBlocks(kernel)))
        return signalPassFailure();
      schedule::contractAll(kernel);
    }
  }
};

} // namespace
} // namespace strata
