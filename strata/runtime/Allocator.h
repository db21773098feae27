// What the process's allocator (abi.h) keeps for later.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_ALLOCATOR_H
#define STRATA_RUNTIME_ALLOCATOR_H

#include "strata/runtime/abi.h"

namespace strata::runtime {

/// Blocks that the C library's free() releases, too: for results that become other people's.
strata_allocator heapAllocator();

/// Makes an allocator the default of this thread, for as long as it lives.
class AllocatorScope {
public:
  explicit AllocatorScope(strata_allocator allocator);
  AllocatorScope(const AllocatorScope &) = delete;
  ~AllocatorScope();

private:
  strata_allocator before;
};

/// Gives back what was released and is kept for the next blocks: a sixteenth of the machine's
/// memory and 1 GiB at most, and some smaller blocks.
void releaseSpareMemory();

} // namespace strata::runtime
#endif // STRATA_RUNTIME_ALLOCATOR_H
