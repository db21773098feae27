// Statements that say what others said before.
#ifndef STRATA_LOWER_TA_SHARESTATEMENTS_H
#define STRATA_LOWER_TA_SHARESTATEMENTS_H

#include "strata/dialect/ta/Ta.h"

#include "mlir/IR/BuiltinOps.h"

namespace strata {

/// The reason of statements that are taken out of others because their schedules say so. They are
/// computed as it is said, and not shared.
inline constexpr llvm::StringLiteral scheduledReason = "its schedule says so";

/// Makes one of operations that give the same size or constant, so that what statements are about
/// can be compared.
void shareNumbers(mlir::ModuleOp program);

/// Tells whether two statements compute the same on the same operands and sizes, whatever their
/// schedules are.
bool computeTheSame(ta::ComputeOp a, ta::ComputeOp b);

} // namespace strata

#endif // STRATA_LOWER_TA_SHARESTATEMENTS_H
