// Which walks of an operand, as it is stored, are better made for one block of rows after the
// other.
#ifndef STRATA_LOWER_ANALYSIS_TILEDWALK_H
#define STRATA_LOWER_ANALYSIS_TILEDWALK_H

#include "strata/lower/analysis/IndexStatement.h"

namespace strata {

/// The variable of whose values a plan's joined loops should take a block at a time, since the walk
/// comes to each place of the result's first dimension again and again: along diagonals, along
/// slots. Nothing where nothing is summed, the loops are not joined, or the walk begins with that
/// dimension.
std::optional<unsigned> tiledVariable(const IndexStatement &statement, const LoopPlan &plan);

/// True of an operand of which the loops over single variables had better walk what it stores for
/// each row, though its levels are in another order: where each entry is the work of a loop over a
/// variable that the operand does not have.
bool walksRowByRow(const IndexStatement &statement, const AccessPath &path,
                   llvm::ArrayRef<unsigned> order);

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_TILEDWALK_H
