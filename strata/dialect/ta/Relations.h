// What follows from how two values compare.
#ifndef STRATA_DIALECT_TA_RELATIONS_H
#define STRATA_DIALECT_TA_RELATIONS_H

#include "strata/dialect/ta/Ta.h"

namespace strata::ta {

/// Returns the relation that holds of two integers where `relation` does not: x >= y where not
/// x < y. Of real numbers, where one may be NaN, neither may hold.
Relation inverseOf(Relation relation);

/// Returns the relation of y to x, where `relation` is that of x to y: x < y is y > x.
Relation swapped(Relation relation);

} // namespace strata::ta

#endif // STRATA_DIALECT_TA_RELATIONS_H
