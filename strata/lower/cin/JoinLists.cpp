// Joins loops in which nothing but lists of coordinates is merged.
#include "strata/lower/Passes.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/cin/NestShape.h"
#include "strata/lower/utils/KernelStage.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_JOINLISTS
#include "strata/lower/Passes.h.inc"

namespace {

struct JoinLists : impl::JoinListsBase<JoinLists> {
  void runOnOperation() override {
    if (failed(expectStage(getOperation(), KernelStage::Loops, getArgument())))
      return signalPassFailure();
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      if (!isKernel(kernel))
        continue;
      LoopNest nest(kernel);
      for (cin::ForallOp loop : nest.loops) {
        auto outer = dyn_cast<cin::ForallOp>(loop->getParentOp());
        if (loop.getCollapsed() || (outer && outer.getCollapsed()))
          continue;
        SmallVector<cin::ForallOp> tuple = loopsOverTuples(kernel, nest, loop);
        if (llvm::any_of(tuple, [](cin::ForallOp one) { return !one.getLocating().empty(); }))
          continue;
        for (cin::ForallOp one : tuple) {
          one.setAccumulates(true);
          one.setCollapsed(one != tuple.back());
        }
      }
    }
  }
};

} // namespace
} // namespace strata
