// Vectors of the process's allocator, whose elements begin undefined.
//
// Large ones get pages that were released before, and nobody writes to them what is written over at
// once.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_STORAGE_UNFILLED_H
#define STRATA_RUNTIME_STORAGE_UNFILLED_H

#include "strata/runtime/abi.h"

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace strata::runtime {

/// Leaves elements undefined that are made without a value.
template <typename T> struct UnfilledAllocator {
  static_assert(std::is_trivial_v<T>);
  using value_type = T;

  UnfilledAllocator() = default;
  template <typename U> explicit UnfilledAllocator(const UnfilledAllocator<U> &) {}
  T *allocate(size_t count) {
    const strata_allocator from = strata_default_allocator();
    if (void *block = from.reallocate(from.state, nullptr, 0, count * sizeof(T)))
      return static_cast<T *>(block);
    constexpr size_t tooMuch = PTRDIFF_MAX;
    return static_cast<T *>(::operator new(tooMuch)); // which fails as it does for other vectors
  }
  void deallocate(T *block, size_t count) {
    const strata_allocator from = strata_default_allocator();
    from.reallocate(from.state, block, count * sizeof(T), 0);
  }
  template <typename U> void construct(U *) {}
  template <typename U, typename... Args> void construct(U *at, Args &&...args) {
    ::new (static_cast<void *>(at)) U(std::forward<Args>(args)...);
  }
  bool operator==(const UnfilledAllocator &) const { return true; }
};

template <typename T> using Unfilled = std::vector<T, UnfilledAllocator<T>>;

} // namespace strata::runtime
#endif // STRATA_RUNTIME_STORAGE_UNFILLED_H
