// Arrays of numbers whose count is known before they are written.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_STORAGE_ARRAY_H
#define STRATA_RUNTIME_STORAGE_ARRAY_H

#include "strata/runtime/storage/Buffer.h"

#include <algorithm>
#include <span>

namespace strata::runtime {

/// A move-only array in memory of the process's allocator, of which a lack is an error.
template <typename T> class Array {
public:
  Array() : numbers(typeOf<T>()) {}
  /// Takes over a buffer of this type.
  explicit Array(Buffer buffer) : numbers(std::move(buffer)) {}

  /// Makes `count` elements, which are undefined.
  static Result<Array> make(int64_t count) {
    Result<Buffer> room = Buffer::allocate(typeOf<T>(), count);
    return room ? Result<Array>(Array(std::move(*room))) : room.takeStatus();
  }
  static Result<Array> filled(int64_t count, T value) {
    Result<Array> array = make(count);
    if (array)
      std::fill(array->begin(), array->end(), value);
    return array;
  }

  size_t size() const { return size_t(numbers.count()); }
  T *begin() { return static_cast<T *>(numbers.data()); }
  T *end() { return begin() + size(); }
  const T *begin() const { return static_cast<const T *>(numbers.data()); }
  const T *end() const { return begin() + size(); }
  T &operator[](size_t at) { return begin()[at]; }
  const T &operator[](size_t at) const { return begin()[at]; }

private:
  Buffer numbers;
};

} // namespace strata::runtime
#endif // STRATA_RUNTIME_STORAGE_ARRAY_H
