// The entry points of abi.h: memory of kernels, results, errors; and the default allocator.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // mremap
#endif
#include "strata/runtime/abi.h"

#include <cstdlib>
#include <cstring>
#include <mutex>
#include <sys/mman.h>

namespace {

constexpr size_t alignment = 64;
/// Smaller blocks come from malloc, this and larger ones are mapped. Decided by size alone, so that
/// a block's origin is known from the size that its owner remembers.
constexpr size_t mappedFrom = size_t{1} << 20;
/// Mapped blocks of this size and more ask for huge pages: fewer faults, fewer TLB misses.
constexpr size_t hugeFrom = size_t{8} << 20;
constexpr size_t pageBytes = 4096;
/// Larger requests are refused before any rounding can overflow.
constexpr size_t largest = size_t{1} << 56;

/// Stands for every block of no elements, so that null means failure and nothing else.
alignas(alignment) char emptyBlock[alignment];

size_t roundUp(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

void adviseHugePages(void *block, size_t bytes) {
#ifdef MADV_HUGEPAGE
  if (bytes >= hugeFrom)
    (void)madvise(block, bytes, MADV_HUGEPAGE);
#endif
}

/// The last mapped block that was released, if it was of moderate size: calls of one kernel in a
/// row use it again instead of paying for page faults each time.
class SpareBlock {
public:
  static constexpr size_t largest = size_t{64} << 20;

  void *take(size_t mapped) {
    const std::lock_guard lock(mutex);
    if (mapped != bytes)
      return nullptr;
    bytes = 0;
    return block;
  }
  /// Keeps a block; gives back the one kept before.
  void keep(void *released, size_t mapped) {
    const std::lock_guard lock(mutex);
    if (bytes != 0)
      munmap(block, bytes);
    block = released;
    bytes = mapped;
  }

private:
  std::mutex mutex;
  void *block = nullptr;
  size_t bytes = 0;
};

SpareBlock spare;

void *allocate(size_t bytes) {
  if (bytes < mappedFrom)
    return std::aligned_alloc(alignment, roundUp(bytes, alignment));
  const size_t mapped = roundUp(bytes, pageBytes);
  if (void *again = spare.take(mapped))
    return again;
  void *block = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED)
    return nullptr;
  adviseHugePages(block, mapped);
  return block;
}

void release(void *block, size_t bytes) {
  if (bytes < mappedFrom)
    return std::free(block);
  const size_t mapped = roundUp(bytes, pageBytes);
  if (mapped <= SpareBlock::largest)
    spare.keep(block, mapped);
  else
    munmap(block, mapped);
}

/// Both sizes are those of mapped blocks.
void *remap(void *block, size_t oldBytes, size_t newBytes) {
  const size_t before = roundUp(oldBytes, pageBytes), after = roundUp(newBytes, pageBytes);
  if (before == after)
    return block;
#ifdef MREMAP_MAYMOVE
  void *moved = mremap(block, before, after, MREMAP_MAYMOVE);
  if (moved == MAP_FAILED)
    return nullptr;
  if (after > before)
    adviseHugePages(moved, after);
  return moved;
#else
  if (after < before) {
    munmap(static_cast<char *>(block) + after, before - after);
    return block;
  }
  void *moved = allocate(newBytes);
  if (!moved)
    return nullptr;
  std::memcpy(moved, block, oldBytes);
  release(block, oldBytes);
  return moved;
#endif
}

void *reallocate(void *, void *block, size_t oldBytes, size_t newBytes) {
  if (newBytes > largest)
    return nullptr;
  if (oldBytes == 0)
    return newBytes == 0 ? nullptr : allocate(newBytes);
  if (newBytes == 0) {
    release(block, oldBytes);
    return nullptr;
  }
  if (oldBytes >= mappedFrom && newBytes >= mappedFrom)
    return remap(block, oldBytes, newBytes);
  if (oldBytes < mappedFrom && newBytes < mappedFrom &&
      roundUp(oldBytes, alignment) == roundUp(newBytes, alignment))
    return block;
  void *moved = allocate(newBytes);
  if (!moved)
    return nullptr;
  std::memcpy(moved, block, oldBytes < newBytes ? oldBytes : newBytes);
  release(block, oldBytes);
  return moved;
}

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
  case STRATA_BAD_ARGUMENT:
    return "an argument contradicts what the kernel was compiled for";
  }
  return "unknown failure";
}

} // namespace

int64_t strata_type_bytes(int32_t type) {
  switch (type) {
  case STRATA_I8:
    return 1;
  case STRATA_I16:
    return 2;
  case STRATA_I32:
  case STRATA_F32:
    return 4;
  case STRATA_I64:
  case STRATA_F64:
    return 8;
  case STRATA_C128:
    return 16;
  }
  return 0;
}

strata_allocator strata_default_allocator(void) { return {nullptr, reallocate}; }

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
