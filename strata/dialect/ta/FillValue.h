// Fills as values: the constant that stands for each, how it is written, and what equals it.
#ifndef STRATA_DIALECT_TA_FILLVALUE_H
#define STRATA_DIALECT_TA_FILLVALUE_H

#include "strata/dialect/ta/Ta.h"

namespace strata::ta {

/// Returns the constant that stands for a value as a fill: zeros have no sign in it, and there is
/// one NaN. So two fills are the same if their constants are.
mlir::TypedAttr fillConstant(mlir::TypedAttr value);

/// Tells whether a constant is a real number that is NaN.
bool isNaN(mlir::TypedAttr value);

/// Returns a fill as formats write it: 2.5, nan, 1 + 2i.
std::string fillText(mlir::Attribute fill);

/// Emits whether an element is another value than the fill (runtime/storage/EqualsFill.h): a fill
/// that is NaN is equal to every NaN, and to nothing else.
mlir::Value emitDiffersFromFill(mlir::OpBuilder &b, mlir::Location loc, mlir::Value element,
                                mlir::TypedAttr fill);

/// Emits the same inside a statement, whose operations the reference interpreter and folding know.
mlir::Value emitComparedWithFill(mlir::OpBuilder &b, mlir::Location loc, mlir::Value element,
                                 mlir::TypedAttr fill);

} // namespace strata::ta

#endif // STRATA_DIALECT_TA_FILLVALUE_H
