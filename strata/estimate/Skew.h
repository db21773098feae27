// How unevenly a tensor's entries are spread over its first level.
#ifndef STRATA_ESTIMATE_SKEW_H
#define STRATA_ESTIMATE_SKEW_H

#include "strata/tensor/TensorValue.h"

namespace strata {

/// Returns the share of a tensor's entries that lie below that coordinate of its first level below
/// which the middle one lies: if some coordinate has more than half of all, this one does. Its
/// levels have places for all coordinates, or list theirs in order. Takes time in proportion to the
/// logarithm of the number of entries.
double shareOfMiddle(const TensorValue &tensor);

} // namespace strata

#endif // STRATA_ESTIMATE_SKEW_H
