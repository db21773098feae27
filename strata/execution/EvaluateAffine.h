// Affine expressions as numbers.
#ifndef STRATA_EXECUTION_EVALUATEAFFINE_H
#define STRATA_EXECUTION_EVALUATEAFFINE_H

#include "mlir/IR/AffineExpr.h"

namespace strata {

/// The value of an expression without symbols.
int64_t evaluate(mlir::AffineExpr expr, llvm::ArrayRef<int64_t> dims);

} // namespace strata

#endif // STRATA_EXECUTION_EVALUATEAFFINE_H
