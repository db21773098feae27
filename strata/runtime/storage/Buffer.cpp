// How a buffer obtains, resizes and releases its memory.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/storage/Buffer.h"

#include "strata/runtime/CopyBytes.h"
#include "strata/runtime/Counted.h"
#include "strata/runtime/InternalError.h"

#include <cstring>

namespace strata::runtime {

const char *typeName(strata_type type) {
  switch (type) {
  case STRATA_I8:
    return "i8";
  case STRATA_I16:
    return "i16";
  case STRATA_I32:
    return "i32";
  case STRATA_I64:
    return "i64";
  case STRATA_F32:
    return "f32";
  case STRATA_F64:
    return "f64";
  case STRATA_C128:
    return "c128";
  case STRATA_BOOL:
    return "bool";
  case STRATA_U8:
    return "u8";
  case STRATA_U16:
    return "u16";
  case STRATA_U32:
    return "u32";
  case STRATA_U64:
    return "u64";
  case STRATA_F16:
    return "f16";
  case STRATA_BF16:
    return "bf16";
  case STRATA_C64:
    return "c64";
  }
  return "unknown";
}

Buffer::Buffer(Buffer &&other) noexcept : raw(other.raw), source(other.source) {
  other.raw.data = nullptr;
  other.raw.count = other.raw.capacity = 0;
}

Buffer &Buffer::operator=(Buffer &&other) noexcept {
  if (this != &other) {
    reset();
    raw = other.raw;
    source = other.source;
    other.raw.data = nullptr;
    other.raw.count = other.raw.capacity = 0;
  }
  return *this;
}

Result<Buffer> Buffer::allocate(strata_type type, int64_t count, strata_allocator allocator) {
  Buffer result;
  result.raw.type = type;
  result.source = allocator;
  if (Status grown = result.resize(count); !grown.ok())
    return grown;
  return result;
}

Result<Buffer> Buffer::take(strata_buffer owned, strata_allocator allocator) {
  if (!owned.owned)
    return internalError("a buffer of somebody else is taken over");
  Buffer result;
  result.raw = owned;
  result.source = allocator;
  return result;
}

Result<Buffer> Buffer::clone() const {
  Result<Buffer> copy = allocate(type(), count(), source);
  if (copy && count() > 0)
    copyBytes(copy->data(), data(), static_cast<size_t>(count() * strata_type_bytes(raw.type)));
  return copy;
}

strata_buffer Buffer::giveUp() {
  strata_buffer result = raw;
  raw.data = nullptr;
  raw.count = raw.capacity = 0;
  return result;
}

Status Buffer::resize(int64_t count) {
  if (count < 0)
    return internalError("a buffer of " + counted(count, "element"));
  const int64_t width = strata_type_bytes(raw.type);
  int64_t bytes;
  if (__builtin_mul_overflow(count, width, &bytes))
    return Error{Error::MemoryLimit, "a buffer of " + counted(count, "element") + " is too large"};
  if (count != raw.capacity) {
    void *block =
        source.reallocate(source.state, raw.data, static_cast<size_t>(raw.capacity * width),
                          static_cast<size_t>(bytes));
    if (!block && bytes > 0)
      return outOfMemory("a buffer", bytes);
    raw.data = block;
    raw.capacity = count;
  }
  raw.count = count;
  return {};
}

void Buffer::reset() {
  if (raw.capacity > 0)
    source.reallocate(source.state, raw.data,
                      static_cast<size_t>(raw.capacity * strata_type_bytes(raw.type)), 0);
  raw.data = nullptr;
  raw.count = raw.capacity = 0;
}

} // namespace strata::runtime
