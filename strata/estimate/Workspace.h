// Which workspace a statement's result is gathered in: chosen by cost, when sizes are known.
#ifndef STRATA_ESTIMATE_WORKSPACE_H
#define STRATA_ESTIMATE_WORKSPACE_H

#include "strata/dialect/ta/Ta.h"
#include "strata/tensor/TensorValue.h"

namespace strata {

/// What a dense workspace takes for the entries below one parent of a result that is gathered:
/// the coordinates of a row, and `valueBytes` for each of the places below them.
double workspaceBytes(ta::FormatAttr format, llvm::ArrayRef<int64_t> sizes, double valueBytes);

/// Is the result gathered, and its workspace better a hash table than a place for every coordinate?
/// If rows are long, beyond what is near the processor, and few terms are expected in each: then
/// memory and time grow with the terms, not with a size.
bool wantsHashedWorkspace(ta::ComputeOp op, llvm::ArrayRef<int64_t> sizes,
                          llvm::function_ref<const TensorValue &(mlir::Value)> tensorOf);

} // namespace strata

#endif // STRATA_ESTIMATE_WORKSPACE_H
