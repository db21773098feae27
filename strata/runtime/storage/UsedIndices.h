// The pattern of a tensor over the indices that it uses, which are numbered from 0.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_STORAGE_USEDINDICES_H
#define STRATA_RUNTIME_STORAGE_USEDINDICES_H

#include "strata/runtime/storage/Coordinates.h"

namespace strata::runtime {

/// What analyses of a pattern work on, so that their memory is proportional to the entries whatever
/// the sizes are: the coordinates are numbers of used indices, and the values have no meaning.
struct UsedIndices {
  Coordinates pattern;
  /// For each dimension the indices that have entries, ascending: number n stands for
  /// indices[d][n].
  std::vector<std::vector<int64_t>> indices;
};

/// Numbers each dimension by itself.
Result<UsedIndices> numberUsedIndices(const Coordinates &list);
/// Numbers the indices that have entries in any dimension; all dimensions share the numbers. They
/// have the same size.
Result<UsedIndices> numberUsedIndicesTogether(const Coordinates &list);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_STORAGE_USEDINDICES_H
