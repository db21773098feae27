// Reorderings of dimensions that belong to a format: coordinates are stored as ranks.
//
// A format that sorts a dimension (`i sorted(256)`) stores for it two buffers of words behind those
// of its levels: the coordinate of each rank, and the rank of each coordinate. Whatever fills or
// reads its levels deals in ranks.
#ifndef STRATA_EXECUTION_RANKS_H
#define STRATA_EXECUTION_RANKS_H

#include "strata/execution/TensorValue.h"
#include "strata/runtime/storage/Coordinates.h"

namespace strata {

/// The order of one dimension.
struct Ranks {
  runtime::Buffer order; ///< the coordinate of each rank
  runtime::Buffer ranks; ///< the rank of each coordinate
};

/// The order of coordinates of which `counts` says how many entries each has, most first, equals as
/// they come, in windows of so many.
runtime::Result<Ranks> rankByCounts(runtime::Buffer counts, int64_t window);

/// Sorts the dimensions that the type's format sorts, by how many entries each coordinate has, most
/// first, equals as they come, and puts ranks in place of their coordinates. Sums up duplicates
/// before. Refuses orders that would be absurdly larger than the list unless told to `force` them.
runtime::Result<llvm::SmallVector<Ranks>> rankCoordinates(runtime::Coordinates &list,
                                                          mlir::RankedTensorType type, bool force);

/// Hands the orders to the storage for whose format they were made.
runtime::Status storeRanks(llvm::SmallVector<Ranks> ranks, runtime::Storage &storage);

/// Puts coordinates in place of the ranks in a list that was unpacked from the tensor.
void restoreCoordinates(runtime::Coordinates &list, const TensorValue &tensor);

} // namespace strata

#endif // STRATA_EXECUTION_RANKS_H
