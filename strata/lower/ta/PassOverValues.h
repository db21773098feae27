// Statements that make of each value of a tensor another one.
#ifndef STRATA_LOWER_TA_PASSOVERVALUES_H
#define STRATA_LOWER_TA_PASSOVERVALUES_H

#include "strata/dialect/ta/Ta.h"

#include "mlir/IR/BuiltinOps.h"

namespace strata {

/// Computes a result that stores what the only sparse operand does, at the same places and in the
/// same format, by a statement over the vector of its values (`ta.values`, `ta.with_values`), which
/// stands in front of this one. Gives the result; null where this statement does anything else.
mlir::Value passOverValues(ta::ComputeOp op);

/// Leaves to kernels of a program what these have loops for: others call them, with tensors.
void leaveToKernels(mlir::ModuleOp program);

} // namespace strata

#endif // STRATA_LOWER_TA_PASSOVERVALUES_H
