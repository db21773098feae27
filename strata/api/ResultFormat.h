// The format of a result that nobody chose.
#ifndef STRATA_API_RESULTFORMAT_H
#define STRATA_API_RESULTFORMAT_H

#include "strata/dialect/ta/Ta.h"

namespace strata::api {

/// What the statement's result is worth storing in. A dimension is compressed if nothing is left
/// where the operands that store some of its coordinates only are absent, as folding tells: 001,
/// section 5.1, has a rule for + and one for *, and this is both, and those of all other operators.
/// If that is so for none, but nothing is left without the sparse operands along all of several
/// dimensions (`A(i,j) * B(k,j)` of two CSR matrices), the last one is compressed. Null means
/// dense. A sparse operand's own format is taken as it is where it fits.
mlir::Attribute resultFormatOf(ta::ComputeOp statement);

} // namespace strata::api

#endif // STRATA_API_RESULTFORMAT_H
