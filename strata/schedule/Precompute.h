// The two forms of precompute: of a temporary that there is, and of an expression.
#ifndef STRATA_SCHEDULE_PRECOMPUTE_H
#define STRATA_SCHEDULE_PRECOMPUTE_H

#include "strata/schedule/Loops.h"

namespace strata::schedule {

/// The arguments behind what is precomputed: labels, and as many new ones.
struct PrecomputedLabels {
  llvm::SmallVector<cin::ForallOp> loops;
  llvm::SmallVector<mlir::StringAttr> fresh;
};

/// Reads labels, alone or in braces, and the new ones; one may be called as the one it stands for.
mlir::FailureOr<PrecomputedLabels> readLabels(mlir::func::FuncOp kernel, ta::CommandAttr command,
                                              Refuse refuse);

/// precompute(B(i, k) * C(k, j), {j}, {jw}[, w[, array|table]])
mlir::LogicalResult precomputeExpression(mlir::func::FuncOp kernel, ta::CommandAttr command,
                                         Refuse refuse);

} // namespace strata::schedule

#endif // STRATA_SCHEDULE_PRECOMPUTE_H
