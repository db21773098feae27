// Checks, when sizes are known and before a statement runs, that its accesses stay inside their
// tensors, and that its sizes agree with its schedule.
#ifndef STRATA_ESTIMATE_BOUNDS_H
#define STRATA_ESTIMATE_BOUNDS_H

#include "strata/dialect/ta/Ta.h"
#include "strata/runtime/Status.h"

#include <vector>

namespace strata {

struct BoundsReport {
  /// Some access reaches a part of its dimension only, by an index variable with a smaller extent.
  bool windowed = false;
};

/// Fails where an access, or the left side, reaches a coordinate outside its tensor.
runtime::Result<BoundsReport>
checkBounds(ta::ComputeOp op, llvm::function_ref<std::vector<int64_t>(mlir::Value)> sizesOf,
            const std::vector<int64_t> &resultSizes,
            llvm::function_ref<int64_t(mlir::Value)> extentOf);

/// Fails, with an error at the command, where a label has not as many values as the statement's
/// schedule says.
mlir::LogicalResult checkAssumed(ta::ComputeOp op,
                                 llvm::function_ref<int64_t(mlir::Value)> extentOf);

} // namespace strata

#endif // STRATA_ESTIMATE_BOUNDS_H
