// Where results go: dense ones into the memory of a view, sparse ones into its arrays.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_API_SPBLAS_RESULTS_HPP
#define STRATA_API_SPBLAS_RESULTS_HPP

#include "strata/api/spblas/Operands.hpp"

#include <algorithm>

namespace strata::spblas {

template <typename T> using ScalarOf = std::remove_cv_t<::spblas::tensor_scalar_t<T>>;
template <typename V> using ElementOf = std::remove_cvref_t<ranges::range_value_t<V>>;

/// The format of a sparse result, with the widths of the view's arrays.
template <typename C> strata_format *sparseFormat() {
  using View = std::remove_cvref_t<C>;
  constexpr int32_t positions = 8 * sizeof(typename View::offset_type);
  constexpr int32_t coordinates = 8 * sizeof(typename View::index_type);
  return Library::get().format(detail::is_csr_view_v<View> ? "CSR" : "CSC", 2,
                               typeOf<ScalarOf<View>>(), positions, coordinates);
}

inline size_t countOf(const strata_tensor *sparse) {
  return size_t(strata_tensor_array(sparse, 1).count);
}

/// Throws where an array of a result has more elements than its place.
template <typename T>
void checkRoom(const strata_array &from, std::span<T> to, const char *what, const char *who) {
  if (to.size() < size_t(from.count))
    throw std::runtime_error(std::string(who) +
                             ": the view of the result has too little memory: there are " +
                             std::to_string(from.count) + " " + what);
}

/// Copies an array of a result; both have elements of the same size.
template <typename T> void copyArray(const strata_array &from, std::span<T> to) {
  const T *data = static_cast<const T *>(from.data);
  std::copy(data, data + from.count, to.begin());
}

/// Makes a sparse view what a tensor is, or leaves it as it is and throws.
template <typename C> void store(const strata_tensor *result, C &c, const char *who) {
  using O = typename std::remove_cvref_t<C>::offset_type;
  const strata_array positions = strata_tensor_array(result, 0);
  const strata_array coordinates = strata_tensor_array(result, 1);
  const strata_array values = strata_tensor_array(result, 2);
  auto fill = [&](auto pos, auto crd) {
    const bool none = positions.count == 1 && pos.empty(); // of no rows, as in an operand
    if (!none)
      checkRoom(positions, pos, "positions", who);
    checkRoom(coordinates, crd, "entries", who);
    checkRoom(values, c.values(), "entries", who);
    if (!none)
      copyArray(positions, pos);
    copyArray(coordinates, crd);
    copyArray(values, c.values());
    c.update(c.values(), pos, crd, c.shape(), O(coordinates.count));
  };
  if constexpr (detail::is_csr_view_v<C>)
    fill(c.rowptr(), c.colind());
  else
    fill(c.colptr(), c.rowind());
}

/// The dense result of a statement in a matrix or a range.
template <typename C>
void computeDense(const std::string &text, std::vector<Operand> operands, C &c) {
  using View = std::remove_cvref_t<C>;
  Operand target;
  if constexpr (::spblas::matrix<View>)
    adoptMatrix(target, c);
  else
    adoptVector(target, c);
  Call call(text, std::move(operands), target.format);
  call.runInto(target.tensor.get());
  if (!target.memory)
    return;
  const void *data = strata_tensor_array(target.tensor.get(), 0).data;
  if constexpr (::spblas::matrix<View>) {
    const auto *elements = static_cast<const typename View::value_type *>(data);
    for (size_t i = 0; i < size_t(c.extent(0)); ++i)
      for (size_t j = 0; j < size_t(c.extent(1)); ++j)
        ::spblas::__backend::lookup(c, i, j) = elements[i * c.extent(1) + j];
  } else {
    const auto *elements = static_cast<const ElementOf<C> *>(data);
    std::copy(elements, elements + ranges::size(c), ranges::begin(c));
  }
}

} // namespace strata::spblas

#endif // STRATA_API_SPBLAS_RESULTS_HPP
