// Statements that give each place of their result a value.
#ifndef STRATA_LOWER_ANALYSIS_WHOLERESULT_H
#define STRATA_LOWER_ANALYSIS_WHOLERESULT_H

#include "strata/dialect/ta/Ta.h"

namespace strata {

/// Tells whether the labels are known to go through all coordinates of the result.
bool reachesWholeResult(ta::ComputeOp op);
/// Tells whether they go through all coordinates of a tensor that has the result's dimensions.
bool reachesAllOf(ta::ComputeOp op, mlir::Value whole);

/// Keeps on a statement that they do, where that can no longer be seen: a kernel takes the sizes of
/// labels, and those of storages, as arguments.
void markWholeResult(ta::ComputeOp op);
inline constexpr llvm::StringLiteral wholeResultAttribute = "strata.whole";

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_WHOLERESULT_H
