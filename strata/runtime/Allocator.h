// What the process's allocator (abi.h) keeps for later.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_ALLOCATOR_H
#define STRATA_RUNTIME_ALLOCATOR_H

namespace strata::runtime {

/// Gives back what was released and is kept for the next blocks: a sixteenth of the machine's
/// memory and 1 GiB at most, and some smaller blocks.
void releaseSpareMemory();

} // namespace strata::runtime
#endif // STRATA_RUNTIME_ALLOCATOR_H
