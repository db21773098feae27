// Padding of operands that loops would walk again and again.
#ifndef STRATA_LOWER_TA_DROPPADDING_H
#define STRATA_LOWER_TA_DROPPADDING_H

#include "strata/dialect/ta/Ta.h"

namespace strata {

/// Converts operands with padding that the statement's loops walk again for each value of another
/// operand's variable to formats that store their entries alone. Both ways are kept, but in a loop
/// that does not change the operands. The statement may be erased then.
void dropPadding(ta::ComputeOp op);

} // namespace strata

#endif // STRATA_LOWER_TA_DROPPADDING_H
