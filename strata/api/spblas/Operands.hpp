// Views and ranges as tensors of Strata, which refer to their arrays.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_API_SPBLAS_OPERANDS_HPP
#define STRATA_API_SPBLAS_OPERANDS_HPP

#include "strata/api/spblas/Library.hpp"

#include <spblas/backend/backend.hpp>
#include <spblas/concepts.hpp>
#include <spblas/detail/mdspan.hpp>
#include <spblas/detail/view_inspectors.hpp>

#include <iterator>
#include <optional>

namespace strata::spblas {

namespace detail = ::spblas::__detail;
namespace ranges = ::spblas::__ranges;

/// Rows, or columns, whose entries may be in any order.
inline constexpr const char *rowsInAnyOrder = "(i, j) -> (i : dense, j : compressed(unordered))";
inline constexpr const char *columnsInAnyOrder = "(i, j) -> (j : dense, i : compressed(unordered))";
inline constexpr const char *columnMajor = "(i, j) -> (j : dense, i : dense)";

template <typename T> constexpr bool isComplex = false;
template <typename T> constexpr bool isComplex<std::complex<T>> = true;

/// An operand of a statement: its tensor, with what it refers to where that is a copy.
struct Operand {
  std::string name, access; ///< "A", "conj(A(i,j))"
  strata_format *format = nullptr;
  Tensor tensor = {};
  std::shared_ptr<void> memory = {};
};

template <typename T> strata_array arrayOf(T *data, size_t count, strata_type type) {
  return {const_cast<std::remove_cv_t<T> *>(data), int64_t(count), type};
}

inline Tensor adopt(strata_format *format, const std::vector<int64_t> &sizes,
                    const std::vector<strata_array> &arrays) {
  strata_tensor *made = nullptr;
  check(strata_tensor_from_buffers(Library::get().session(), format, sizes.data(), arrays.data(),
                                   int32_t(arrays.size()), STRATA_ADOPT, nullptr, nullptr, &made));
  return Tensor(made);
}

template <typename I, typename O, typename T>
void adoptCompressed(Operand &operand, const char *text, std::vector<int64_t> sizes, size_t rows,
                     std::span<O> positions, std::span<I> coordinates, std::span<T> values,
                     size_t nnz) {
  static const std::remove_cv_t<O> none[1] = {};
  operand.format = Library::get().format(text, 2, typeOf<T>());
  const bool empty = rows == 0 && positions.empty(); // whose array of positions may be missing
  operand.tensor = adopt(operand.format, sizes,
                         {arrayOf(empty ? none : positions.data(), rows + 1, indexTypeOf<O>()),
                          arrayOf(coordinates.data(), nnz, indexTypeOf<I>()),
                          arrayOf(values.data(), nnz, typeOf<T>())});
}

/// A matrix without its scaling and conjugation.
template <typename M> void adoptMatrix(Operand &operand, const M &matrix) {
  const auto shape = ::spblas::__backend::shape(matrix);
  const std::vector<int64_t> sizes = {int64_t(shape[0]), int64_t(shape[1])};
  if constexpr (detail::is_csr_view_v<M>) {
    adoptCompressed(operand, rowsInAnyOrder, sizes, shape[0], matrix.rowptr(), matrix.colind(),
                    matrix.values(), matrix.size());
  } else if constexpr (detail::is_csc_view_v<M>) {
    adoptCompressed(operand, columnsInAnyOrder, sizes, shape[1], matrix.colptr(), matrix.rowind(),
                    matrix.values(), matrix.size());
  } else {
    using T = typename M::value_type;
    using Layout = typename M::layout_type;
    constexpr bool rows = std::is_same_v<Layout, ::spblas::__mdspan::layout_right>;
    constexpr bool columns = std::is_same_v<Layout, ::spblas::__mdspan::layout_left>;
    const size_t count = size_t(shape[0]) * size_t(shape[1]);
    operand.format = Library::get().format(columns ? columnMajor : "Dense", 2, typeOf<T>());
    const T *data = nullptr;
    if constexpr (rows || columns) {
      data = matrix.data_handle();
    } else { // gathered by rows
      auto copy = std::make_shared<std::vector<T>>(count);
      for (size_t i = 0; i < size_t(shape[0]); ++i)
        for (size_t j = 0; j < size_t(shape[1]); ++j)
          (*copy)[i * shape[1] + j] = ::spblas::__backend::lookup(matrix, i, j);
      data = copy->data();
      operand.memory = copy;
    }
    operand.tensor = adopt(operand.format, sizes, {arrayOf(data, count, typeOf<T>())});
  }
}

/// A range of elements, which is copied if they do not lie one after the other.
template <typename V> void adoptVector(Operand &operand, V &&vector) {
  using T = std::remove_cvref_t<ranges::range_value_t<V>>;
  const size_t count = size_t(ranges::size(vector));
  operand.format = Library::get().format("Dense", 1, typeOf<T>());
  const T *data = nullptr;
  if constexpr (ranges::contiguous_range<V>) {
    data = ranges::data(vector);
  } else {
    auto copy = std::make_shared<std::vector<T>>(ranges::begin(vector), ranges::end(vector));
    data = copy->data();
    operand.memory = copy;
  }
  operand.tensor = adopt(operand.format, {int64_t(count)}, {arrayOf(data, count, typeOf<T>())});
}

/// The tensor below all scaling and conjugation: a view, which refers to what it was made of.
template <typename T> decltype(auto) withoutScaling(T &&tensor) {
  if constexpr (detail::is_scaled_view_v<T> || detail::is_conjugated_view_v<T> ||
                detail::is_matrix_opt_v<T>) {
    auto base = tensor.base();
    if constexpr (detail::is_scaled_view_v<decltype(base)> ||
                  detail::is_conjugated_view_v<decltype(base)> ||
                  detail::is_matrix_opt_v<decltype(base)>)
      return withoutScaling(base);
    else
      return base;
  } else {
    return (tensor);
  }
}

/// An operand with its conjugation, which the access has; scaling is asked for apart.
template <typename T> Operand operandOf(const char *name, const char *indices, T &&tensor) {
  Operand operand{.name = name, .access = std::string(name) + "(" + indices + ")"};
  decltype(auto) base = withoutScaling(tensor);
  using Base = std::remove_cvref_t<decltype(base)>;
  if constexpr (::spblas::matrix<Base>)
    adoptMatrix(operand, base);
  else
    adoptVector(operand, base);
  if (isComplex<std::remove_cvref_t<::spblas::tensor_scalar_t<Base>>> &&
      detail::is_conjugated(tensor))
    operand.access = "conj(" + operand.access + ")";
  return operand;
}

/// A number as an operand.
template <typename T> Operand scalarOf(const char *name, T value) {
  auto copy = std::make_shared<T>(value);
  Operand operand{.name = name, .access = name};
  operand.format = Library::get().format("Dense", 0, typeOf<T>());
  operand.tensor = adopt(operand.format, {}, {arrayOf(copy.get(), 1, typeOf<T>())});
  operand.memory = copy;
  return operand;
}

/// The scalars of an element type, as large as it.
template <typename T, typename S> T scalarFrom(S value) {
  if constexpr (isComplex<S> && isComplex<T>)
    return T(typename T::value_type(value.real()), typename T::value_type(value.imag()));
  else if constexpr (isComplex<T>)
    return T(typename T::value_type(value));
  else if constexpr (isComplex<S>)
    throw std::invalid_argument("a real result is scaled by a complex number");
  else
    return T(value);
}

/// A statement with its operands.
class Call {
public:
  Call(std::string text, std::vector<Operand> operands, const strata_format *result)
      : operands(std::move(operands)) {
    std::vector<strata_operand> described;
    for (const Operand &operand : this->operands)
      described.push_back({operand.name.c_str(), operand.format});
    statement = Library::get().statement(text, described, result);
    for (int32_t at = 0; const char *name = strata_statement_operand(statement.get(), at); ++at)
      for (const Operand &operand : this->operands)
        if (operand.name == name)
          tensors.push_back(operand.tensor.get());
  }

