// Permutes the coordinates of a list.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/LexiOrder.h"

#include "strata/runtime/storage/Reorder.h"

#include <algorithm>
#include <numeric>

using strata::runtime::Coordinates;
using strata::runtime::Permutations;
using strata::runtime::Result;
using strata::runtime::Status;

namespace strata::host {

static Result<Permutations> lexiOrderOfAll(const Coordinates &list) {
  std::vector<int> dimensions(size_t(list.order()));
  std::iota(dimensions.begin(), dimensions.end(), 0);
  Result<runtime::LexiOrder> found =
      runtime::lexiOrder(list, dimensions, runtime::usualLexiIterations);
  if (!found)
    return found.takeStatus();
  return std::move(found->permutations);
}

Result<Coordinates> inLexiOrder(const Coordinates &list) {
  Result<Permutations> permutations = lexiOrderOfAll(list);
  if (!permutations)
    return permutations.takeStatus();
  Result<Coordinates> moved = list.clone();
  if (moved)
    if (Status fine = runtime::permuteIndices(*moved, *permutations); !fine.ok())
      return fine;
  return moved;
}

Result<Coordinates> lexiOrderOf(const Coordinates &list, int dimension) {
  Result<Permutations> permutations = lexiOrderOfAll(list);
  if (!permutations)
    return permutations.takeStatus();
  const runtime::Permutation &permutation = (*permutations)[size_t(dimension)];
  const int64_t size = permutation.size;
  Result<Coordinates> vector = Coordinates::create({size}, STRATA_I64, size);
  if (!vector)
    return vector;
  runtime::withCoordinateType(vector->coordinateType(), [&]<typename C>(C *) {
    C *indices = vector->column(0).as<C>();
    std::iota(indices, indices + size, C(0));
  });
  std::ranges::copy(runtime::allOf(permutation), vector->values().as<int64_t>());
  return vector;
}

} // namespace strata::host
