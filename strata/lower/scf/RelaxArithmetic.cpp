// Which liberties LLVM may take with floating-point numbers: fused multiply-add, and sums in
// another order, but for kernels that are to be deterministic.
#include "strata/lower/Passes.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/utils/KernelStage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_RELAXARITHMETIC
#include "strata/lower/Passes.h.inc"

namespace {

struct RelaxArithmetic : impl::RelaxArithmeticBase<RelaxArithmetic> {
  void runOnOperation() override {
    if (failed(expectStage(getOperation(), KernelStage::Code, getArgument())))
      return signalPassFailure();
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      bool exact = assumes(kernel, Assumptions::Deterministic);
      kernel.walk([&](arith::ArithFastMathInterface op) {
        arith::FastMathFlagsAttr before = op.getFastMathFlagsAttr(); // not all operations have some
        if (!before)
          return;
        arith::FastMathFlags flags =
            exact ? arith::FastMathFlags::none : before.getValue() | arith::FastMathFlags::contract;
        op->setAttr(op.getFastMathAttrName(), arith::FastMathFlagsAttr::get(&getContext(), flags));
      });
    }
  }
};

} // namespace
} // namespace strata
