// Terms that are added to a dense result one after the other.
#ifndef STRATA_LOWER_TA_SPLITADDENDS_H
#define STRATA_LOWER_TA_SPLITADDENDS_H

#include "strata/dialect/ta/Ta.h"

namespace strata {

/// Adds terms of the statement to its dense result in statements of their own, if operands would
/// have to be converted to be merged, but none of those that are left. Tells whether it did.
/// `made`: the number of the next temporary.
bool splitAddends(ta::ComputeOp op, unsigned &made);

} // namespace strata

#endif // STRATA_LOWER_TA_SPLITADDENDS_H
