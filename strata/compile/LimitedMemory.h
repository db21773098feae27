// A limit to the memory that a kernel takes.
#ifndef STRATA_COMPILE_LIMITEDMEMORY_H
#define STRATA_COMPILE_LIMITEDMEMORY_H

#include "strata/runtime/abi.h"

#include <atomic>
#include <cstdint>

namespace strata {

/// Another allocator, which refuses to hand out more than `limit` bytes at a time.
class LimitedMemory {
public:
  LimitedMemory(int64_t limit, strata_allocator memory) : limit(limit), memory(memory) {}
  strata_allocator allocator() { return {this, &LimitedMemory::reallocate}; }
  bool refused() const { return hasRefused; }

private:
  static void *reallocate(void *state, void *block, size_t oldBytes, size_t newBytes);

  int64_t limit;
  strata_allocator memory;
  std::atomic<int64_t> used = 0;
  std::atomic<bool> hasRefused = false;
};

} // namespace strata

#endif // STRATA_COMPILE_LIMITEDMEMORY_H
