// Counts what is handed out, in all threads.
#include "strata/compile/LimitedMemory.h"

#include "strata/runtime/storage/Halo.h"

using strata::runtime::HaloMaker;

namespace strata {

void *LimitedMemory::reallocate(void *state, void *block, size_t oldBytes, size_t newBytes) {
  auto &self = *static_cast<LimitedMemory *>(state);
  const strata_allocator &memory = self.memory;
  auto taken = [&](size_t bytes) {
    return int64_t(bytes) + HaloMaker::bytesAround(memory, int64_t(bytes));
  };
  const int64_t change = taken(newBytes) - taken(oldBytes);
  if (self.used.fetch_add(change) + change > self.limit && change > 0) {
    self.used -= change;
    self.hasRefused = true;
    return nullptr;
  }
  void *grown = memory.reallocate(memory.state, block, oldBytes, newBytes);
  if (!grown && newBytes != 0)
    self.used -= change;
  return grown;
}

} // namespace strata
