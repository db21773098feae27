// Reorderings of dimensions that belong to a format: coordinates are stored as ranks.
//
// A format that sorts a dimension (`i sorted(256)`) stores for it two buffers of words behind those
// of its levels: the coordinate of each rank, and the rank of each coordinate. Whatever fills or
// reads its levels deals in ranks.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_HOST_RANKS_H
#define STRATA_HOST_RANKS_H

#include "strata/host/StoredFormat.h"
#include "strata/runtime/storage/Coordinates.h"

namespace strata::host {

/// The order of one dimension.
struct Ranks {
  runtime::Buffer order; ///< the coordinate of each rank
  runtime::Buffer ranks; ///< the rank of each coordinate
};

/// The order of coordinates of which `counts` says how many entries each has, most first, equals as
/// they come, in windows of so many.
runtime::Result<Ranks> rankByCounts(runtime::Buffer counts, int64_t window);

/// Sorts the dimensions that the format sorts, by how many entries each coordinate has, most first,
/// equals as they come, and puts ranks in place of their coordinates. The list has no duplicates.
runtime::Result<std::vector<Ranks>> rankCoordinates(runtime::Coordinates &list,
                                                    const StoredFormat &format);

/// Hands the orders to the storage for whose format they were made.
runtime::Status storeRanks(std::vector<Ranks> ranks, runtime::Storage &storage);

/// Puts coordinates in place of the ranks in a list that was unpacked from the storage.
void restoreCoordinates(runtime::Coordinates &list, const runtime::Storage &storage,
                        const StoredFormat &format);

} // namespace strata::host

#endif // STRATA_HOST_RANKS_H
