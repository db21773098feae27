// Factors that loops over sparse operands would compute again and again.
#ifndef STRATA_LOWER_TA_REPEATEDFACTORS_H
#define STRATA_LOWER_TA_REPEATEDFACTORS_H

#include "strata/dialect/ta/Ta.h"

namespace strata {

/// Computes values that follow from elements of dense tensors before a statement over sparse ones,
/// once for all of their labels, where the loops would compute each of them for every value of a
/// label that they do not have. Both ways are kept: `names` numbers the temporaries.
void computeRepeatedFactors(ta::ComputeOp op, unsigned &names);

} // namespace strata

#endif // STRATA_LOWER_TA_REPEATEDFACTORS_H
