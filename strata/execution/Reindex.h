// The entries of a tensor, by the index variables that reach them.
#ifndef STRATA_EXECUTION_REINDEX_H
#define STRATA_EXECUTION_REINDEX_H

#include "mlir/IR/AffineMap.h"
#include "strata/runtime/storage/Coordinates.h"

namespace strata {

/// The list of `place`'s variables, each in [0, extent), for every entry of `list` and each way in
/// which they reach it. Takes time in the number of entries of both lists, if each coordinate of
/// the place says something of a variable.
runtime::Result<runtime::Coordinates> reindexed(const runtime::Coordinates &list,
                                                mlir::AffineMap place,
                                                const std::vector<int64_t> &extents);

/// The entries of `whole` where `place` reaches none, and those of `part`, a list of its variables,
/// at the places that they reach, which differ (ta::separates). Both have values of one type.
runtime::Result<runtime::Coordinates> overlaid(const runtime::Coordinates &part,
                                               const runtime::Coordinates &whole,
                                               mlir::AffineMap place,
                                               const std::vector<int64_t> &extents);

} // namespace strata

#endif // STRATA_EXECUTION_REINDEX_H
