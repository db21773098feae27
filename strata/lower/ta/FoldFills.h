// Reductions of sparse tensors over what they store, and once over what they do not.
#ifndef STRATA_LOWER_TA_FOLDFILLS_H
#define STRATA_LOWER_TA_FOLDFILLS_H

#include "strata/dialect/ta/Ta.h"

namespace strata {

/// Rewrites the statement's reductions whose terms are a constant where operands store nothing,
/// other than the one that changes nothing: they visit what is stored, and combine that constant as
/// often as it is there. `made` numbers the temporaries of the program. A statement with a schedule
/// stays as it is. Returns whether there were such reductions.
bool foldFills(ta::ComputeOp op, unsigned &made);

} // namespace strata

#endif // STRATA_LOWER_TA_FOLDFILLS_H
