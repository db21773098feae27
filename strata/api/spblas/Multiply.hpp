// multiply: a sparse matrix times a vector, a dense matrix, or a sparse one, at once or in stages.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_API_SPBLAS_MULTIPLY_HPP
#define STRATA_API_SPBLAS_MULTIPLY_HPP

#include "strata/api/spblas/Results.hpp"

#include <spblas/detail/operation_info_t.hpp>

namespace strata::spblas {

template <typename M>
concept SparseView = detail::is_csr_view_v<M> || detail::is_csc_view_v<M>;
template <typename M>
concept SparseOperand = detail::has_csr_base<M> || detail::has_csc_base<M>;
template <typename M>
concept DenseMatrix = detail::is_matrix_mdspan_v<M>;
template <typename M>
concept DenseOperand = detail::has_mdspan_matrix_base<M>;

/// A product as a statement: its text, with the scaling of both operands in front, and operands.
template <typename T, typename A, typename B>
std::pair<std::string, std::vector<Operand>> productOf(const char *result, const char *indicesOfB,
                                                       A &&a, B &&b) {
  std::vector<Operand> operands;
  operands.push_back(operandOf("A", "i,j", a));
  operands.push_back(operandOf("B", indicesOfB, b));
  std::string text = "sum(j, " + operands[0].access + " * " + operands[1].access + ")";
  if (auto alpha = detail::get_scaling_factor(a, b)) {
    operands.push_back(scalarOf("s", scalarFrom<T>(*alpha)));
    text = "s * " + text;
  }
  return {result + text, std::move(operands)};
}

template <typename A, typename B, typename C> void checkMatrices(A &&a, B &&b, C &&c) {
  using ::spblas::__backend::shape;
  if (size_t(shape(a)[0]) != size_t(shape(c)[0]) || size_t(shape(b)[1]) != size_t(shape(c)[1]) ||
      size_t(shape(a)[1]) != size_t(shape(b)[0]))
    throw std::invalid_argument("multiply: matrix dimensions are incompatible.");
}

template <typename A, typename B, typename C> Call sparseProduct(A &&a, B &&b, C &&c) {
  checkMatrices(a, b, c);
  auto [text, operands] = productOf<ScalarOf<C>>("C(i,k) = ", "j,k", a, b);
  return Call(text, std::move(operands), sparseFormat<C>());
}

/// The first stage of an operation: how many entries its result has, and which, if that is worth
/// its time.
template <typename C>::spblas::operation_info_t assemble(const Call &call, const C &c) {
  const auto shape = ::spblas::__backend::shape(c);
  const ::spblas::index<> sizes(shape[0], shape[1]);
  if (Tensor pattern = call.assemble()) {
    const size_t nnz = countOf(pattern.get());
    return {sizes, nnz, std::shared_ptr<strata_tensor>(std::move(pattern))};
  }
  return {sizes, countOf(call.run().get())};
}

/// The second stage: its values.
template <typename C>
void fill(const ::spblas::operation_info_t &info, const Call &call, C &c, const char *who) {
  const auto *pattern = static_cast<const strata_tensor *>(info.pattern_impl_().get());
  Tensor result = pattern ? call.compute(pattern) : call.run();
  store(result.get(), c, who);
}

} // namespace strata::spblas

namespace spblas {

// C = A * b

template <matrix A, vector B, vector C>
  requires strata::spblas::SparseOperand<A>
void multiply(A &&a, B &&b, C &&c) {
  if (std::size_t(__backend::shape(a)[0]) != std::size_t(__backend::shape(c)) ||
      std::size_t(__backend::shape(a)[1]) != std::size_t(__backend::shape(b)))
    throw std::invalid_argument("multiply: matrix and vector dimensions are incompatible.");
  using T = strata::spblas::ElementOf<C>;
  auto [text, operands] = strata::spblas::productOf<T>("C(i) = ", "j", a, b);
  strata::spblas::computeDense(text, std::move(operands), c);
}

template <matrix A, vector B, vector C>
  requires strata::spblas::SparseOperand<A>
void multiply(operation_info_t &, A &&a, B &&b, C &&c) {
  multiply(std::forward<A>(a), std::forward<B>(b), std::forward<C>(c));
}

// C = A * B, dense

template <matrix A, matrix B, matrix C>
  requires((strata::spblas::SparseOperand<A> && strata::spblas::DenseOperand<B>) ||
           (strata::spblas::DenseOperand<A> && strata::spblas::SparseOperand<B>)) &&
          strata::spblas::DenseMatrix<C>
void multiply(A &&a, B &&b, C &&c) {
  strata::spblas::checkMatrices(a, b, c);
  using T = strata::spblas::ScalarOf<C>;
  auto [text, operands] = strata::spblas::productOf<T>("C(i,k) = ", "j,k", a, b);
  strata::spblas::computeDense(text, std::move(operands), c);
}

// C = A * B, sparse

template <matrix A, matrix B, matrix C>
  requires strata::spblas::SparseOperand<A> && strata::spblas::SparseOperand<B> &&
           strata::spblas::SparseView<C>
void multiply(A &&a, B &&b, C &&c) {
  strata::spblas::store(strata::spblas::sparseProduct(a, b, c).run().get(), c, "multiply");
}

template <matrix A, matrix B, matrix C> void multiply(operation_info_t &, A &&a, B &&b, C &&c) {
  multiply(std::forward<A>(a), std::forward<B>(b), std::forward<C>(c));
}

template <matrix A, matrix B, matrix C>
  requires strata::spblas::SparseOperand<A> && strata::spblas::SparseOperand<B> &&
           strata::spblas::SparseView<C>
operation_info_t multiply_compute(A &&a, B &&b, C &&c) {
  return strata::spblas::assemble(strata::spblas::sparseProduct(a, b, c), c);
}

template <matrix A, matrix B, matrix C>
  requires strata::spblas::SparseOperand<A> && strata::spblas::SparseOperand<B> &&
           strata::spblas::SparseView<C>
void multiply_compute(operation_info_t &info, A &&a, B &&b, C &&c) {
  info = multiply_compute(std::forward<A>(a), std::forward<B>(b), std::forward<C>(c));
}

template <matrix A, matrix B, matrix C>
  requires strata::spblas::SparseOperand<A> && strata::spblas::SparseOperand<B> &&
           strata::spblas::SparseView<C>
void multiply_fill(const operation_info_t &info, A &&a, B &&b, C &&c) {
  strata::spblas::fill(info, strata::spblas::sparseProduct(a, b, c), c, "multiply_fill");
}

// Inspecting: kernels are made when they are first called, and kept.

template <matrix A, typename B, typename C> operation_info_t multiply_inspect(A &&, B &&, C &&) {
  return {};
}

template <matrix A, typename B, typename C>
void multiply_inspect(operation_info_t &, A &&, B &&, C &&) {}

} // namespace spblas

#endif // STRATA_API_SPBLAS_MULTIPLY_HPP
