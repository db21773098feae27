// Copies of bytes, of which there may be none.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_COPYBYTES_H
#define STRATA_RUNTIME_COPYBYTES_H

#include <cstddef>
#include <cstring>

namespace strata::runtime {

/// Copies `count` bytes. Unlike memcpy, it takes null pointers where there are none: an array
/// without elements may have no memory.
inline void copyBytes(void *to, const void *from, size_t count) {
  if (count > 0)
    std::memcpy(to, from, count);
}

} // namespace strata::runtime
#endif // STRATA_RUNTIME_COPYBYTES_H
