// What a statement will need in memory, estimated before it runs, and a limit to it.
#ifndef STRATA_EXECUTION_MEMORY_H
#define STRATA_EXECUTION_MEMORY_H

#include "strata/execution/TensorValue.h"
#include "strata/runtime/abi.h"

#include <atomic>

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

/// "1.5 GiB".
std::string bytesInWords(double bytes);
/// 500000, 64K, 1.5G, 2 GiB: bytes as people write them, at least 1; nothing if it is no such size.
std::optional<int64_t> parseBytes(llvm::StringRef text);
/// "480", "3.2 million", "10^12", "2.5 x 10^14".
std::string countInWords(double count);

/// The default allocator, which refuses to hand out more than `limit` bytes at a time.
class LimitedMemory {
public:
  explicit LimitedMemory(int64_t limit) : limit(limit) {}
  strata_allocator allocator() { return {this, &LimitedMemory::reallocate}; }
  bool refused() const { return hasRefused; }

private:
  static void *reallocate(void *state, void *block, size_t oldBytes, size_t newBytes);

  int64_t limit;
  std::atomic<int64_t> used = 0;
  std::atomic<bool> hasRefused = false;
};

} // namespace strata

#endif // STRATA_EXECUTION_MEMORY_H
