// How many values a loop that merges is expected to visit.
#ifndef STRATA_COST_MERGEVISITS_H
#define STRATA_COST_MERGEVISITS_H

#include "strata/dialect/lvl/Lvl.h"

namespace strata::cost {

/// Of each case, how many values it is expected to visit when the loop begins once; at last, how
/// many steps the loop takes. `visits`: how many values each iterator has, of so many that there
/// are in the `space`; `alike`: of each the first of those that have the same values. All others
/// have theirs independently.
llvm::SmallVector<double> visitsOfCases(lvl::CoiterateOp loop, llvm::ArrayRef<double> visits,
                                        llvm::ArrayRef<unsigned> alike, double space);

/// What is searched when the loop begins once: for how many coordinates, and in how many steps.
struct Search {
  double coordinates, steps;
};

/// Where only what all operands have matters, those that have far more left than the shortest are
/// searched, by steps of doubling length; nothing if all are walked.
std::optional<Search> searchOf(lvl::CoiterateOp loop, llvm::ArrayRef<double> visits);

} // namespace strata::cost

#endif // STRATA_COST_MERGEVISITS_H
