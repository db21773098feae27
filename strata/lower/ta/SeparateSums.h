// Sums of several products, as sums of one each.
#ifndef STRATA_LOWER_TA_SEPARATESUMS_H
#define STRATA_LOWER_TA_SEPARATESUMS_H

#include "strata/dialect/ta/Ta.h"

namespace strata {

/// Gives contractions of dense tensors that a sum of the statement adds up sums of their own; not
/// where the result is sparse. Returns whether it did.
bool separateSums(ta::ComputeOp op);

} // namespace strata

#endif // STRATA_LOWER_TA_SEPARATESUMS_H
