// Updates of tensors that are made anew: those without a place for every coordinate, above all.
#ifndef STRATA_LOWER_TA_RENEWRESULT_H
#define STRATA_LOWER_TA_RENEWRESULT_H

#include "strata/dialect/ta/Ta.h"

namespace strata {

/// Takes the `init` from a statement whose result has no place for everything: `A += e` becomes
/// `A = A + e`; a part of A becomes a tensor of its own, which then replaces what A stores there
/// (`ta.insert_part`). Reports a part whose places do not tell their index variables. In a result
/// that has a place for everything, `A *= e` becomes `A = A * e` if e may be absent.
mlir::LogicalResult renewResult(ta::ComputeOp op);

/// Makes the value of an update what is there afterwards: that of the `init`, which becomes an
/// operand, combined with it, or where it is missing. The `init` stays.
void readBefore(ta::ComputeOp op);

/// Does the left side reach every place of the result?
bool reachesAll(ta::ComputeOp op);

/// What a tensor over the variables of a left side is stored as: its variables in the order in
/// which the format `whole` stores what they number, the first one dense where it is there.
ta::FormatAttr partFormat(mlir::AffineMap place, ta::FormatAttr whole);

} // namespace strata

#endif // STRATA_LOWER_TA_RENEWRESULT_H
