// Which variables of a statement its tensors have a place for every value of.
#ifndef STRATA_LOWER_ANALYSIS_STOREDPLACES_H
#define STRATA_LOWER_ANALYSIS_STOREDPLACES_H

#include "strata/lower/analysis/IndexStatement.h"

namespace strata {

/// Tells whether an operand, or the result, has a place for each value of the variable. Then one
/// more tensor that does takes no more memory than is in use in any case. A dimension of which only
/// what occurs is stored may be far too long.
bool hasPlaces(const IndexStatement &statement, unsigned variable);

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_STOREDPLACES_H
