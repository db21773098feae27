// What the process's allocator (abi.h) keeps for later.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_ALLOCATOR_H
#define STRATA_RUNTIME_ALLOCATOR_H

namespace strata::runtime {

/// Gives back the blocks that were released and kept for the next ones of their sizes: a sixteenth
/// of the machine's memory at most, and 1 GiB.
void releaseSpareMemory();

} // namespace strata::runtime
#endif // STRATA_RUNTIME_ALLOCATOR_H
