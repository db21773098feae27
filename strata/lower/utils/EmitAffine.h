// Affine expressions as arithmetic on index values.
#ifndef STRATA_LOWER_UTILS_EMITAFFINE_H
#define STRATA_LOWER_UTILS_EMITAFFINE_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Builders.h"

namespace strata {

/// Emits `expr` for these dims and symbols, which are not negative.
mlir::Value emitAffine(mlir::OpBuilder &b, mlir::Location loc, mlir::AffineExpr expr,
                       mlir::ValueRange dims, mlir::ValueRange symbols = {});

} // namespace strata

#endif // STRATA_LOWER_UTILS_EMITAFFINE_H
