// An array that grows with the data that arrives, whatever somebody promised about its size.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_STORAGE_GROWINGBUFFER_H
#define STRATA_RUNTIME_STORAGE_GROWINGBUFFER_H

#include "strata/runtime/storage/Buffer.h"

#include <algorithm>

namespace strata::runtime {

/// Elements are appended one by one, or many at once; a lack of memory is noticed once, by take().
template <typename T> class GrowingBuffer {
public:
  /// `expected` elements at most are allocated ahead of need.
  explicit GrowingBuffer(int64_t expected = INT64_MAX) : expected(expected), buffer(typeOf<T>()) {}

  void push(T value) {
    if (used == buffer.count() && !grow())
      return;
    static_cast<T *>(buffer.data())[used++] = value;
  }
  /// Room for `more` elements behind the others, uninitialized; null if there is no memory.
  T *append(int64_t more) {
    while (failure.ok() && used + more > buffer.count())
      grow(used + more);
    if (!failure.ok())
      return nullptr;
    used += more;
    return static_cast<T *>(buffer.data()) + used - more;
  }
  /// Replaces each of the `last` ones.
  template <typename Map> void transform(int64_t last, Map map) {
    T *end = static_cast<T *>(buffer.data()) + used;
    std::transform(end - last, end, end - last, map);
  }
  /// Takes the last ones away.
  void drop(int64_t last) { used -= last; }
  int64_t count() const { return used; }
  T operator[](int64_t at) const { return static_cast<const T *>(buffer.data())[at]; }

  /// The elements, with no more memory than they need.
  Result<Buffer> take() {
    if (!failure.ok())
      return std::move(failure);
    if (Status trimmed = buffer.resize(used); !trimmed.ok())
      return trimmed;
    return std::move(buffer);
  }

private:
  bool grow(int64_t least = 0) {
    if (!failure.ok())
      return false;
    const int64_t wanted = std::max({int64_t{1024}, 2 * used, least});
    failure = buffer.resize(expected > std::max(used, least) ? std::min(wanted, expected) : wanted);
    return failure.ok();
  }

  int64_t expected, used = 0;
  Buffer buffer;
  Status failure;
};

} // namespace strata::runtime
#endif // STRATA_RUNTIME_STORAGE_GROWINGBUFFER_H
