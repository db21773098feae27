// Lets loops take the entries of one coordinate one after the other.
#include "strata/lower/Passes.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/cin/NestShape.h"
#include "strata/lower/utils/KernelStage.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_ACCEPTDUPLICATES
#include "strata/lower/Passes.h.inc"

namespace {

struct AcceptDuplicates : impl::AcceptDuplicatesBase<AcceptDuplicates> {
  void runOnOperation() override {
    if (failed(expectStage(getOperation(), KernelStage::Loops, getArgument())))
      return signalPassFailure();
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      if (!isKernel(kernel))
        continue;
      LoopNest nest(kernel);
      for (cin::ForallOp loop : nest.loops)
        if (acceptsDuplicates(kernel, nest, loop))
          loop.setAccumulates(true);
    }
  }
};

} // namespace
} // namespace strata
