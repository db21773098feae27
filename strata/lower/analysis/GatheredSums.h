// Sums that are a part of the right side, and are computed for many values of labels at once.
//
// R[i, k] = max(0, A[i, j] * B[j, k]) is no sum that the result could accumulate. Computed one by
// one, in scalars, its sums would walk B by columns. They are gathered in a row over k instead, as
// the sum alone would be in the result, and what is to be done with each of them is done where the
// row is read. A contraction of dense tensors is gathered over all labels, since it runs in blocks.
#ifndef STRATA_LOWER_ANALYSIS_GATHEREDSUMS_H
#define STRATA_LOWER_ANALYSIS_GATHEREDSUMS_H

#include "strata/lower/analysis/IndexStatement.h"

namespace strata {

/// The labels over which a sum is gathered if the loops run in the order of the plan. None of a sum
/// that is a scalar, or that the result accumulates.
llvm::SmallBitVector gatheredLabels(const IndexStatement &statement, const LoopPlan &plan,
                                    ta::ReduceOp reduce);

/// Tells whether the sum is a contraction of dense tensors that becomes a tensor of its own, so
/// that it runs in blocks.
bool isGatheredContraction(const IndexStatement &statement, ta::ReduceOp reduce);

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_GATHEREDSUMS_H
