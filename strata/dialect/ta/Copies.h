// What becomes of the zeros of a dense operand that a statement copies to a sparse result: marks on
// ta.compute.
#ifndef STRATA_DIALECT_TA_COPIES_H
#define STRATA_DIALECT_TA_COPIES_H

#include "mlir/IR/Operation.h"

namespace strata::ta {

/// The statement is a copy: a place that gets the result's fill is not stored.
inline constexpr llvm::StringLiteral dropsFillsMark = "strata.drops_fills";
/// It is a copy that stores every place, `A[i, j] = explicit(D[i, j])`.
inline constexpr llvm::StringLiteral keepsFillsMark = "strata.keeps_fills";

inline bool dropsFills(mlir::Operation *statement) { return statement->hasAttr(dropsFillsMark); }
inline bool keepsFills(mlir::Operation *statement) { return statement->hasAttr(keepsFillsMark); }

} // namespace strata::ta

#endif // STRATA_DIALECT_TA_COPIES_H
