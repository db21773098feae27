// Decides whether the long rows of dense tensors are taken block by block.
#ifndef STRATA_ESTIMATE_ROWBLOCKS_H
#define STRATA_ESTIMATE_ROWBLOCKS_H

#include "strata/estimate/Work.h"

#include <string>

namespace strata {

/// Tells whether a sum into all rows of a dense result, such as a dense matrix times a sparse one,
/// has rows of several blocks, and enough to do: blocks of rows are parts for threads, and what
/// entries of the sparse operand come to again stays in caches. It depends on data alone.
bool wantsRowBlocks(ta::ComputeOp op, llvm::function_ref<Occupancy(mlir::Value)> occupancyOf,
                    llvm::function_ref<int64_t(mlir::Value)> extentOf);
/// Says why it is done.
std::string reasonForRowBlocks(ta::ComputeOp op);

} // namespace strata

#endif // STRATA_ESTIMATE_ROWBLOCKS_H
