// Folding of operations on complex numbers, of which MLIR folds few.
#ifndef STRATA_DIALECT_TA_FOLDCOMPLEX_H
#define STRATA_DIALECT_TA_FOLDCOMPLEX_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace strata::ta {

/// The value of an operation of the complex dialect, whose operands are `operands`: numbers of
/// complex or real type. Null for operations that it does not know.
mlir::TypedAttr foldComplex(mlir::Operation *op, llvm::ArrayRef<mlir::TypedAttr> operands);

} // namespace strata::ta

#endif // STRATA_DIALECT_TA_FOLDCOMPLEX_H
