// The process's allocator: small blocks by malloc, large ones mapped.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // mremap
#endif
#include "strata/runtime/Allocator.h"

#include "strata/runtime/abi.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <mutex>
#include <sys/mman.h>
#include <utility>

namespace {

constexpr size_t alignment = 64;
/// Smaller blocks come from malloc, this and larger ones are mapped. Decided by size alone, so that
/// a block's origin is known from the size that its owner remembers.
constexpr size_t mappedFrom = size_t{256} << 10;
/// Mapped blocks of this size and more ask for huge pages: fewer faults, fewer TLB misses.
constexpr size_t hugeFrom = size_t{4} << 20;
constexpr size_t pageBytes = 4096;
/// Larger requests are refused before any rounding can overflow.
constexpr size_t largest = size_t{1} << 56;

size_t roundUp(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

void adviseHugePages(void *block, size_t bytes) {
#ifdef MADV_HUGEPAGE
  if (bytes >= hugeFrom)
    (void)madvise(block, bytes, MADV_HUGEPAGE);
#endif
}

/// Mapped blocks that were released last: the next ones of their sizes take them instead of paying
/// for page faults, as where one kernel is called again and again. The process never holds more
/// than a quarter above what it once had in use: where no spare block fits, those kept longest make
/// room.
class SpareBlocks {
public:
  /// A block of `mapped` bytes; or null, and there may be one more in use. A result whose end was
  /// cut off is smaller than what its successor begins with: such a one grows, and the best is the
  /// one that had been as large, for its pages are those that will be used.
  void *take(size_t mapped) {
    const std::lock_guard lock(mutex);
    auto difference = [&](const Spare &spare) {
      return spare.uncut > mapped ? spare.uncut - mapped : mapped - spare.uncut;
    };
    auto fits = [&](const Spare &spare) {
      return spare.bytes >= mapped ? spare.bytes - mapped <= mapped / 4
                                   : canGrow && spare.bytes >= mapped / 4;
    };
    Spare *best = nullptr;
    for (Spare &spare : spares)
      if (spare.bytes != 0 && fits(spare) && (!best || difference(spare) < difference(*best)))
        best = &spare;
    const Spare taken = best ? *best : Spare();
    if (best)
      forget(*best);
    use(int64_t(mapped));
    if (!taken.block)
      return nullptr;
    if (taken.bytes < mapped)
      return grown(taken, mapped);
    if (taken.bytes > mapped)
      munmap(static_cast<char *>(taken.block) + mapped, taken.bytes - mapped);
    return taken.block;
  }
  /// Keeps a block, and gives back those kept longest where they are too many.
  void keep(void *block, size_t mapped) {
    const std::lock_guard lock(mutex);
    use(-int64_t(mapped));
    const size_t had = forgetCut(block), uncut = had != 0 ? had : mapped;
    if (mapped > most) {
      munmap(block, mapped);
      return;
    }
    Spare *place = nullptr;
    while (total + mapped > most || !(place = unused()))
      drop(*oldest());
    *place = {block, mapped, uncut, ++time};
    total += mapped;
  }
  /// A block in use is about to have that many bytes more, or less.
  void resize(int64_t bytes) {
    const std::lock_guard lock(mutex);
    use(bytes);
  }
  /// A block in use was resized, and perhaps moved.
  void resized(void *before, size_t bytesBefore, void *after, size_t bytesAfter) {
    const std::lock_guard lock(mutex);
    forgetCut(before);
    if (bytesAfter < bytesBefore)
      cuts[nextCut++ % std::size(cuts)] = {after, bytesBefore};
  }
  void giveBack() {
    const std::lock_guard lock(mutex);
    makeRoom(total);
  }

private:
  static constexpr size_t most = size_t{256} << 20; ///< bytes kept in all

  void use(int64_t bytes) {
    inUse += bytes;
    peak = std::max(peak, inUse);
    const int64_t excess = inUse + int64_t(total) - (peak + peak / 4);
    if (excess > 0)
      makeRoom(roundUp(size_t(excess), pageBytes));
  }
  struct Spare {
    void *block = nullptr;
    size_t bytes = 0; ///< 0: none
    size_t uncut = 0; ///< what it had before its end was cut off
    uint64_t kept = 0;
  };
  /// A block in use without its end.
  struct Cut {
    void *block = nullptr;
    size_t had = 0;
  };
  /// What a block had before its end was cut off; 0 if it was not, or that was long ago.
  size_t forgetCut(void *block) {
    Cut *found = std::ranges::find(cuts, block, &Cut::block);
    return found == std::end(cuts) ? 0 : std::exchange(*found, {}).had;
  }
  /// Gives back that many bytes of those kept longest; of the last one only its end.
  void makeRoom(size_t bytes) {
    while (bytes > 0 && total > 0) {
      Spare &spare = *oldest();
      if (spare.bytes <= bytes) {
        bytes -= spare.bytes;
        drop(spare);
        continue;
      }
      spare.bytes -= bytes;
      total -= bytes;
      munmap(static_cast<char *>(spare.block) + spare.bytes, bytes);
      return;
    }
  }
#ifdef MREMAP_MAYMOVE
  static constexpr bool canGrow = true;
  void *grown(const Spare &spare, size_t mapped) {
    void *moved = mremap(spare.block, spare.bytes, mapped, MREMAP_MAYMOVE);
    if (moved != MAP_FAILED) {
      adviseHugePages(moved, mapped);
      return moved;
    }
    munmap(spare.block, spare.bytes);
    return nullptr;
  }
#else
  static constexpr bool canGrow = false;
  void *grown(const Spare &, size_t) { return nullptr; }
#endif
  void forget(Spare &spare) {
    total -= spare.bytes;
    spare = {};
  }
  void drop(Spare &spare) {
    munmap(spare.block, spare.bytes);
    forget(spare);
  }
  Spare *unused() {
    Spare *found = std::ranges::find(spares, size_t{0}, &Spare::bytes);
    return found == std::end(spares) ? nullptr : found;
  }
  Spare *oldest() {
    Spare *found = nullptr;
    for (Spare &spare : spares)
      if (spare.bytes != 0 && (!found || spare.kept < found->kept))
        found = &spare;
    return found;
  }

  std::mutex mutex;
  Spare spares[128];
  Cut cuts[128]; ///< those that were cut last
  size_t nextCut = 0;
  size_t total = 0;            ///< bytes kept
  int64_t inUse = 0, peak = 0; ///< bytes of mapped blocks
  uint64_t time = 0;
};

SpareBlocks spares;

void *allocate(size_t bytes) {
  if (bytes < mappedFrom)
    return std::aligned_alloc(alignment, roundUp(bytes, alignment));
  const size_t mapped = roundUp(bytes, pageBytes);
  if (void *again = spares.take(mapped))
    return again;
  void *block = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED) {
    spares.resize(-int64_t(mapped));
    return nullptr;
  }
  adviseHugePages(block, mapped);
  return block;
}

void release(void *block, size_t bytes) {
  if (bytes < mappedFrom)
    return std::free(block);
  spares.keep(block, roundUp(bytes, pageBytes));
}

/// Both sizes are those of mapped blocks.
void *remap(void *block, size_t oldBytes, size_t newBytes) {
  const size_t before = roundUp(oldBytes, pageBytes), after = roundUp(newBytes, pageBytes);
  if (before == after)
    return block;
#ifdef MREMAP_MAYMOVE
  spares.resize(int64_t(after) - int64_t(before));
  void *moved = mremap(block, before, after, MREMAP_MAYMOVE);
  if (moved == MAP_FAILED)
    return nullptr;
  spares.resized(block, before, moved, after);
  if (after > before)
    adviseHugePages(moved, after);
  return moved;
#else
  if (after < before) {
    spares.resize(int64_t(after) - int64_t(before));
    munmap(static_cast<char *>(block) + after, before - after);
    spares.resized(block, before, block, after);
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

/// Cuts off the end of a small block: malloc does so in place. Where it moves the block after all,
/// alignment may be lost.
void *shrunk(void *block, size_t newBytes) {
  void *same = std::realloc(block, roundUp(newBytes, alignment));
  if (!same || reinterpret_cast<uintptr_t>(same) % alignment == 0)
    return same;
  void *moved = allocate(newBytes);
  if (!moved)
    return same;
  std::memcpy(moved, same, newBytes);
  std::free(same);
  return moved;
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
  if (newBytes < oldBytes && oldBytes < mappedFrom)
    return shrunk(block, newBytes);
  void *moved = allocate(newBytes);
  if (!moved)
    return nullptr;
  std::memcpy(moved, block, oldBytes < newBytes ? oldBytes : newBytes);
  release(block, oldBytes);
  return moved;
}

} // namespace

strata_allocator strata_default_allocator(void) { return {nullptr, reallocate}; }

void strata::runtime::releaseSpareMemory() { spares.giveBack(); }
