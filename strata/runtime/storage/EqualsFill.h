// When an element equals a fill, so that formats need not store it.
//
// One rule for all that is packed or unpacked: equality of numbers. A negative zero equals zero,
// and a NaN equals a fill that is NaN, whatever its bits.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_STORAGE_EQUALSFILL_H
#define STRATA_RUNTIME_STORAGE_EQUALSFILL_H

#include "strata/runtime/storage/ValueTypes.h"

#include <cstring>
#include <span>

namespace strata::runtime {

template <typename T> bool equalsFill(T value, T fill) {
  if constexpr (isComplexNumber<T>) {
    return equalsFill(value.real(), fill.real()) && equalsFill(value.imag(), fill.imag());
  } else if constexpr (isRealNumber<T>) {
    const SumOf<T> number = value, other = fill;
    return number == other || (number != number && other != other);
  } else {
    return value == fill;
  }
}

/// Calls `body` with the place of each of `count` elements that does not equal the fill, which is
/// given as the bytes of an element.
template <typename Body>
void forEachBesideFill(strata_type type, const void *values, int64_t count,
                       std::span<const char> fill, Body body) {
  withValueType(type, [&]<typename T>(T *) {
    T absent;
    std::memcpy(&absent, fill.data(), sizeof absent);
    const T *elements = static_cast<const T *>(values);
    for (int64_t at = 0; at < count; ++at)
      if (!equalsFill(elements[at], absent))
        body(at);
  });
}

} // namespace strata::runtime
#endif // STRATA_RUNTIME_STORAGE_EQUALSFILL_H
