// Products of dense tensors that are wanted only where a sparse factor stores something.
#ifndef STRATA_LOWER_TA_SPLITSAMPLED_H
#define STRATA_LOWER_TA_SPLITSAMPLED_H

#include "strata/lower/ta/TensorProduct.h"

namespace strata {

/// Makes a statement of a sparse factor and the dense ones whose sum is wanted at its entries
/// alone, where that takes much fewer operations; gives that statement, or null. `made` numbers the
/// temporaries of the program.
ta::ComputeOp splitSampled(ta::ComputeOp op, unsigned &made);

} // namespace strata

#endif // STRATA_LOWER_TA_SPLITSAMPLED_H
