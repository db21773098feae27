// From lists of coordinates to storages in any format.
//
// Packing works in level space (StoredFormat.h): each entry's coordinates become those of the
// format's levels, the list is sorted by them, and a kernel of `B[l0, l1, ...] = A[l0, l1, ...]`
// copies it. Slots are numbered before, on the sorted list; in level space they are a dimension.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_HOST_PACK_H
#define STRATA_HOST_PACK_H

#include "strata/host/Kernel.h"
#include "strata/host/StoredFormat.h"
#include "strata/runtime/storage/Coordinates.h"

namespace strata::host {

/// What packing asks of who has the kernels.
class Packer {
public:
  virtual ~Packer();

  /// Columns, from the most to the least significant, by which a list of levels is to be sorted
  /// that is not sorted by them in their order. That order, unless overridden.
  virtual std::vector<int> order(const runtime::Coordinates &levels);
  /// Refuses a list that the format cannot hold. Nothing, unless overridden.
  virtual runtime::Status check(const runtime::Coordinates &levels, std::span<const int64_t> slots);
  /// A copy of the list into level space, and whether the values stay as they lie in the list: the
  /// kernel then makes the other buffers alone.
  struct Copy {
    Kernel kernel;
    bool keepsValues = false;
  };
  /// The list is sorted by `order`. It may get another width of coordinates here.
  virtual runtime::Result<Copy> copy(runtime::Coordinates &levels, std::span<const int> order,
                                     std::span<const int64_t> extents) = 0;
};

/// Packs entries, whose values get the format's type; duplicates are summed. Uses `list` up.
/// `silentZero`: what the list does not hold is zero, where it otherwise is the format's fill.
runtime::Result<runtime::Storage> pack(runtime::Coordinates list, const StoredFormat &format,
                                       bool silentZero, Packer &packer);

/// A tensor in a full format, with uninitialized values.
runtime::Result<runtime::Storage>
allPlaces(const StoredFormat &format, std::vector<int64_t> sizes,
          strata_allocator allocator = strata_default_allocator());

/// A tensor in a full format with one value everywhere.
runtime::Result<runtime::Storage> filled(const StoredFormat &format, std::vector<int64_t> sizes,
                                         std::span<const char> element);

/// A copy with buffers of its own.
runtime::Result<runtime::Storage> cloned(const runtime::Storage &storage,
                                         strata_allocator allocator = strata_default_allocator());

} // namespace strata::host

#endif // STRATA_HOST_PACK_H
