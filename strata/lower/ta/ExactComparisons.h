// Statements in which rounding decides.
#ifndef STRATA_LOWER_TA_EXACTCOMPARISONS_H
#define STRATA_LOWER_TA_EXACTCOMPARISONS_H

#include "strata/dialect/ta/Ta.h"

namespace strata {

/// Tells whether computed numbers with a fraction are asked to be equal: by the statement itself,
/// `where(A * B + C == y, dy, 0)`, or by who looks for the term that was the least or the greatest,
/// `y = max(k, A * B + C)`, as gradients do. Both sides are computed, in different loops, and must
/// round alike there: no multiplication is fused with an addition.
bool comparesComputed(ta::ComputeOp op);

} // namespace strata

#endif // STRATA_LOWER_TA_EXACTCOMPARISONS_H
