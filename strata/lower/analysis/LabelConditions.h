// What comparisons of labels in a statement say of the places at which there is something to do.
#ifndef STRATA_LOWER_ANALYSIS_LABELCONDITIONS_H
#define STRATA_LOWER_ANALYSIS_LABELCONDITIONS_H

#include "strata/lower/analysis/LabelComparisons.h"

namespace strata {

/// Conditions on the index variables of a statement, as linear expressions of their numbers here.
struct LabelConditions {
  llvm::SmallVector<mlir::Value, 4> variables;
  LinearConditions conditions;
  llvm::SmallVector<mlir::Operation *, 2> said; ///< the comparisons that they are
  /// Where they are those of a reduction's terms: the variable around it with which the terms only
  /// grow, nothing else of them depending on it, such as i of sum(j, where(j <= i, x[j], 0)). In
  /// loops over both, side by side, the reduction goes on from one value to the next
  /// (RunningSums.cpp). Null if there is none.
  mlir::Value follows = {};
};

/// Gives the conditions without which `value` is `passedOver`, whatever else it is computed from:
/// of `sum(j, where(j <= i, x[j], 0))`, whose terms are those of its body, that i - j is not
/// negative.
LabelConditions labelConditions(mlir::Value value, mlir::TypedAttr passedOver);

/// Returns `follows` of a reduction.
mlir::Value runningLabel(ta::ReduceOp reduce);

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_LABELCONDITIONS_H
