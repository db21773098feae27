// The entry points of abi.h: memory of kernels, results, errors.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/abi.h"

#include <cstring>

namespace {

/// Stands for every block of no elements, so that null means failure and nothing else.
alignas(64) char emptyBlock[64];

/// The bytes of `count` elements; false if they are not representable or an argument is negative.
bool bytesOf(int64_t count, int64_t elementBytes, size_t &bytes) {
  int64_t product;
  if (count < 0 || elementBytes <= 0 || __builtin_mul_overflow(count, elementBytes, &product))
    return false;
  bytes = static_cast<size_t>(product);
  return true;
}

void countBytes(strata_context *context, int64_t change) {
  const int64_t now = __atomic_add_fetch(&context->bytes_now, change, __ATOMIC_RELAXED);
  int64_t peak = __atomic_load_n(&context->bytes_peak, __ATOMIC_RELAXED);
  while (now > peak && !__atomic_compare_exchange_n(&context->bytes_peak, &peak, now, true,
                                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}

const char *describe(int32_t status) {
  switch (static_cast<strata_status>(status)) {
  case STRATA_OK:
    return "";
  case STRATA_OUT_OF_MEMORY:
    return "out of memory";
  case STRATA_OVERFLOW:
    return "a position or size does not fit the width of its buffer";
  case STRATA_INTERRUPTED:
    return "interrupted";
  case STRATA_DIVISION_BY_ZERO:
    return "integer division by zero";
  case STRATA_NO_PLACE:
    return "a level of the format cannot hold a coordinate that is to be stored there";
  case STRATA_NOT_ASSEMBLED:
    return "the result has no pattern: it must be assembled before its values are computed";
  case STRATA_NOT_IN_PATTERN:
    return "the result's pattern lacks an entry that is computed: it was assembled for operands "
           "with other patterns";
  case STRATA_BAD_ARGUMENT:
    return "an argument contradicts what the kernel was compiled for";
  }
  return "unknown failure";
}

} // namespace

int64_t strata_type_bytes(int32_t type) {
  switch (type) {
  case STRATA_I8:
  case STRATA_U8:
  case STRATA_BOOL:
    return 1;
  case STRATA_I16:
  case STRATA_U16:
  case STRATA_F16:
  case STRATA_BF16:
    return 2;
  case STRATA_I32:
  case STRATA_U32:
  case STRATA_F32:
    return 4;
  case STRATA_I64:
  case STRATA_U64:
  case STRATA_F64:
  case STRATA_C64:
    return 8;
  case STRATA_C128:
    return 16;
  }
  return 0;
}

void strata_context_initialize(strata_context *context) {
  std::memset(context, 0, sizeof *context);
  context->allocator = strata_default_allocator();
}

void *strata_grow(strata_context *context, void *block, int64_t old_count, int64_t new_count,
                  int64_t element_bytes) {
  size_t oldBytes, newBytes;
  if (!bytesOf(old_count, element_bytes, oldBytes) ||
      !bytesOf(new_count, element_bytes, newBytes)) {
    strata_fail(context, STRATA_OVERFLOW);
    return nullptr;
  }
  // A null result means failure, so that an empty block is this one, which nobody touches.
  if (newBytes == 0) {
    strata_release(context, block, old_count, element_bytes);
    return emptyBlock;
  }
  void *grown = context->allocator.reallocate(context->allocator.state, block, oldBytes, newBytes);
  if (!grown) {
    strata_fail(context, STRATA_OUT_OF_MEMORY);
    return nullptr;
  }
  countBytes(context, static_cast<int64_t>(newBytes) - static_cast<int64_t>(oldBytes));
  return grown;
}

void strata_release(strata_context *context, void *block, int64_t count, int64_t element_bytes) {
  size_t bytes;
  if (!bytesOf(count, element_bytes, bytes) || bytes == 0)
    return;
  context->allocator.reallocate(context->allocator.state, block, bytes, 0);
  countBytes(context, -static_cast<int64_t>(bytes));
}

void strata_publish(strata_context *context, strata_storage *storage, int64_t index, void *block,
                    int64_t count, int64_t capacity, int64_t element_bytes) {
  size_t used, held;
  const bool fits = bytesOf(count, element_bytes, used) && bytesOf(capacity, element_bytes, held) &&
                    count <= capacity && index >= 0 && index < storage->buffer_count &&
                    strata_type_bytes(storage->buffers[index].type) == element_bytes;
  if (!fits) {
    strata_release(context, block, capacity, element_bytes);
    strata_fail(context, STRATA_BAD_ARGUMENT);
    return;
  }
  strata_allocator &allocator = context->allocator;
  void *trimmed = block;
  if (held == 0)
    trimmed = nullptr;
  else if (used < held)
    trimmed = allocator.reallocate(allocator.state, block, held, used);
  int64_t kept = count;
  if (used != 0 && !trimmed) { // an allocator that cannot shrink: the whole block is handed over
    trimmed = block;
    kept = capacity;
  }
  countBytes(context, -static_cast<int64_t>(held));
  strata_buffer &buffer = storage->buffers[index];
  if (buffer.owned && buffer.capacity > 0)
    allocator.reallocate(allocator.state, buffer.data,
                         static_cast<size_t>(buffer.capacity * element_bytes), 0);
  buffer.data = trimmed;
  buffer.count = count;
  buffer.capacity = kept;
  buffer.owned = 1;
}

void strata_fail(strata_context *context, int32_t status) {
  int32_t expected = STRATA_OK;
  if (status == STRATA_OK ||
      !__atomic_compare_exchange_n(&context->status, &expected, status, false, __ATOMIC_ACQ_REL,
                                   __ATOMIC_ACQUIRE))
    return;
  std::strncpy(context->message, describe(status), sizeof context->message - 1);
  context->message[sizeof context->message - 1] = 0;
}
