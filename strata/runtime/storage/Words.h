// Buffers of positions and coordinates, whatever their width.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_STORAGE_WORDS_H
#define STRATA_RUNTIME_STORAGE_WORDS_H

#include "strata/runtime/abi.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace strata::runtime {

/// Calls `body` with a buffer of integers that are not negative, as a span of unsigned ones.
template <typename Body> void withWords(const strata_buffer &buffer, Body body) {
  auto call = [&](auto *words) { body(std::span(words, static_cast<size_t>(buffer.count))); };
  switch (strata_type_bytes(buffer.type)) {
  case 1:
    return call(static_cast<uint8_t *>(buffer.data));
  case 2:
    return call(static_cast<uint16_t *>(buffer.data));
  case 4:
    return call(static_cast<uint32_t *>(buffer.data));
  default:
    return call(static_cast<uint64_t *>(buffer.data));
  }
}

} // namespace strata::runtime
#endif // STRATA_RUNTIME_STORAGE_WORDS_H
