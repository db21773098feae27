// How a tensor is stored, as data: what a program that runs without the compiler knows of a format
// and of the types of its buffers.
//
// The levels that store something (all but those computed from others) span a space of their own,
// level space: each entry has a coordinate in each, slots included once they are numbered. Kernels
// pack and unpack there; a storage is the same buffers in that space as in the tensor's.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_HOST_STOREDFORMAT_H
#define STRATA_HOST_STOREDFORMAT_H

#include "strata/host/Affine.h"
#include "strata/runtime/abi.h"

#include <string>
#include <vector>

namespace strata::host {

/// Which positions a level has below positions [begin, end) of the level above.
enum class Children {
  Other,   ///< any
  Places,  ///< as many of each as the level has coordinates, which are not stored
  Lists,   ///< from where the buffer of positions says; the other buffer has their coordinates
  OneEach, ///< the same; the buffer has their coordinates
};

/// A level that stores something.
struct StoredLevel {
  Affine coordinate;     ///< of the dimensions; empty of a slot
  int64_t numbered = -1; ///< of a slot: the stored level whose coordinates it numbers
  bool listed = false;   ///< stores coordinates, counted from 0; else places, from its first one
  int64_t buffers = 0;   ///< how many of the storage's buffers are its own; of a slot with its word
  Children children = Children::Other;

  bool isSlot() const { return coordinate.empty(); }
};

/// A tensor as one storage.
struct StoredFormat {
  std::string name; ///< for messages: "CSR"
  strata_type element = STRATA_F64;
  std::vector<char> fill; ///< the element that is not stored, byte by byte
  bool hasFill = false;   ///< is that anything but zero, and not everything stored?
  bool full = false;      ///< there is a place for everything
  /// Two buffers: where the entries of each place of the first level begin, and their coordinates.
  bool rows = false;
  bool repeats = false; ///< entries in no order, the same ones any number of times
  std::vector<StoredLevel> levels;
  std::vector<Affine> inverse;  ///< the dimensions, of the stored levels
  std::vector<int64_t> sorted;  ///< the dimensions whose ranks are stored instead of coordinates,
  std::vector<int64_t> windows; ///< and the window of each
  std::vector<strata_type> buffers; ///< of the levels, orders and ranks, and the values

  int64_t order() const { return int64_t(inverse.size()); }
  bool hasSlots() const;
  /// Is each level one of the dimensions, each dimension one of the levels?
  bool isPermutation() const;
  /// Does it keep every place in the order of whole dimensions, as an array does?
  bool isArray() const { return full && isPermutation(); }
  /// First coordinate and extent of each stored level. `slots`: how many of each there are, 1 where
  /// that is not known.
  std::vector<Extent> extents(std::span<const int64_t> sizes,
                              std::span<const int64_t> slots = {}) const;
  /// The sizes of a tensor in level space.
  std::vector<int64_t> levelSizes(std::span<const int64_t> sizes,
                                  std::span<const int64_t> slots = {}) const;
  /// The types of the buffers in level space.
  std::vector<strata_type> levelBuffers() const;
};

} // namespace strata::host

#endif // STRATA_HOST_STOREDFORMAT_H
