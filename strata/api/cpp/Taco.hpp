// Tensors in the storage of TACO (tensor-compiler.org), which its kernels take and give.
#ifndef STRATA_API_CPP_TACO_HPP
#define STRATA_API_CPP_TACO_HPP

#include "strata/api/cpp/Tensor.hpp"

namespace strata {
inline namespace cpp {

enum TacoMode : int32_t { TacoDense, TacoSparse };

/// Has the layout of TACO's taco_tensor_t, for programs without TACO's own header. A level is
/// called a mode there; `indices` has for each level, from the root, the size of its dimension if
/// it is dense, else its positions and its coordinates, all in 32 bits.
struct TacoTensor {
  int32_t order;
  int32_t *dimensions;    ///< the size of each dimension
  int32_t csize;          ///< bits of an element
  int32_t *mode_ordering; ///< the dimension of each level
  TacoMode *mode_types;   ///< of each level
  uint8_t ***indices;
  uint8_t *vals;
  uint8_t *fill_value; ///< null: 0
  int32_t vals_size;
};

namespace detail {

inline std::string fillText(double fill) {
  if (std::isnan(fill)) // which has no sign
    return "nan";
  if (std::isinf(fill))
    return fill < 0 ? "-inf" : "inf";
  char buffer[40];
  return std::string(buffer, std::to_chars(buffer, buffer + sizeof buffer, fill).ptr);
}
template <typename Part> std::string fillText(std::complex<Part> fill) {
  const double imaginary = double(fill.imag());
  return fillText(double(fill.real())) + (imaginary < 0 ? " - " : " + ") +
         fillText(std::abs(imaginary)) + "i";
}

/// What is read from a taco_tensor_t.
struct TacoStorage {
  std::string format;
  std::vector<int64_t> sizes;
  std::vector<strata_array> arrays;
};

/// `Given` is TacoTensor or TACO's own struct. Dense levels have no arrays here.
template <typename Given> TacoStorage readTaco(const Given &given, strata_type type) {
  TacoStorage storage;
  std::string dims, levels;
  int64_t positions = 1;
  for (int32_t level = 0; level < given.order; ++level) {
    storage.sizes.push_back(given.dimensions[level]);
    std::string comma = level == 0 ? "" : ", ";
    dims += comma + "d" + std::to_string(level);
    int32_t dim = given.mode_ordering[level];
    bool sparse = int32_t(given.mode_types[level]) == TacoSparse;
    levels += comma + "d" + std::to_string(dim) + (sparse ? " : compressed" : " : dense");
    if (!sparse) {
      positions *= given.dimensions[dim];
      continue;
    }
    auto *pos = reinterpret_cast<int32_t *>(given.indices[level][0]);
    storage.arrays.push_back({pos, positions + 1, STRATA_I32});
    positions = pos[positions];
    storage.arrays.push_back({given.indices[level][1], positions, STRATA_I32});
  }
  storage.arrays.push_back({given.vals, positions, int32_t(type)});
  storage.format = given.order == 0 ? std::string("Dense") : "(" + dims + ") -> (" + levels + ")";
  return storage;
}

} // namespace detail

/// Adopts a taco_tensor_t without a copy: its arrays are used where they are and only read until
/// `release` is called. Every promise of the format is checked first.
template <typename T, typename Given, typename Release>
Result<Tensor<T>> adoptTaco(const Given &given, Release release) {
  int64_t bytes = int64_t(sizeof(T));
  if (given.csize != 0 && given.csize != 8 * bytes && given.csize != bytes) {
    release();
    return Status(ErrorKind::Type, Mistake::Arrays,
                  "the elements of the taco_tensor_t have " + std::to_string(given.csize) +
                      " bits, not " + std::to_string(8 * bytes));
  }
  detail::TacoStorage storage = detail::readTaco(given, elementType<T>());
  if (given.fill_value) {
    T fill;
    std::memcpy(&fill, given.fill_value, sizeof fill);
    std::string text;
    if constexpr (std::is_arithmetic_v<T>)
      text = detail::fillText(double(fill));
    else
      text = detail::fillText(fill);
    if (!(fill == T()))
      storage.format = "{" + storage.format + ", fill = " + text + "}";
  }
  return Tensor<T>::adopt(storage.sizes, storage.format, storage.arrays, std::move(release));
}
template <typename T, typename Given> Result<Tensor<T>> adoptTaco(const Given &given) {
  return adoptTaco<T>(given, [] {});
}

} // namespace cpp
} // namespace strata

#endif // STRATA_API_CPP_TACO_HPP
