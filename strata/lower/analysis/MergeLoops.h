// The loops that merge iterators, one for each set of them that can remain, and their cases.
#ifndef STRATA_LOWER_ANALYSIS_MERGELOOPS_H
#define STRATA_LOWER_ANALYSIS_MERGELOOPS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SetVector.h"

namespace strata {

/// Sorts sets of iterators by how many these are, the most first.
inline llvm::SmallVector<unsigned> fullestFirst(llvm::SmallVector<unsigned> sets) {
  llvm::sort(sets, [](unsigned x, unsigned y) {
    return std::pair(llvm::popcount(y), x) < std::pair(llvm::popcount(x), y);
  });
  return sets;
}

/// Returns all unions of cases, which are sets of iterators as bit masks: the points of 004's merge
/// lattice at which a loop begins, the fullest first. A case is emitted once in each that contains
/// it.
inline llvm::SmallVector<unsigned> loopSets(llvm::ArrayRef<unsigned> cases) {
  llvm::SetVector<unsigned, llvm::SmallVector<unsigned>> sets;
  for (unsigned one : cases) {
    llvm::SmallVector<unsigned> before(sets.begin(), sets.end());
    sets.insert(one);
    for (unsigned other : before)
      sets.insert(other | one);
  }
  return fullestFirst({sets.begin(), sets.end()});
}

/// Returns the cases that can hold in a loop over `set`, in the order in which they are asked for.
/// The first that is contained in what is present is the fullest one.
inline llvm::SmallVector<unsigned> casesIn(unsigned set, llvm::ArrayRef<unsigned> cases) {
  llvm::SmallVector<unsigned> inside;
  llvm::copy_if(cases, std::back_inserter(inside),
                [&](unsigned mask) { return (mask & set) == mask; });
  return fullestFirst(std::move(inside));
}

/// Returns the sets of iterators that can be present together at a coordinate in a loop over `set`:
/// at least one is, unless the loop runs over all coordinates (`universe`).
inline llvm::SmallVector<unsigned> presentIn(unsigned set, bool universe) {
  llvm::SmallVector<unsigned> subsets;
  for (unsigned subset = set;; subset = (subset - 1) & set) {
    if (subset != 0 || universe)
      subsets.push_back(subset);
    if (subset == 0)
      return subsets;
  }
}

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_MERGELOOPS_H
