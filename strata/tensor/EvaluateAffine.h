// Affine expressions as numbers.
#ifndef STRATA_TENSOR_EVALUATEAFFINE_H
#define STRATA_TENSOR_EVALUATEAFFINE_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/AffineMap.h"

namespace strata {

/// The value of an expression without symbols.
int64_t evaluate(mlir::AffineExpr expr, llvm::ArrayRef<int64_t> dims);

/// The extent that `ta.fit` gives: the least of the map's results, and not below 0.
int64_t extentOf(mlir::AffineMap map, llvm::ArrayRef<int64_t> sizes);

} // namespace strata

#endif // STRATA_TENSOR_EVALUATEAFFINE_H
