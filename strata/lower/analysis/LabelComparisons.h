// Comparisons of labels in a kernel of loops, and between which values of a loop's variable they
// hold.
//
//   sum(j, where(j <= i, x[j], 0))           j goes from 0 to i: i - j is not negative
//   where(abs(i - j) < 2, A[i, j], 0)        1 - (i - j) and 1 + (i - j) are not negative
#ifndef STRATA_LOWER_ANALYSIS_LABELCOMPARISONS_H
#define STRATA_LOWER_ANALYSIS_LABELCOMPARISONS_H

#include "strata/lower/analysis/LoopNest.h"

namespace strata {

/// What is linear in the variables of a nest. It holds where none of these is negative.
using LinearConditions = llvm::SmallVector<mlir::AffineExpr, 2>;

/// The value of a label at a place: first + step * place; null where 64 bits might not hold what
/// follows from it.
mlir::AffineExpr labelValue(mlir::AffineExpr place, int64_t first, int64_t step);

/// When a comparison holds, or does not, over so many variables. `labelOf` gives for an access the
/// value of a label that it reads, null for others. Nothing where no linear conditions say that.
std::optional<LinearConditions>
linearConditions(ta::CompareOp op, bool holds, unsigned variables,
                 llvm::function_ref<mlir::AffineExpr(mlir::Operation *access)> labelOf);

/// A comparison of labels, by one operation or by several that compare the same.
struct LabelComparison {
  llvm::SmallVector<mlir::Operation *, 2> ops;
  /// When it holds, and when it does not; nothing where no such conditions say that.
  std::optional<LinearConditions> holding, failing;

  bool isIn(mlir::Operation *statement) const;
};

/// Gives the comparisons of a kernel that are marked as such (ta::ofLabelsAttribute).
llvm::SmallVector<LabelComparison> labelComparisons(mlir::func::FuncOp kernel,
                                                    const LoopNest &nest);

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_LABELCOMPARISONS_H
