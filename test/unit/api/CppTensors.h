// What the tests of strata.hpp have in common: small tensors, and their elements.
#ifndef STRATA_TEST_UNIT_API_CPPTENSORS_H
#define STRATA_TEST_UNIT_API_CPPTENSORS_H

#include "strata/api/strata.hpp"

#include <gtest/gtest.h>

namespace strata::test {

using Vector = std::vector<double>;

template <typename T> std::vector<T> elementsOf(const Tensor<T> &tensor) {
  Result<std::vector<T>> elements = tensor.toVector();
  EXPECT_TRUE(elements.ok()) << elements.status().describe();
  return elements ? *elements : std::vector<T>();
}

template <typename T> std::string formatOf(const Tensor<T> &tensor) {
  Result<std::string> format = tensor.format();
  return format ? *format : format.status().describe();
}

/// . 1 . 2 / . . . . / 3 . . 4
inline Tensor<double> matrix(const char *format = "CSR") {
  Tensor<double> A({3, 4}, format);
  A.insert(0, 1, 1.0);
  A.insert({0, 3}, 2.0);
  A.insert(2, 3, 4.0);
  A.insert(2, 0, 3.0);
  return A;
}

inline Tensor<double> vector(Vector elements) {
  size_t size = elements.size();
  return Tensor<double>::dense({size}, std::move(elements)).value();
}

} // namespace strata::test

#endif // STRATA_TEST_UNIT_API_CPPTENSORS_H
