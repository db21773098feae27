// Turns some functions of the math dialect into calls.
#include "strata/lower/entry/CallMathLibrary.h"

#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

namespace strata {
namespace {

struct CallMathLibrary : PassWrapper<CallMathLibrary, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CallMathLibrary)

  StringRef getArgument() const override { return "call-math-library"; }
  StringRef getDescription() const override {
    return "call the C library for functions without an exact expansion";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, func::FuncDialect, vector::VectorDialect>();
  }

  void runOnOperation() override {
    ConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    target.addIllegalOp<math::AsinhOp, math::AcoshOp, math::AtanhOp, math::CbrtOp, math::ErfOp,
                        math::ErfcOp, math::ExpM1Op, math::Log1pOp>();
    RewritePatternSet patterns(&getContext());
    populateMathToLibmConversionPatterns(patterns);
    if (failed(applyPartialConversion(getOperation(), target, std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

std::unique_ptr<Pass> createCallMathLibrary() { return std::make_unique<CallMathLibrary>(); }

} // namespace strata
