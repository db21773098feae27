// Which workspace a statement's result is gathered in: chosen by cost, when sizes are known.
#ifndef STRATA_ESTIMATE_WORKSPACE_H
#define STRATA_ESTIMATE_WORKSPACE_H

#include "strata/estimate/Work.h"

namespace strata {

/// What a dense workspace takes for the entries below one parent of a result that is gathered:
/// the coordinates of a row, and `valueBytes` for each of the places below them.
double workspaceBytes(ta::FormatAttr format, llvm::ArrayRef<int64_t> sizes, double valueBytes);

/// Tells whether the result is gathered, and its workspace is better a hash table than a place for
/// every coordinate: if rows are long, beyond the core's own cache, and few terms are
/// expected in each. Then memory and time grow with the terms, not with a size.
bool wantsHashedWorkspace(ta::ComputeOp op, llvm::ArrayRef<int64_t> sizes,
                          llvm::function_ref<Occupancy(mlir::Value)> occupancyOf);

} // namespace strata

#endif // STRATA_ESTIMATE_WORKSPACE_H
