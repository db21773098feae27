// Whether numbers are finite, and may be divisors.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_STORAGE_AREFINITE_H
#define STRATA_RUNTIME_STORAGE_AREFINITE_H

#include "strata/runtime/storage/ValueTypes.h"

namespace strata::runtime {

template <typename T> bool isFinite(T value) {
  if constexpr (isComplexNumber<T>) {
    return isFinite(value.real()) && isFinite(value.imag());
  } else if constexpr (isRealNumber<T>) {
    const SumOf<T> number = value;
    return number - number == 0; // in vectors, where std::isfinite is a call
  } else {
    return true;
  }
}

/// Tells whether none of `count` elements is infinite or NaN. Reads all of them, but for integers.
inline bool areFinite(strata_type type, const void *values, int64_t count) {
  return isIntegerType(type) || withValueType(type, [&]<typename T>(T *) {
           const T *elements = static_cast<const T *>(values);
           bool all = true;
           for (int64_t at = 0; at < count; ++at)
             all &= isFinite(elements[at]);
           return all;
         });
}

/// Tells whether none of `count` elements is zero, infinite or NaN. Reads all of them.
inline bool areDivisors(strata_type type, const void *values, int64_t count) {
  return areFinite(type, values, count) && withValueType(type, [&]<typename T>(T *) {
           const T *elements = static_cast<const T *>(values);
           bool all = true;
           for (int64_t at = 0; at < count; ++at)
             all &= SumOf<T>(elements[at]) != SumOf<T>();
           return all;
         });
}

inline bool areFinite(const strata_buffer &values) {
  return areFinite(strata_type(values.type), values.data, values.count);
}
inline bool areDivisors(const strata_buffer &values) {
  return areDivisors(strata_type(values.type), values.data, values.count);
}

} // namespace strata::runtime
#endif // STRATA_RUNTIME_STORAGE_AREFINITE_H
