// Ownership of the buffers of a storage.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/storage/Storage.h"
#include "strata/runtime/CopyBytes.h"
#include "strata/runtime/InternalError.h"

#include <cstring>

namespace strata::runtime {

Storage::Storage(std::vector<int64_t> sizes, std::span<const strata_type> types,
                 strata_allocator allocator)
    : extents(std::move(sizes)), source(allocator) {
  for (strata_type type : types)
    buffers.push_back({nullptr, 0, 0, type, 1});
  link();
}

Storage &Storage::operator=(Storage &&other) noexcept {
  if (this != &other) {
    clear();
    swap(other);
  }
  return *this;
}

void Storage::swap(Storage &other) {
  std::swap(extents, other.extents);
  std::swap(buffers, other.buffers);
  std::swap(source, other.source);
  link();
  other.link();
}

void Storage::link() {
  raw = {static_cast<int32_t>(extents.size()), static_cast<int32_t>(buffers.size()), extents.data(),
         buffers.data()};
}

void Storage::setSizes(std::vector<int64_t> sizes) {
  extents = std::move(sizes);
  link();
}

int64_t Storage::bytes() const {
  int64_t total = 0;
  for (const strata_buffer &buffer : buffers)
    if (buffer.owned)
      total += buffer.capacity * strata_type_bytes(buffer.type);
  return total;
}

void Storage::release(strata_buffer &buffer) {
  if (buffer.owned && buffer.capacity > 0)
    source.reallocate(source.state, buffer.data,
                      static_cast<size_t>(buffer.capacity * strata_type_bytes(buffer.type)), 0);
  buffer.data = nullptr;
  buffer.count = buffer.capacity = 0;
  buffer.owned = 1;
}

Status Storage::allocate(int64_t index, int64_t count) {
  Result<Buffer> fresh =
      Buffer::allocate(static_cast<strata_type>(buffer(index).type), count, source);
  if (!fresh)
    return fresh.takeStatus();
  return put(index, std::move(*fresh));
}

void Storage::adopt(int64_t index, void *data, int64_t count, strata_type type) {
  release(buffer(index));
  buffer(index) = {data, count, count, type, 0};
}

Status Storage::put(int64_t index, Buffer content) {
  if (content.allocator().reallocate != source.reallocate ||
      content.allocator().state != source.state)
    return internalError("a buffer of another allocator is put into a storage");
  release(buffer(index));
  buffer(index) = content.giveUp();
  return {};
}

static Result<Buffer> copyOf(const strata_buffer &content, strata_allocator allocator) {
  Result<Buffer> copy =
      Buffer::allocate(static_cast<strata_type>(content.type), content.count, allocator);
  if (copy && content.count > 0)
    copyBytes(copy->data(), content.data,
              static_cast<size_t>(content.count * strata_type_bytes(content.type)));
  return copy;
}

Result<Buffer> Storage::take(int64_t index) {
  strata_buffer &content = buffer(index);
  if (content.owned) {
    Result<Buffer> taken = Buffer::take(content, source);
    content.data = nullptr;
    content.count = content.capacity = 0;
    return taken;
  }
  return copyOf(content, source);
}

Result<Storage> Storage::copy() const {
  std::vector<strata_type> types;
  for (const strata_buffer &buffer : buffers)
    types.push_back(static_cast<strata_type>(buffer.type));
  Storage result(extents, types, source);
  for (int64_t index = 0; index < bufferCount(); ++index) {
    Result<Buffer> content = copyOf(buffer(index), source);
    if (!content)
      return content.takeStatus();
    if (Status put = result.put(index, std::move(*content)); !put.ok())
      return put;
  }
  return result;
}

void Storage::clear() {
  for (strata_buffer &buffer : buffers)
    release(buffer);
}

} // namespace strata::runtime
