// How unevenly a tensor's entries are spread over its first level.
#ifndef STRATA_ESTIMATE_SKEW_H
#define STRATA_ESTIMATE_SKEW_H

#include "strata/tensor/TensorValue.h"

namespace strata {

/// What a tensor stores below some coordinates of its first level.
struct StoredBelow {
  int64_t rows = 0; ///< positions of the level above the last one
  int64_t entries = 0;
};

/// How a tensor's entries are spread over its first level.
struct Spread {
  StoredBelow all;
  StoredBelow middle; ///< below that coordinate below which the middle entry lies
};

/// Follows the middle entry: if some coordinate has more than half of all, this one does. The
/// tensor's levels have places for all coordinates, or list theirs in order. Takes time in
/// proportion to the logarithm of the number of entries.
Spread spreadOf(const TensorValue &tensor);

} // namespace strata

#endif // STRATA_ESTIMATE_SKEW_H
