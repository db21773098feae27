// Memory that has no blocks above a size.
#ifndef STRATA_TEST_UNIT_DIST_REFUSINGMEMORY_H
#define STRATA_TEST_UNIT_DIST_REFUSINGMEMORY_H

#include "strata/runtime/Allocator.h"

namespace strata::runtime::dist {

/// Outlives what it allocates.
struct RefusingMemory {
  size_t most;
  strata_allocator memory = strata_default_allocator();

  strata_allocator allocator() { return {this, &RefusingMemory::reallocate}; }
  static void *reallocate(void *state, void *block, size_t oldBytes, size_t newBytes) {
    const auto &self = *static_cast<RefusingMemory *>(state);
    if (newBytes > self.most && newBytes > oldBytes)
      return nullptr;
    return self.memory.reallocate(self.memory.state, block, oldBytes, newBytes);
  }
};

} // namespace strata::runtime::dist
#endif // STRATA_TEST_UNIT_DIST_REFUSINGMEMORY_H
