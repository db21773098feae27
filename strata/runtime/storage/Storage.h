// The owner of a strata_storage: the sizes of a tensor and the buffers of its levels.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_STORAGE_STORAGE_H
#define STRATA_RUNTIME_STORAGE_STORAGE_H

#include "strata/runtime/storage/Buffer.h"

#include <span>
#include <vector>

namespace strata::runtime {

/// Owns the buffers that are marked as owned and refers to the others. Move-only.
class Storage {
public:
  Storage() = default;
  /// Empty buffers of these types: those of the levels from the root, then the values'.
  Storage(std::vector<int64_t> sizes, std::span<const strata_type> types,
          strata_allocator allocator = strata_default_allocator());
  Storage(Storage &&other) noexcept { swap(other); }
  Storage &operator=(Storage &&other) noexcept;
  Storage(const Storage &) = delete;
  ~Storage() { clear(); }

  /// What kernels take. Valid until this object is moved or destroyed.
  strata_storage *abi() { return &raw; }
  const strata_storage *abi() const { return &raw; }

  int64_t order() const { return static_cast<int64_t>(extents.size()); }
  const std::vector<int64_t> &sizes() const { return extents; }
  void setSizes(std::vector<int64_t> sizes);
  int64_t bufferCount() const { return static_cast<int64_t>(buffers.size()); }
  strata_buffer &buffer(int64_t index) { return buffers[static_cast<size_t>(index)]; }
  const strata_buffer &buffer(int64_t index) const { return buffers[static_cast<size_t>(index)]; }
  /// The buffer of values: the last one.
  strata_buffer &values() { return buffers.back(); }
  const strata_buffer &values() const { return buffers.back(); }
  strata_allocator allocator() const { return source; }
  /// Bytes of the owned buffers.
  int64_t bytes() const;

  /// Makes `count` uninitialized elements the content of a buffer.
  Status allocate(int64_t index, int64_t count);
  /// Refers to memory of the caller, who keeps it alive and unchanged; it is never released here.
  void adopt(int64_t index, void *data, int64_t count, strata_type type);
  /// Moves a buffer in (its type may differ from the former one). Its allocator is the storage's.
  Status put(int64_t index, Buffer buffer);
  /// Moves a buffer out; copies it if its memory belongs to somebody else.
  Result<Buffer> take(int64_t index);
  /// The same content, in buffers of its own.
  Result<Storage> copy() const;
  /// Releases the content of all buffers; sizes and types stay.
  void clear();

private:
  void swap(Storage &other);
  void release(strata_buffer &buffer);
  void link();

  std::vector<int64_t> extents;
  std::vector<strata_buffer> buffers;
  strata_allocator source = strata_default_allocator();
  strata_storage raw = {0, 0, nullptr, nullptr};
};

} // namespace strata::runtime
#endif // STRATA_RUNTIME_STORAGE_STORAGE_H
