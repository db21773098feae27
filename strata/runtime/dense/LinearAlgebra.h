// Functions of small dense matrices, by Eigen: what programs that alternate between sparse kernels
// and dense steps (decompositions of tensors, least squares) need in between.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_DENSE_LINEARALGEBRA_H
#define STRATA_RUNTIME_DENSE_LINEARALGEBRA_H

#include "strata/runtime/storage/Coordinates.h"

#include <string_view>

namespace strata::runtime {

/// Applies `function` to matrices and vectors given by their entries; what is not listed is zero.
/// All are computed in double, or in complex numbers of doubles if an operand is complex.
///   solve(A, b)          x with A x = b; the x of least squares where A is not square
///   inverse(A), pseudoinverse(A)
///   orthonormal(A)       as many orthonormal columns as A has, which span what A's span
///   singular_vectors(A)  the left ones of the `wanted` greatest singular values, as columns; of
///                        each, the element of greatest magnitude is positive
///   singular_values(A)   the `wanted` greatest
/// The last two take a tensor of order 2 or more as a matrix: its rows are the first dimension.
/// Fails on shapes that do not fit, singular matrices, and numbers that are not finite.
Result<Coordinates> linearAlgebra(std::string_view function,
                                  std::span<const Coordinates *const> operands, int64_t wanted);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_DENSE_LINEARALGEBRA_H
