// How a sum's outermost loop is cut into parts that have sums of their own.
#ifndef STRATA_LOWER_ANALYSIS_PARTSOFSUM_H
#define STRATA_LOWER_ANALYSIS_PARTSOFSUM_H

#include "strata/lower/analysis/IndexStatement.h"

namespace strata {

/// The parts of a loop: of its values, or of the positions at which an operand stores them.
struct PartsOfSum {
  ta::AccessOp leader; ///< the access whose positions are cut; null where values are
};

/// The way to cut the outermost loop of a plan, each value of which adds to all of a dense result.
/// Nothing where the result has coordinates that are no labels, where the loop is walked with
/// another, where an operand would be walked whole for each part, or for a contraction of dense
/// tensors, which runs in blocks.
std::optional<PartsOfSum> partsOfSum(const IndexStatement &statement, const LoopPlan &plan);

/// Into how many parts it is cut: each has a copy of the result.
int64_t numberOfParts(const IndexStatement &statement);

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_PARTSOFSUM_H
