// add: sums of vectors, and of matrices, dense or sparse. Stands before the reference
// implementation's.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#pragma once

#include "strata/api/spblas/Multiply.hpp"

namespace strata::spblas {

template <typename A, typename B, typename C> void checkShapes(A &&a, B &&b, C &&c) {
  using ::spblas::__backend::shape;
  bool same = true;
  if constexpr (::spblas::matrix<std::remove_cvref_t<C>>)
    for (int dimension : {0, 1})
      same &= size_t(shape(a)[dimension]) == size_t(shape(c)[dimension]) &&
              size_t(shape(b)[dimension]) == size_t(shape(c)[dimension]);
  else
    same = size_t(shape(a)) == size_t(shape(c)) && size_t(shape(b)) == size_t(shape(c));
  if (!same)
    throw std::invalid_argument("add: dimensions are incompatible.");
}

/// The sum of two tensors as a statement, each with its own scaling.
template <typename T, typename A, typename B>
std::pair<std::string, std::vector<Operand>> sumOf(const char *indices, A &&a, B &&b) {
  std::vector<Operand> operands;
  operands.push_back(operandOf("A", indices, a));
  operands.push_back(operandOf("B", indices, b));
  std::string first = operands[0].access, second = operands[1].access;
  if (auto alpha = detail::get_scaling_factor(a)) {
    operands.push_back(scalarOf("s", scalarFrom<T>(*alpha)));
    first = "s * " + first;
  }
  if (auto beta = detail::get_scaling_factor(b)) {
    operands.push_back(scalarOf("t", scalarFrom<T>(*beta)));
    second = "t * " + second;
  }
  return {std::string("C(") + indices + ") = " + first + " + " + second, std::move(operands)};
}

template <typename A, typename B, typename C> Call sparseSum(A &&a, B &&b, C &&c) {
  checkShapes(a, b, c);
  auto [text, operands] = sumOf<ScalarOf<C>>("i,j", a, b);
  return Call(text, std::move(operands), sparseFormat<C>());
}

} // namespace strata::spblas

namespace spblas {

template <vector A, vector B, vector C> void add(A &&a, B &&b, C &&c) {
  strata::spblas::checkShapes(a, b, c);
  auto [text, operands] = strata::spblas::sumOf<strata::spblas::ElementOf<C>>("i", a, b);
  strata::spblas::computeDense(text, std::move(operands), c);
}

template <matrix A, matrix B, matrix C>
  requires strata::spblas::DenseMatrix<C>
void add(A &&a, B &&b, C &&c) {
  strata::spblas::checkShapes(a, b, c);
  auto [text, operands] = strata::spblas::sumOf<strata::spblas::ScalarOf<C>>("i,j", a, b);
  strata::spblas::computeDense(text, std::move(operands), c);
}

template <matrix A, matrix B, matrix C>
  requires strata::spblas::SparseOperand<A> && strata::spblas::SparseOperand<B> &&
           strata::spblas::SparseView<C>
void add(A &&a, B &&b, C &&c) {
  strata::spblas::store(strata::spblas::sparseSum(a, b, c).run().get(), c, "add");
}

template <matrix A, matrix B, matrix C>
  requires strata::spblas::SparseOperand<A> && strata::spblas::SparseOperand<B> &&
           strata::spblas::SparseView<C>
operation_info_t add_inspect(A &&a, B &&b, C &&c) {
  return strata::spblas::assemble(strata::spblas::sparseSum(a, b, c), c);
}

template <matrix A, matrix B, matrix C>
void add_inspect(operation_info_t &info, A &&a, B &&b, C &&c) {
  info = add_inspect(std::forward<A>(a), std::forward<B>(b), std::forward<C>(c));
}

template <matrix A, matrix B, matrix C>
  requires strata::spblas::SparseView<C>
void add_compute(const operation_info_t &info, A &&a, B &&b, C &&c) {
  strata::spblas::fill(info, strata::spblas::sparseSum(a, b, c), c, "add_compute");
}

template <matrix A, matrix B, matrix C>
  requires strata::spblas::DenseMatrix<C>
void add_compute(const operation_info_t &, A &&a, B &&b, C &&c) {
  add(std::forward<A>(a), std::forward<B>(b), std::forward<C>(c));
}

} // namespace spblas
