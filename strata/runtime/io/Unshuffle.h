// The byte shuffle that HDF5 and Blosc apply before they compress.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_UNSHUFFLE_H
#define STRATA_RUNTIME_IO_UNSHUFFLE_H

#include <cstdint>

namespace strata::runtime {

/// Puts the bytes of the first `count` elements, of `width` bytes each, together again. In `from`
/// the first bytes of all elements come first, then their second ones, and so on: `stride` bytes
/// each.
inline void unshuffle(const char *from, int64_t stride, int64_t width, int64_t count, char *to) {
  for (int64_t byte = 0; byte < width; ++byte, from += stride)
    for (int64_t element = 0; element < count; ++element)
      to[element * width + byte] = from[element];
}

} // namespace strata::runtime

#endif // STRATA_RUNTIME_IO_UNSHUFFLE_H
