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

/// True of a format each of whose levels has every coordinate below each parent once, in order: all
/// of them, or those in a list, which begins where that of the parent before ends.
bool storesInOrder(ta::FormatAttr format);

/// The access by whose entries, equally many in each part, a plan's loops are better cut than by
/// the values of the outermost one, if one of these has most of the entries: the only sparse
/// operand, stored over the labels of the loops in their order, of which the result has the first.
/// Nothing for other plans.
ta::AccessOp entriesToCut(const IndexStatement &statement, const LoopPlan &plan);

/// Into how many parts it is cut: each has a copy of the result.
int64_t numberOfParts(const IndexStatement &statement);

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_PARTSOFSUM_H
