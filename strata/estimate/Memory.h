// The memory that a statement will need is estimated before it runs.
#ifndef STRATA_ESTIMATE_MEMORY_H
#define STRATA_ESTIMATE_MEMORY_H

#include "strata/tensor/TensorValue.h"

namespace strata {

/// How many elements tensors of these sizes have, stored or not.
double placesOf(llvm::ArrayRef<int64_t> sizes);

/// Bytes, estimated.
struct MemoryNeed {
  double result = 0;
  double workspace = 0; ///< what the kernel holds besides
  double total() const { return result + workspace; }
};

/// What computing a statement needs beside its operands. Of a sparse result, what is to be expected
/// if the entries of the operands were spread evenly over their places; `hashed`: rows that are
/// gathered lie in a hash table.
MemoryNeed estimateMemory(ta::ComputeOp op, mlir::RankedTensorType result,
                          llvm::ArrayRef<int64_t> sizes, bool hashed,
                          llvm::function_ref<const TensorValue &(mlir::Value)> tensorOf,
                          llvm::function_ref<int64_t(mlir::Value)> extentOf);

/// What bringing `entries` entries to a storage of `type` needs: their list, what sorting it takes,
/// and the storage.
MemoryNeed estimatePacking(mlir::RankedTensorType type, llvm::ArrayRef<int64_t> sizes,
                           int64_t entries, bool force);

} // namespace strata

#endif // STRATA_ESTIMATE_MEMORY_H
