// Finds the entries of a list that lie in the boxes of many cells.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_DIST_SORTEDENTRIES_H
#define STRATA_RUNTIME_DIST_SORTEDENTRIES_H

#include "strata/runtime/dist/Placement.h"

#include <span>

namespace strata::runtime::dist {

/// A box, and the number of who gets what lies in it.
struct TakenBox {
  const Box *box;
  int64_t taker;
};

/// Entries by their coordinates of a dimension, ascending.
class SortedEntries {
public:
  SortedEntries() = default;
  static Result<SortedEntries> make(Coordinates list, int64_t dim);

  const Coordinates &list() const { return entries; }
  int64_t dim() const { return sortedDim; }
  /// Returns for each of so many takers the numbers of the entries that lie in boxes of it,
  /// ascending, each once. The intervals that boxes have of a dimension are equal or apart. Work
  /// goes with the boxes, the entries in their intervals of the sorted dimension, and what is
  /// listed; not with both.
  Result<NumberLists> inside(std::span<const TakenBox> boxes, int64_t takers) const;

private:
  Coordinates entries;
  int64_t sortedDim = 0;
};

} // namespace strata::runtime::dist
#endif // STRATA_RUNTIME_DIST_SORTEDENTRIES_H
