// How many elements the buffers of a level have, as far as that can be told without looking at all
// of them: what is compared where kernels get buffers from outside.
#ifndef STRATA_LEVEL_BUFFERCOUNTS_H
#define STRATA_LEVEL_BUFFERCOUNTS_H

#include "strata/level/LevelFormat.h"

namespace strata {

/// Of one buffer; or what it tells of the level. They are read in the order of
/// LevelFormat::buffers(): at first there are as many positions as the level above has, or as the
/// level has places; at the end, as many as it has.
struct CountRule {
  enum Kind {
    Free,        ///< nothing is known
    Edges,       ///< for each of so many one, and one more, which tells how many come then
    Each,        ///< for each of those one
    Parents,     ///< for each position of the level above one
    ParentEdges, ///< ... and one more
    ParentPairs, ///< for each position of the level above two, after which nothing is known
    Word,        ///< its first element tells how many come then
    Told,        ///< as many as element `at` of buffer `from` says
  };
  Kind kind = Free;
  unsigned from = 0, at = 0;
};

/// A level format whose buffers follow other rules than edges for positions, and an element for
/// each position for all else.
struct OwnCounts {
  virtual ~OwnCounts() = default;
  virtual llvm::SmallVector<CountRule> counts(bool root) const = 0;
};

/// The rules of a level's buffers, by LevelFormat::buffers().
llvm::SmallVector<CountRule> countsOf(const LevelFormat &level, bool root);

} // namespace strata

#endif // STRATA_LEVEL_BUFFERCOUNTS_H
