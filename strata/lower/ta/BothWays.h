// Two ways to compute a statement, of which the run takes one.
#ifndef STRATA_LOWER_TA_BOTHWAYS_H
#define STRATA_LOWER_TA_BOTHWAYS_H

#include "strata/dialect/ta/Ta.h"

namespace strata {

/// Puts a copy of the statement behind it.
ta::ComputeOp copyOf(ta::ComputeOp op);

/// Tells whether the statement is in a loop that changes none of the operands that were converted
/// for it: these are then converted once, before the loop.
bool convertsOnce(ta::ComputeOp op);

/// Keeps both ways to compute a statement: `other`, and `op`, which converts operands, or its
/// result, which was `wanted`. Which of them is taken is decided when the operands are known, as
/// the attribute says (fewTermsAttribute and its like); else the former if `unknown`.
void keepBoth(ta::ComputeOp op, ta::ComputeOp other, mlir::Type wanted, llvm::StringRef attribute,
              bool unknown = false);

} // namespace strata

#endif // STRATA_LOWER_TA_BOTHWAYS_H
