// Room around a block of memory for the rows of neighbours, so that a piece of a tensor is read
// together with these where it lies.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_STORAGE_HALO_H
#define STRATA_RUNTIME_STORAGE_HALO_H

#include "strata/runtime/storage/Storage.h"

#include <algorithm>
#include <memory>
#include <mutex>

namespace strata::runtime {

/// Bytes before and behind a block.
struct Halo {
  int64_t before = 0, after = 0;

  bool covers(Halo other) const { return before >= other.before && after >= other.after; }
  static Halo largerOf(Halo one, Halo other) {
    return {std::max(one.before, other.before), std::max(one.after, other.after)};
  }
};

/// Allocates blocks, of which those of one size have a halo. What readers of a block would have
/// needed is asked of the maker that its allocator names, and whoever makes the next block takes
/// that from nextMaker(). Makers are never released, since a storage that outlives all else may
/// still name one.
class HaloMaker {
public:
  /// A maker whose blocks of `bytes` bytes have a halo, in memory of the process's allocator.
  static HaloMaker *make(int64_t bytes, Halo halo = {});
  /// The maker that an allocator names; null of any other allocator.
  static HaloMaker *of(strata_allocator allocator);
  /// Returns how many bytes of memory an allocator takes around a block of so many.
  static int64_t bytesAround(strata_allocator allocator, int64_t blockBytes);

  strata_allocator allocator() { return {this, &HaloMaker::reallocate}; }
  int64_t blockBytes() const { return bytes; }
  /// Says what the halo of a block should have been.
  void ask(Halo halo);
  /// A maker of blocks with everything that was asked for: this one if it has that.
  HaloMaker *nextMaker();
  /// Lends the halo of a block to a reader, who writes there until it releases what it gets, and
  /// releases that before the block; null if the halo is smaller, or lent already.
  std::shared_ptr<void> lend(void *block, Halo halo);

private:
  HaloMaker(int64_t bytes, Halo halo);
  static void *reallocate(void *state, void *block, size_t oldBytes, size_t newBytes);
  bool surrounds(size_t blockBytes) const;
  int64_t bytesAround() const;
  void *take();
  void release(void *block);
  char *beginOf(void *block) const;

  const int64_t bytes;
  const Halo halo;
  const strata_allocator memory;
  std::mutex asking;
  Halo asked;
};

/// Returns the bytes of the halos around the buffers that a storage owns.
int64_t haloBytes(const Storage &storage);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_STORAGE_HALO_H