  Tensor run() const {
    strata_tensor *made = nullptr;
    check(strata_statement_run(statement.get(), tensors.data(), count(), &made));
    return Tensor(made);
  }
  void runInto(strata_tensor *target) const {
    check(strata_statement_run_into(statement.get(), tensors.data(), count(), target));
  }
  /// The entries of the result; null where they cannot be told without its values, and where all
  /// of it is computed in less time than a stage takes to begin.
  Tensor assemble() const {
    constexpr int64_t fewEntries = 4096;
    int64_t entries = 0;
    for (const strata_tensor *tensor : tensors)
      entries += strata_tensor_stored(tensor);
    if (entries < fewEntries)
      return nullptr;
    strata_tensor *made = nullptr;
    if (strata_error *error =
            strata_statement_assemble(statement.get(), tensors.data(), count(), &made)) {
      strata_error_free(error);
      return nullptr;
    }
    return Tensor(made);
  }
  /// The values at these entries; all anew where there are others.
  Tensor compute(const strata_tensor *pattern) const {
    strata_tensor *made = nullptr;
    if (strata_error *error =
            strata_statement_compute(statement.get(), tensors.data(), count(), pattern, &made)) {
      strata_error_free(error);
      return run();
    }
    return Tensor(made);
  }

private:
  int32_t count() const { return int32_t(tensors.size()); }

  std::vector<Operand> operands;
  std::vector<strata_tensor *> tensors;
  Statement statement;
};

} // namespace strata::spblas

#endif // STRATA_API_SPBLAS_OPERANDS_HPP
