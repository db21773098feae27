// Attributes that tell values of labels from data, and comparisons of labels from others.
#ifndef STRATA_DIALECT_TA_LABELVALUES_H
#define STRATA_DIALECT_TA_LABELVALUES_H

#include "llvm/ADT/StringRef.h"

namespace strata::ta {

/// A unit attribute of a `ta.compare` whose operands are computed from labels and numbers alone.
/// Its value is a constant of each place: what it makes of an element is as if the constant were
/// written there, so that `where(j < i, A[i, j], 0)` stores nothing where j is not below i.
constexpr llvm::StringLiteral ofLabelsAttribute = "strata.of_labels";

/// On an argument of a kernel: its element at coordinate c is first + step * c, as array<i64:
/// first, step> says. It comes from a `ta.iota`.
constexpr llvm::StringLiteral iotaAttribute = "strata.iota";

/// On a loop of lvl, a unit attribute: comparisons of labels leave it a part of its values.
constexpr llvm::StringLiteral boundedAttribute = "strata.bounded";

} // namespace strata::ta

#endif // STRATA_DIALECT_TA_LABELVALUES_H
