// Permutations of the indices of a dimension: how a tensor's rows, columns, … are moved.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_STORAGE_PERMUTATION_H
#define STRATA_RUNTIME_STORAGE_PERMUTATION_H

#include "strata/runtime/storage/Coordinates.h"

namespace strata::runtime {

/// A permutation of the indices from 0 to `size` - 1. The new index n is the old index leading[n];
/// the old indices that `leading` leaves out follow in ascending order. So it takes memory for the
/// indices that move, not for the size, which may be far larger than the number of entries.
///
///     size 6, leading {4, 1}      new  0 1 2 3 4 5
///                                 old  4 1 0 2 3 5
struct Permutation {
  int64_t size = 0;
  std::vector<int64_t> leading = {};

  /// Does `leading` hold valid indices, and none twice?
  bool isValid() const;
  bool isIdentity() const;
};

/// All old indices, by their new ones. Takes memory for the size.
std::vector<int64_t> allOf(const Permutation &permutation);

/// Moves the entries of a tensor: dimension d by permutations[d]. Takes time for the entries and
/// the leading indices. The entries keep their order in the list.
Status permuteIndices(Coordinates &list, std::span<const Permutation> permutations);

/// The permutation that undoes another.
Permutation inverseOf(const Permutation &permutation);

/// The permutations as a matrix of type i64, to be written to a file: column d is that of dimension
/// d, its row n holds the old index, counted from 1, of the new index n. It has as many rows as the
/// largest size; a column of a smaller dimension ends before. Takes memory for all sizes.
Result<Coordinates> matrixOf(std::span<const Permutation> permutations);

/// The permutations that such a matrix holds, or a vector, which is one column. The values are of
/// type i64. Fails on what is no permutation.
Result<std::vector<Permutation>> permutationsOf(const Coordinates &matrix);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_STORAGE_PERMUTATION_H
