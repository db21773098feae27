// Computes temporaries as soon as the labels that they need have values.
#include "strata/lower/Passes.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/utils/KernelStage.h"
#include "strata/schedule/Loops.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_HOISTPRODUCERS
#include "strata/lower/Passes.h.inc"

namespace {

// Tells whether a loop in the block takes its values in the same chunk as one around it.
bool continuesChunk(Block &block, cin::ForallOp around) {
  return around.isInChunk() && block
                                   .walk([&](cin::ForallOp loop) {
                                     return loop.getPart() == around.getPart()
                                                ? WalkResult::interrupt()
                                                : WalkResult::advance();
                                   })
                                   .wasInterrupted();
}

// How many loops, and consumers of other temporaries, a producer can leave.
unsigned stepsOut(cin::WhereOp where) {
  Block &producer = where.getProducer().front();
  unsigned steps = 0, useful = 0;
  Operation *at = where;
  for (Operation *around = at->getParentOp();; at = around, around = around->getParentOp()) {
    if (auto loop = dyn_cast<cin::ForallOp>(around)) {
      if (schedule::usesVariable(producer, loop.getVariable()) || continuesChunk(producer, loop))
        return useful;
      auto outer = dyn_cast<cin::ForallOp>(loop->getParentOp());
      bool joined = outer && outer.getCollapsed(); // these are left together or not at all
      ++steps;
      useful = joined ? useful : steps;
      continue;
    }
    auto other = dyn_cast<cin::WhereOp>(around);
    if (!other || other.getProducer().isAncestor(at->getParentRegion()) ||
        schedule::usesVariable(producer, schedule::temporaryOf(other).getStorage()))
      return useful;
    ++steps;
  }
}

struct HoistProducers : impl::HoistProducersBase<HoistProducers> {
  void runOnOperation() override {
    if (failed(expectStage(getOperation(), KernelStage::Loops, getArgument())))
      return signalPassFailure();
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      if (!isKernel(kernel))
        continue;
      SmallVector<cin::WhereOp> producers;
      kernel.walk<WalkOrder::PreOrder>([&](cin::WhereOp where) { producers.push_back(where); });
      for (cin::WhereOp where : producers)
        for (unsigned left = stepsOut(where); left > 0; --left)
          schedule::moveOut(where);
    }
  }
};

} // namespace
} // namespace strata
