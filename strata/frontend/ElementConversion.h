// Elements of one type as elements of another, in the operations of a statement.
#ifndef STRATA_FRONTEND_ELEMENTCONVERSION_H
#define STRATA_FRONTEND_ELEMENTCONVERSION_H

#include "strata/dialect/ta/Ta.h"
#include "strata/frontend/ElementTypes.h"

#include "mlir/IR/Builders.h"

namespace strata::frontend {

/// The type of such elements inside statements.
mlir::Type emitValueType(mlir::MLIRContext *context, ElementType type);

/// A constant of an element type. `integer` is exact where it is given.
mlir::TypedAttr elementConstant(mlir::MLIRContext *context, ElementType type, double value,
                                std::optional<int64_t> integer, double imaginary = 0);

/// A value of the type `from` as one of `to`. To booleans: whether it is not zero. To fewer bits
/// integers wrap around; real numbers are rounded, and cut towards zero where the result is an
/// integer, the nearest that there is; of complex numbers the real part remains.
mlir::Value convertElement(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value,
                           ElementType from, ElementType to);

} // namespace strata::frontend

#endif // STRATA_FRONTEND_ELEMENTCONVERSION_H
