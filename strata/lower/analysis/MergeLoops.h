// The loops that merge iterators: one for each set of them that can remain.
#ifndef STRATA_LOWER_ANALYSIS_MERGELOOPS_H
#define STRATA_LOWER_ANALYSIS_MERGELOOPS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SetVector.h"

namespace strata {

/// All unions of cases, which are sets of iterators as bit masks: the points of 004's merge lattice
/// at which a loop begins, the fullest first. A case is emitted once in each that contains it.
inline llvm::SmallVector<unsigned> loopSets(llvm::ArrayRef<unsigned> cases) {
  llvm::SetVector<unsigned, llvm::SmallVector<unsigned>> sets;
  for (unsigned one : cases) {
    llvm::SmallVector<unsigned> before(sets.begin(), sets.end());
    sets.insert(one);
    for (unsigned other : before)
      sets.insert(other | one);
  }
  llvm::SmallVector<unsigned> ordered(sets.begin(), sets.end());
  llvm::sort(ordered, [](unsigned x, unsigned y) {
    return std::pair(llvm::popcount(y), x) < std::pair(llvm::popcount(x), y);
  });
  return ordered;
}

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_MERGELOOPS_H
