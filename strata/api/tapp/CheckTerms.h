// What the standard demands of the tensors of a product.
#ifndef STRATA_API_TAPP_CHECKTERMS_H
#define STRATA_API_TAPP_CHECKTERMS_H

#include "strata/api/tapp/Contraction.h"

namespace strata::tapp {

/// Returns the first thing that is wrong, in the order in which the reference implementation looks.
TAPP_error checkTerms(const Term &A, const Term &B, const Term &C, const Term &D);

} // namespace strata::tapp

#endif // STRATA_API_TAPP_CHECKTERMS_H
