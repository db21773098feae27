// Dense operands and results whose rows run along the loops of sparse operands.
#ifndef STRATA_LOWER_TA_TURNDENSE_H
#define STRATA_LOWER_TA_TURNDENSE_H

#include "strata/dialect/ta/Ta.h"

namespace strata {

/// Converts dense operands of a statement over sparse ones, and a dense result of sums, so that
/// their rows run along the innermost loop, which takes all values of its label. Without the
/// conversion each of its steps would read, or add, elsewhere. Both ways are kept, but in a loop
/// that does not change the operand.
void turnDense(ta::ComputeOp op);

} // namespace strata

#endif // STRATA_LOWER_TA_TURNDENSE_H
