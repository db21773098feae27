// Makes what branches carry of a loop's annotation their own, which alone reaches LLVM.
#include "strata/lower/Passes.h"
#include "strata/lower/utils/KernelStage.h"
#include "strata/lower/utils/LoopHints.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_ANNOTATELOOPS
#include "strata/lower/Passes.h.inc"

namespace {

struct AnnotateLoops : impl::AnnotateLoopsBase<AnnotateLoops> {
  void runOnOperation() override {
    if (failed(expectStage(getOperation(), KernelStage::Machine, getArgument())))
      return signalPassFailure();
    getOperation().walk([](Operation *op) {
      auto annotation = op->getAttrOfType<LLVM::LoopAnnotationAttr>(loopAnnotationName);
      if (!annotation)
        return;
      op->removeAttr(loopAnnotationName);
      if (auto branch = dyn_cast<LLVM::BrOp>(op))
        branch.setLoopAnnotationAttr(annotation);
      else if (auto choice = dyn_cast<LLVM::CondBrOp>(op))
        choice.setLoopAnnotationAttr(annotation);
    });
  }
};

} // namespace
} // namespace strata
