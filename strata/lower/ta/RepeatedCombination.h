// What a reduction makes of one constant that comes many times.
#ifndef STRATA_LOWER_TA_REPEATEDCOMBINATION_H
#define STRATA_LOWER_TA_REPEATEDCOMBINATION_H

#include "strata/dialect/ta/Algebra.h"

namespace strata {

/// Tells whether `combineRepeated` can combine the constant, and whether it changes anything.
bool canRepeat(ta::Combine combine, mlir::TypedAttr constant);

/// Emits, inside a statement, `value` combined with the constant once for each of the places that
/// are not counted, of which there is one at least. `count` is an i64; `placesOf` emits how many
/// places there are, as an f64 (rounded) or an i64 (modulo 2^64).
mlir::Value combineRepeated(mlir::OpBuilder &b, mlir::Location loc, ta::Combine combine,
                            mlir::Value value, mlir::TypedAttr constant, mlir::Value count,
                            llvm::function_ref<mlir::Value(mlir::Type)> placesOf);

} // namespace strata

#endif // STRATA_LOWER_TA_REPEATEDCOMBINATION_H
