// Decompositions of dense matrices, by what defines them: U has orthonormal columns, and the rows
// of U^H A are orthogonal and as long as the singular values.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/dense/LinearAlgebra.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace {

using namespace strata::runtime;
using Complex = std::complex<double>;

/// A matrix by rows.
struct Matrix {
  int64_t rows, columns;
  std::vector<Complex> values = std::vector<Complex>(static_cast<size_t>(rows * columns));
  Complex &at(int64_t row, int64_t column) {
    return values[static_cast<size_t>(row * columns + column)];
  }
};

Matrix product(Matrix a, Matrix b) {
  Matrix c{a.rows, b.columns};
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t j = 0; j < b.columns; ++j)
      for (int64_t k = 0; k < a.columns; ++k)
        c.at(i, j) += a.at(i, k) * b.at(k, j);
  return c;
}

Matrix adjoint(Matrix a) {
  Matrix result{a.columns, a.rows};
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t j = 0; j < a.columns; ++j)
      result.at(j, i) = std::conj(a.at(i, j));
  return result;
}

/// A random one of a given rank, of complex or of real numbers.
Matrix draw(int64_t rows, int64_t columns, int64_t rank, bool isComplex, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Matrix left{rows, rank}, right{rank, columns};
  for (Matrix *factor : {&left, &right})
    for (Complex &value : factor->values)
      value = {normal(random), isComplex ? normal(random) : 0};
  return product(left, right);
}

Coordinates listOf(Matrix a, bool isComplex) {
  Result<Coordinates> list =
      Coordinates::create({a.rows, a.columns}, isComplex ? STRATA_C128 : STRATA_F64,
                          static_cast<int64_t>(a.values.size()));
  EXPECT_TRUE(list.ok());
  for (int64_t e = 0; e < list->count(); ++e) {
    withCoordinateType(list->coordinateType(), [&]<typename C>(C *) {
      list->column(0).as<C>()[e] = static_cast<C>(e / a.columns);
      list->column(1).as<C>()[e] = static_cast<C>(e % a.columns);
    });
    const Complex value = a.values[static_cast<size_t>(e)];
    if (isComplex)
      list->values().as<Complex>()[e] = value;
    else
      list->values().as<double>()[e] = value.real();
  }
  return std::move(*list);
}

Matrix matrixOf(const Coordinates &list) {
  Matrix a{list.sizes()[0], list.order() == 1 ? 1 : list.sizes()[1]};
  for (int64_t e = 0; e < list.count(); ++e)
    a.at(list.coordinate(0, e), list.order() == 1 ? 0 : list.coordinate(1, e)) = list.value(e);
  return a;
}

void checkSingular(Matrix a, int64_t wanted, bool isComplex) {
  SCOPED_TRACE(testing::Message() << a.rows << " x " << a.columns << ", " << wanted << " wanted, "
                                  << (isComplex ? "complex" : "real"));
  const Coordinates list = listOf(a, isComplex);
  const Coordinates *operands[] = {&list};
  Result<Coordinates> values = linearAlgebra("singular_values", operands, wanted);
  Result<Coordinates> vectors = linearAlgebra("singular_vectors", operands, wanted);
  ASSERT_TRUE(values.ok() && vectors.ok());
  Matrix sizes = matrixOf(*values), u = matrixOf(*vectors);
  ASSERT_EQ(sizes.rows, wanted);
  ASSERT_EQ(u.columns, wanted);
  double length = 1;
  for (Complex value : a.values)
    length = std::max(length, std::norm(value) * static_cast<double>(a.values.size()));
  Matrix ones = product(adjoint(u), u), rows = product(adjoint(u), a);
  Matrix squares = product(rows, adjoint(rows));
  for (int64_t i = 0; i < wanted; ++i)
    for (int64_t j = 0; j < wanted; ++j) {
      EXPECT_NEAR(std::abs(ones.at(i, j) - (i == j ? 1.0 : 0.0)), 0, 1e-12);
      const double square = i == j ? std::norm(sizes.at(i, 0)) : 0;
      EXPECT_NEAR(std::abs(squares.at(i, j) - square), 0, 1e-12 * length);
    }
  for (int64_t i = 1; i < wanted; ++i)
    EXPECT_GE(sizes.at(i - 1, 0).real(), sizes.at(i, 0).real());
  // Each vector's greatest element is positive.
  for (int64_t j = 0; j < wanted; ++j) {
    Complex greatest = 0;
    for (int64_t i = 0; i < u.rows; ++i)
      if (std::abs(u.at(i, j)) > std::abs(greatest) * (1 + 1e-9))
        greatest = u.at(i, j);
    EXPECT_NEAR(std::abs(greatest - std::abs(greatest)), 0, 1e-9);
  }
  // The greatest ones hold all of the matrix that so many can.
  double inside = 0, whole = 0;
  for (Complex value : rows.values)
    inside += std::norm(value);
  for (Complex value : a.values)
    whole += std::norm(value);
  if (wanted == std::min(a.rows, a.columns))
    EXPECT_NEAR(inside, whole, 1e-12 * length);
}

TEST(LinearAlgebra, SingularVectorsOfAllShapes) {
  unsigned seed = 0;
  const int64_t shapes[][2] = {{1, 1}, {1, 6}, {6, 1},   {2, 2},   {7, 4},
                               {4, 7}, {9, 9}, {30, 20}, {20, 33}, {40, 40}};
  for (bool isComplex : {false, true})
    for (auto [rows, columns] : shapes) {
      const int64_t least = std::min(rows, columns);
      for (int64_t rank : {least, (least + 1) / 2, int64_t{0}})
        for (int64_t wanted : {least, (least + 1) / 2})
          checkSingular(draw(rows, columns, rank, isComplex, ++seed), wanted, isComplex);
    }
}

TEST(LinearAlgebra, RepeatedSingularValues) {
  for (bool isComplex : {false, true}) {
    Matrix a{12, 12};
    for (int64_t i = 0; i < 12; ++i)
      a.at(i, 11 - i) = isComplex ? Complex(0, i < 6 ? 2 : -3) : Complex(i < 6 ? 2 : -3);
    checkSingular(a, 12, isComplex);
    checkSingular(a, 5, isComplex);
  }
}

// A complex matrix of real numbers has the values of the real one.
TEST(LinearAlgebra, ComplexAndRealAgree) {
  Matrix a = draw(25, 18, 18, false, 77);
  const Coordinates real = listOf(a, false), complex = listOf(a, true);
  for (const char *function : {"singular_values", "singular_vectors"}) {
    const Coordinates *one[] = {&real}, *other[] = {&complex};
    Result<Coordinates> expected = linearAlgebra(function, one, 18);
    Result<Coordinates> found = linearAlgebra(function, other, 18);
    ASSERT_TRUE(expected.ok() && found.ok());
    for (int64_t e = 0; e < expected->count(); ++e)
      EXPECT_NEAR(std::abs(expected->value(e) - found->value(e)), 0, 1e-10);
  }
}

} // namespace
