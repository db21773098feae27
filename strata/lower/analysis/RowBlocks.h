// Long rows of dense tensors, which loops come to again and again, can be taken block by block.
#ifndef STRATA_LOWER_ANALYSIS_ROWBLOCKS_H
#define STRATA_LOWER_ANALYSIS_ROWBLOCKS_H

#include "strata/lower/analysis/IndexStatement.h"

namespace strata {

/// The variable of a plan's innermost loop, if that goes along rows of a dense result and of dense
/// operands, and each value of the outermost loop adds to all rows: a loop over blocks of it around
/// the others makes separate parts of the result, and no sum has its terms in another order. Each
/// block walks the sparse operands once more. Nothing for other plans, for sums of which a part is
/// computed apart, and for a contraction of dense tensors, which runs in blocks of its own.
std::optional<unsigned> variableOfRows(const IndexStatement &statement, const LoopPlan &plan);

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_ROWBLOCKS_H
