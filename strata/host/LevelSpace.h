// From the coordinates of a tensor's dimensions to those of its format's stored levels, and back
// (StoredFormat.h).
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_HOST_LEVELSPACE_H
#define STRATA_HOST_LEVELSPACE_H

#include "strata/host/StoredFormat.h"
#include "strata/runtime/storage/Coordinates.h"

namespace strata::host {

/// From coordinates of dimensions to coordinates of levels, counted from the first of each level:
/// lists hold no negative ones. All entries are in the first slot until countSlots numbers them.
runtime::Result<runtime::Coordinates> toLevels(runtime::Coordinates list,
                                               const StoredFormat &format);

/// Numbers all slots of the format, from the root down, and gives the levels their sizes. `slots`
/// takes how many of each there are.
runtime::Status countSlots(runtime::Coordinates &levels, const StoredFormat &format,
                           std::span<const int64_t> sizes, std::vector<int64_t> &slots);

/// Returns the narrower type that holds the coordinates of levels as they are stored.
strata_type storedType(std::span<const Extent> extents);

/// From counting from a level's first coordinate to the coordinates themselves, where they are
/// stored. The list is sorted before, since they may be negative after it.
runtime::Status storedCoordinates(runtime::Coordinates &levels, const StoredFormat &format,
                                  std::span<const int64_t> sizes);

/// From coordinates of levels, as they are stored, to those of dimensions. What lies outside the
/// tensor (the rest of a block at its edge) is dropped.
runtime::Result<runtime::Coordinates> fromLevels(runtime::Coordinates levels,
                                                 const StoredFormat &format,
                                                 const std::vector<int64_t> &sizes);

/// How many slots the storage has, for each level that is a slot.
std::vector<int64_t> slotsOf(const runtime::Storage &storage, const StoredFormat &format);

/// A tensor's storage as one in the space of its levels, whose sizes are given. It shares the
/// tensor's buffers.
runtime::Storage inLevelSpace(const runtime::Storage &storage, const StoredFormat &format,
                              std::span<const int64_t> sizes);

/// Moves the buffers of a storage in the space of levels into `result`, a storage of the tensor.
runtime::Status fromLevelSpace(runtime::Storage &filled, const StoredFormat &format,
                               std::span<const int64_t> slots, runtime::Storage &result);

} // namespace strata::host

#endif // STRATA_HOST_LEVELSPACE_H
