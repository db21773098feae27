// triangular_solve: x with A x = b, for the upper or the lower triangle of a sparse matrix. Each
// unknown needs those before it, which no statement says: so this is a loop of the library.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_API_SPBLAS_TRIANGULARSOLVE_HPP
#define STRATA_API_SPBLAS_TRIANGULARSOLVE_HPP

#include "strata/api/spblas/Multiply.hpp"

#include <spblas/detail/triangular_types.hpp>

namespace strata::spblas {

/// The entries of the matrix's base with its scaling and conjugation.
template <typename V, typename A> auto elementFunction(A &&a) {
  const V alpha = [&] {
    auto given = detail::get_scaling_factor(a);
    return given ? scalarFrom<V>(*given) : V(1);
  }();
  const bool conjugate = detail::is_conjugated(a);
  return [alpha, conjugate](auto value) {
    V element = V(value);
    if constexpr (isComplex<V>)
      element = conjugate ? std::conj(element) : element;
    return alpha * element;
  };
}

/// Row by row: what is known is taken from b, and what is left divided by the diagonal.
template <typename V, bool upper, bool unit, typename Base, typename Element, typename B,
          typename X>
void solveRows(const Base &a, const Element &element, B &&b, X &&x) {
  const size_t rows = size_t(a.shape()[0]);
  for (size_t step = 0; step < rows; ++step) {
    const size_t i = upper ? rows - 1 - step : step;
    V left = V(b[i]), diagonal = V(0);
    for (size_t at = size_t(a.rowptr()[i]); at < size_t(a.rowptr()[i + 1]); ++at) {
      const size_t j = size_t(a.colind()[at]);
      if (j == i)
        diagonal += element(a.values()[at]);
      else if (upper ? j > i : j < i)
        left -= element(a.values()[at]) * V(x[j]);
    }
    x[i] = unit ? left : left / diagonal;
  }
}

/// Column by column: what an unknown adds to the others is taken from these.
template <typename V, bool upper, bool unit, typename Base, typename Element, typename B,
          typename X>
void solveColumns(const Base &a, const Element &element, B &&b, X &&x) {
  const size_t columns = size_t(a.shape()[1]);
  std::vector<V> left(columns);
  for (size_t i = 0; i < columns; ++i)
    left[i] = V(b[i]);
  for (size_t step = 0; step < columns; ++step) {
    const size_t j = upper ? columns - 1 - step : step;
    const size_t begin = size_t(a.colptr()[j]), end = size_t(a.colptr()[j + 1]);
    V diagonal = V(0);
    for (size_t at = begin; at < end; ++at)
      if (size_t(a.rowind()[at]) == j)
        diagonal += element(a.values()[at]);
    const V known = unit ? left[j] : left[j] / diagonal;
    for (size_t at = begin; at < end; ++at)
      if (size_t i = size_t(a.rowind()[at]); upper ? i < j : i > j)
        left[i] -= element(a.values()[at]) * known;
    x[j] = known;
  }
}

} // namespace strata::spblas

namespace spblas {

template <matrix A, class Triangle, class DiagonalStorage, vector B, vector X>
  requires strata::spblas::SparseOperand<A>
void triangular_solve(A &&a, Triangle, DiagonalStorage, B &&b, X &&x) {
  constexpr bool upper = std::is_same_v<Triangle, upper_triangle_t>;
  constexpr bool unit = std::is_same_v<DiagonalStorage, implicit_unit_diagonal_t>;
  static_assert(upper || std::is_same_v<Triangle, lower_triangle_t>);
  static_assert(unit || std::is_same_v<DiagonalStorage, explicit_diagonal_t>);
  const auto shape = __backend::shape(a);
  if (shape[0] != shape[1] || std::size_t(shape[0]) != std::size_t(__backend::shape(b)) ||
      std::size_t(shape[0]) != std::size_t(__backend::shape(x)))
    throw std::invalid_argument("triangular_solve: dimensions are incompatible.");
  using V = decltype(std::declval<std::remove_cv_t<tensor_scalar_t<A>>>() *
                     std::declval<strata::spblas::ElementOf<X>>());
  const auto base = __detail::get_ultimate_base(a);
  const auto element = strata::spblas::elementFunction<V>(a);
  if constexpr (__detail::has_csr_base<A>)
    strata::spblas::solveRows<V, upper, unit>(base, element, b, x);
  else
    strata::spblas::solveColumns<V, upper, unit>(base, element, b, x);
}

template <matrix A, class Triangle, class DiagonalStorage, vector B, vector X>
  requires strata::spblas::SparseOperand<A>
void triangular_solve(operation_info_t &, A &&a, Triangle triangle, DiagonalStorage diagonal, B &&b,
                      X &&x) {
  triangular_solve(std::forward<A>(a), triangle, diagonal, std::forward<B>(b), std::forward<X>(x));
}

template <matrix A, class Triangle, class DiagonalStorage, vector B, vector X>
operation_info_t triangular_solve_inspect(A &&, Triangle, DiagonalStorage, B &&, X &&) {
  return {};
}

template <matrix A, class Triangle, class DiagonalStorage, vector B, vector X>
void triangular_solve_inspect(operation_info_t &, A &&, Triangle, DiagonalStorage, B &&, X &&) {}

} // namespace spblas

#endif // STRATA_API_SPBLAS_TRIANGULARSOLVE_HPP
