// One typed array that owns its memory: what storages and coordinate lists are made of.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_STORAGE_BUFFER_H
#define STRATA_RUNTIME_STORAGE_BUFFER_H

#include "strata/runtime/Status.h"
#include "strata/runtime/abi.h"
#include "strata/runtime/storage/ValueTypes.h"

namespace strata::runtime {

/// `f64`, `i32`, …: the name of an element type in messages.
const char *typeName(strata_type type);

/// A move-only array from an allocator. New elements are not initialized.
class Buffer {
public:
  Buffer() = default;
  /// Without elements.
  explicit Buffer(strata_type type) { raw.type = type; }
  Buffer(Buffer &&other) noexcept;
  Buffer &operator=(Buffer &&other) noexcept;
  Buffer(const Buffer &) = delete;
  ~Buffer() { reset(); }

  /// `count` elements; fails if there is no memory.
  static Result<Buffer> allocate(strata_type type, int64_t count,
                                 strata_allocator allocator = strata_default_allocator());
  /// Takes over an owned buffer that `allocator` made.
  static Result<Buffer> take(strata_buffer owned, strata_allocator allocator);
  /// A new buffer with the same elements.
  Result<Buffer> clone() const;
  /// Gives up the ownership: the receiver releases it with allocator().
  strata_buffer giveUp();

  strata_type type() const { return static_cast<strata_type>(raw.type); }
  int64_t count() const { return raw.count; }
  int64_t capacity() const { return raw.capacity; }
  strata_allocator allocator() const { return source; }
  void *data() { return raw.data; }
  const void *data() const { return raw.data; }
  /// The elements; null unless T is the type that type() names.
  template <typename T> T *as() {
    return raw.type == typeOf<T>() ? static_cast<T *>(raw.data) : nullptr;
  }
  template <typename T> const T *as() const {
    return raw.type == typeOf<T>() ? static_cast<const T *>(raw.data) : nullptr;
  }

  /// Grows or shrinks to exactly `count` elements, which keeps the first ones and gives memory
  /// back. On failure nothing changes.
  Status resize(int64_t count);
  void reset();

private:
  strata_buffer raw = {nullptr, 0, 0, STRATA_F64, 1};
  strata_allocator source = strata_default_allocator();
};

} // namespace strata::runtime
#endif // STRATA_RUNTIME_STORAGE_BUFFER_H
