// The process's allocator: small blocks by malloc, middle-sized ones mapped, large ones from a pool
// of pages.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // mremap
#endif
#include "strata/runtime/Allocator.h"

#include "strata/runtime/PagePool.h"
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

using strata::runtime::PagePool;

constexpr size_t alignment = 64;
/// Smaller blocks come from malloc, this and larger ones are mapped, those from `pooledFrom` on by
/// the pool. Decided by size alone, so that a block's origin is known from the size that its owner
/// remembers; but what is left of a pooled block need not move unless it is less than `cutFrom`.
constexpr size_t mappedFrom = size_t{256} << 10;
constexpr size_t pooledFrom = PagePool::unit;
constexpr size_t cutFrom = pooledFrom / 4;
constexpr size_t pageBytes = 4096;
/// Larger requests are refused before any rounding can overflow.
constexpr size_t largest = size_t{1} << 56;

size_t roundUp(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

/// Mapped blocks that were released last: the next ones of their sizes take them instead of paying
/// for page faults, as where one kernel is called again and again. The process never holds more
/// than a quarter above what it once had in use: where no spare block fits, those kept longest make
/// room.
class SpareBlocks {
public:
  /// A block of `mapped` bytes; or null, and there may be one more in use. The best one is that
  /// which was asked for in the same size, as by the kernel's last call: it has the pages that will
  /// be used, also where it grew, or its end was cut off.
  void *take(size_t mapped) {
    const std::lock_guard lock(mutex);
    auto difference = [&](const Spare &spare) {
      return spare.first > mapped ? spare.first - mapped : mapped - spare.first;
    };
    Spare *best = nullptr;
    for (Spare &spare : spares)
      if (spare.bytes != 0 && fits(spare, mapped) &&
          (!best || difference(spare) < difference(*best)))
        best = &spare;
    if (!best) {
      use(int64_t(mapped));
      return nullptr;
    }
    const Spare taken = *best;
    forget(*best);
    if (canServeWhole(taken, mapped) && remember({taken.block, mapped, taken.bytes - mapped})) {
      use(int64_t(taken.bytes));
      return taken.block;
    }
    use(int64_t(mapped));
    if (taken.bytes < mapped)
      return grown(taken, mapped);
    if (taken.bytes > mapped)
      munmap(static_cast<char *>(taken.block) + mapped, taken.bytes - mapped);
    return taken.block;
  }
  /// Keeps a block, and gives back those kept longest where they are too many.
  void keep(void *block, size_t mapped) {
    const std::lock_guard lock(mutex);
    const Life life = recall(block, mapped);
    const size_t held = mapped + life.tail;
    use(-int64_t(held));
    Spare *place = nullptr;
    while (total + held > most || !(place = unused()))
      drop(*oldest());
    *place = {block, held, life.first, ++time};
    total += held;
  }
  /// A block in use with another size, perhaps elsewhere; null if it cannot be had.
  void *resize(void *block, size_t before, size_t after) {
    const std::lock_guard lock(mutex);
    Life life = recall(block, before);
    const size_t held = before + life.tail;
    if (after >= before && after <= held) {
      life.tail = held - after;
      remember(life);
      return block;
    }
    use(int64_t(after) - int64_t(held));
    void *moved = remapped(block, held, after);
    if (moved) {
      remember({moved, life.first, 0});
    } else {
      use(int64_t(held) - int64_t(after));
      remember(life);
    }
    return moved;
  }
  /// There is no block of so many bytes after all.
  void giveUp(size_t mapped) {
    const std::lock_guard lock(mutex);
    use(-int64_t(mapped));
  }
  void giveBack() {
    const std::lock_guard lock(mutex);
    makeRoom(total);
  }

private:
  static constexpr size_t most = size_t{64} << 20; ///< bytes kept in all

  struct Spare {
    void *block = nullptr;
    size_t bytes = 0; ///< 0: none
    size_t first = 0; ///< as many were asked for when it was last taken
    uint64_t kept = 0;
  };
  /// A block in use that is not as it was when it was asked for, or longer than its owner knows.
  struct Life {
    void *block = nullptr;
    size_t first = 0; ///< the bytes that were asked for
    size_t tail = 0;  ///< bytes behind those that its owner knows: its growth
  };

  void use(int64_t bytes) {
    inUse += bytes;
    peak = std::max(peak, inUse);
    const int64_t excess = inUse + int64_t(total) - (peak + peak / 4);
    if (excess > 0)
      makeRoom(roundUp(size_t(excess), pageBytes));
  }
  /// Its owner will need what is too much as its predecessor did.
  bool canServeWhole(const Spare &spare, size_t mapped) const {
    return spare.first == mapped && spare.bytes > mapped && inUse + int64_t(spare.bytes) <= peak;
  }
  bool fits(const Spare &spare, size_t mapped) const {
    if (spare.bytes < mapped)
      return canGrow && spare.bytes >= mapped / 4;
    return spare.bytes - mapped <= mapped / 4 || canServeWhole(spare, mapped);
  }
  /// Of those that have no tail, some may be forgotten.
  bool remember(const Life &life) {
    for (size_t tried = 0; tried < std::size(lives); ++tried)
      if (Life &place = lives[nextLife++ % std::size(lives)]; place.tail == 0) {
        place = life;
        return true;
      }
    return false;
  }
  Life recall(void *block, size_t mapped) {
    Life *found = std::ranges::find(lives, block, &Life::block);
    return found == std::end(lives) ? Life{block, mapped, 0} : std::exchange(*found, {});
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
  static void *remapped(void *block, size_t before, size_t after) {
    void *moved = mremap(block, before, after, MREMAP_MAYMOVE);
    return moved == MAP_FAILED ? nullptr : moved;
  }
#else
  static constexpr bool canGrow = false;
  static void *remapped(void *block, size_t before, size_t after) {
    if (after > before)
      return nullptr;
    munmap(static_cast<char *>(block) + after, before - after);
    return block;
  }
#endif
  static void *grown(const Spare &spare, size_t mapped) {
    void *moved = remapped(spare.block, spare.bytes, mapped);
    if (!moved)
      munmap(spare.block, spare.bytes);
    return moved;
  }
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
  Life lives[128];
  size_t nextLife = 0;
  size_t total = 0;            ///< bytes kept
  int64_t inUse = 0, peak = 0; ///< bytes of mapped blocks
  uint64_t time = 0;
};

SpareBlocks spares;
PagePool pool;

/// The pooled blocks whose sizes do not show it.
class CutBlocks {
public:
  bool add(void *block) { return replace(nullptr, block); } ///< false if there is no place
  bool has(void *block) { return replace(block, block); }
  bool remove(void *block) { return replace(block, nullptr); }

private:
  bool replace(void *block, void *other) {
    const std::lock_guard lock(mutex);
    void **place = std::ranges::find(blocks, block);
    if (place == std::end(blocks))
      return false;
    *place = other;
    return true;
  }

  std::mutex mutex;
  void *blocks[256] = {};
};

CutBlocks cutBlocks;

enum class Origin { Malloc, Mapped, Pool };

Origin originOf(size_t bytes) {
  return bytes < mappedFrom ? Origin::Malloc : bytes < pooledFrom ? Origin::Mapped : Origin::Pool;
}

size_t pages(size_t bytes) { return roundUp(bytes, pageBytes); }

void *map(size_t mapped) {
  if (void *again = spares.take(mapped))
    return again;
  void *block = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block != MAP_FAILED)
    return block;
  spares.giveUp(mapped);
  return nullptr;
}

void *allocate(size_t bytes) {
  switch (originOf(bytes)) {
  case Origin::Malloc:
    return std::aligned_alloc(alignment, roundUp(bytes, alignment));
  case Origin::Mapped:
    return map(pages(bytes));
  case Origin::Pool:
    return pool.take(bytes);
  }
  return nullptr;
}

bool mayBeCut(size_t bytes) { return bytes >= cutFrom && bytes < pooledFrom; }

void release(void *block, size_t bytes) {
  if (mayBeCut(bytes) && cutBlocks.remove(block))
    return pool.keep(block, bytes);
  switch (originOf(bytes)) {
  case Origin::Malloc:
    return std::free(block);
  case Origin::Mapped:
    return spares.keep(block, pages(bytes));
  case Origin::Pool:
    return pool.keep(block, bytes);
  }
}

/// A block of another size whose contents are copied.
void *copied(void *block, size_t oldBytes, size_t newBytes) {
  void *moved = allocate(newBytes);
  if (!moved)
    return nullptr;
  std::memcpy(moved, block, std::min(oldBytes, newBytes));
  release(block, oldBytes);
  return moved;
}

/// Both sizes are those of mapped blocks.
void *remap(void *block, size_t oldBytes, size_t newBytes) {
  const size_t before = pages(oldBytes), after = pages(newBytes);
  if (before == after)
    return block;
  void *moved = spares.resize(block, before, after);
#ifndef MREMAP_MAYMOVE
  if (!moved)
    return copied(block, oldBytes, newBytes);
#endif
  return moved;
}

/// Of a block in units of the pool, the old one at least of `cutFrom` bytes.
void *resizePooled(void *block, size_t oldBytes, size_t newBytes) {
  const bool cut = oldBytes < pooledFrom, cuts = newBytes < pooledFrom;
  if (newBytes < cutFrom || (cuts && !cut && !cutBlocks.add(block)))
    return copied(block, oldBytes, newBytes);
  void *moved = pool.resize(block, oldBytes, newBytes);
  if (cut && !cuts && moved)
    cutBlocks.remove(block);
  return moved;
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
  const Origin origin = originOf(oldBytes);
  if (origin == Origin::Pool || (mayBeCut(oldBytes) && cutBlocks.has(block)))
    return resizePooled(block, oldBytes, newBytes);
  if (origin != originOf(newBytes))
    return copied(block, oldBytes, newBytes);
  if (origin == Origin::Mapped)
    return remap(block, oldBytes, newBytes);
  if (roundUp(oldBytes, alignment) == roundUp(newBytes, alignment))
    return block;
  return newBytes < oldBytes ? shrunk(block, newBytes) : copied(block, oldBytes, newBytes);
}

void *reallocateOnHeap(void *, void *block, size_t oldBytes, size_t newBytes) {
  if (newBytes > largest)
    return nullptr;
  if (oldBytes == 0)
    return newBytes == 0 ? nullptr : std::aligned_alloc(alignment, roundUp(newBytes, alignment));
  if (newBytes == 0) {
    std::free(block);
    return nullptr;
  }
  void *same = std::realloc(block, roundUp(newBytes, alignment));
  if (!same || reinterpret_cast<uintptr_t>(same) % alignment == 0)
    return same;
  void *moved = std::aligned_alloc(alignment, roundUp(newBytes, alignment));
  if (!moved)
    return same;
  std::memcpy(moved, same, std::min(oldBytes, newBytes));
  std::free(same);
  return moved;
}

thread_local strata_allocator ofThread = {nullptr, reallocate};

} // namespace

strata_allocator strata_default_allocator(void) { return ofThread; }

strata_allocator strata::runtime::heapAllocator() { return {nullptr, reallocateOnHeap}; }

strata::runtime::AllocatorScope::AllocatorScope(strata_allocator allocator)
    : before(std::exchange(ofThread, allocator)) {}

strata::runtime::AllocatorScope::~AllocatorScope() { ofThread = before; }

void strata::runtime::releaseSpareMemory() {
  spares.giveBack();
  pool.giveBack();
}
