// Tensors made up for tests and benchmarks: random ones, and a finite-element stencil.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_STORAGE_GENERATE_H
#define STRATA_RUNTIME_STORAGE_GENERATE_H

#include "strata/runtime/storage/Coordinates.h"

namespace strata::runtime {

struct RandomTensor {
  std::vector<int64_t> sizes;
  double density = 0.01; ///< stored share of all coordinates, from 0 to 1
  uint64_t seed = 1;
  strata_type type = STRATA_F64;
};

/// Exactly round(density * product of sizes) distinct entries in lexicographic order, the same ones
/// for a seed on every machine and any number of threads. Values are uniform in (-1, 1) without 0
/// (real and imaginary part alike); integers from 1 to 9.
Result<Coordinates> generateRandom(const RandomTensor &what);

/// The matrix of a 27-point finite-element stencil on a grid of `n` points in each of three
/// dimensions: 26 on the diagonal, -1 for each neighbour. Symmetric positive definite, sorted by
/// rows, (3n - 2)^3 non-zeros: a million for n = 34.
Result<Coordinates> generateStencil27(int64_t n = 34);

/// A vector of the numbers first, first + step, ..., of type i64.
Result<Coordinates> generateCounts(int64_t count, int64_t first, int64_t step);

/// Ones at (i, ..., at[i, ...]): `sizes` are those of the result, `at` has an element for each
/// place of all dimensions but the last, which it is a coordinate of. Values are i8.
Result<Coordinates> generateSelector(const std::vector<int64_t> &sizes,
                                     std::span<const int64_t> at);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_STORAGE_GENERATE_H
