// The back end of the Sparse BLAS against dense loops: kinds of views, types, stages, and mistakes.
#include <spblas/spblas.hpp>

#include <complex>
#include <deque>
#include <gtest/gtest.h>
#include <random>

namespace {

using Complex = std::complex<double>;

template <typename T> T number(std::mt19937 &random) {
  if constexpr (strata::spblas::isComplex<T>)
    return T(typename T::value_type(int(random() % 9) - 4), typename T::value_type(random() % 5));
  else
    return T(int(random() % 9) - 4);
}

// A matrix in rows and in columns, whose entries lie in any order there, and all of its elements.
template <typename T, typename I = std::size_t, typename O = I> struct Matrix {
  I rows, columns;
  std::vector<T> elements, values, valuesOfColumns;
  std::vector<O> rowptr, colptr;
  std::vector<I> colind, rowind;

  Matrix(I rows, I columns, double density, unsigned seed) : rows(rows), columns(columns) {
    std::mt19937 random(seed);
    elements.assign(std::size_t(rows) * std::size_t(columns), T());
    for (T &element : elements)
      if (double(random() % 1000) < 1000 * density)
        element = number<T>(random);
    compress(rows, columns, [&](I i, I j) { return at(i, j); }, rowptr, colind, values, random);
    compress(
        columns, rows, [&](I j, I i) { return at(i, j); }, colptr, rowind, valuesOfColumns, random);
  }

  T at(I i, I j) const { return elements[std::size_t(i) * std::size_t(columns) + std::size_t(j)]; }
  auto csr() {
    return spblas::csr_view<T, I, O>(values, rowptr, colind, {rows, columns}, O(values.size()));
  }
  auto csc() {
    return spblas::csc_view<T, I, O>(valuesOfColumns, colptr, rowind, {rows, columns},
                                     O(valuesOfColumns.size()));
  }

private:
  template <typename At>
  static void compress(I outer, I inner, At element, std::vector<O> &positions,
                       std::vector<I> &coordinates, std::vector<T> &stored, std::mt19937 &random) {
    positions = {0};
    for (I i = 0; i < outer; ++i) {
      std::vector<I> places;
      for (I j = 0; j < inner; ++j)
        if (element(i, j) != T())
          places.push_back(j);
      std::shuffle(places.begin(), places.end(), random);
      for (I j : places) {
        coordinates.push_back(j);
        stored.push_back(element(i, j));
      }
      positions.push_back(O(coordinates.size()));
    }
  }
};

template <typename T> std::vector<T> vectorOf(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<T> made(count);
  for (T &element : made)
    element = number<T>(random);
  return made;
}

template <typename T, typename I, typename O, typename At>
std::vector<T> timesVector(const Matrix<T, I, O> &a, At element, const std::vector<T> &b) {
  std::vector<T> c(std::size_t(a.rows));
  for (I i = 0; i < a.rows; ++i)
    for (I j = 0; j < a.columns; ++j)
      c[std::size_t(i)] += element(a.at(i, j)) * b[std::size_t(j)];
  return c;
}

// The elements of a sparse view.
template <typename View> auto elementsOf(const View &view) {
  using T = typename View::scalar_type;
  const auto shape = view.shape();
  std::vector<T> elements(std::size_t(shape[0]) * std::size_t(shape[1]));
  constexpr bool rows = spblas::__detail::is_csr_view_v<View>;
  auto add = [&](auto outer, const auto &positions, const auto &coordinates) {
    for (std::size_t i = 0; i < std::size_t(outer); ++i)
      for (auto at = std::size_t(positions[i]); at < std::size_t(positions[i + 1]); ++at) {
        const auto j = std::size_t(coordinates[at]), columns = std::size_t(shape[1]);
        elements[rows ? i * columns + j : j * columns + i] += view.values()[at];
      }
  };
  if constexpr (rows)
    add(shape[0], view.rowptr(), view.colind());
  else
    add(shape[1], view.colptr(), view.rowind());
  return elements;
}

template <typename T, typename I, typename O>
std::vector<T> timesMatrix(const Matrix<T, I, O> &a, const std::vector<T> &b, I columns) {
  std::vector<T> c(std::size_t(a.rows * columns));
  for (I i = 0; i < a.rows; ++i)
    for (I j = 0; j < a.columns; ++j)
      for (I k = 0; k < columns; ++k)
        c[std::size_t(i * columns + k)] += a.at(i, j) * b[std::size_t(j * columns + k)];
  return c;
}

template <typename Types> class SpblasTypes : public testing::Test {};

template <typename T, typename I, typename O> struct Types {
  using Scalar = T;
  using Index = I;
  using Offset = O;
};
using AllTypes = testing::Types<Types<float, std::size_t, std::size_t>, Types<double, int, int>,
                                Types<Complex, int, long>, Types<std::complex<float>, long, long>,
                                Types<long, unsigned, unsigned long>, Types<double, unsigned, int>>;
TYPED_TEST_SUITE(SpblasTypes, AllTypes);

TYPED_TEST(SpblasTypes, MatrixTimesVector) {
  using T = typename TypeParam::Scalar;
  using I = typename TypeParam::Index;
  for (auto [rows, columns] : {std::pair{7, 5}, {1, 1}, {5, 0}, {0, 5}, {40, 60}}) {
    Matrix<T, I, typename TypeParam::Offset> a(I(rows), I(columns), 0.4, 1);
    std::vector<T> b = vectorOf<T>(std::size_t(columns), 2), c(std::size_t(rows), T(9));
    auto plain = [](T value) { return value; };
    spblas::multiply(a.csr(), b, c);
    EXPECT_EQ(c, timesVector(a, plain, b));
    std::fill(c.begin(), c.end(), T(9));
    spblas::multiply(a.csc(), b, c);
    EXPECT_EQ(c, timesVector(a, plain, b));
    spblas::multiply(spblas::scaled(T(3), a.csr()), spblas::scaled(T(2), b), c);
    EXPECT_EQ(c, timesVector(a, [](T value) { return T(6) * value; }, b));
    spblas::multiply(spblas::matrix_opt(a.csr()), b, c);
    EXPECT_EQ(c, timesVector(a, plain, b));
  }
}

TYPED_TEST(SpblasTypes, SparseProducts) {
  using T = typename TypeParam::Scalar;
  using I = typename TypeParam::Index;
  using O = typename TypeParam::Offset;
  for (auto [m, n, p] : {std::tuple{9, 7, 8}, {1, 1, 1}, {3, 0, 4}, {30, 20, 25}, {130, 110, 20}}) {
    Matrix<T, I, O> a(I(m), I(n), 0.3, 3), b(I(n), I(p), 0.3, 4);
    const std::vector<T> expected = timesMatrix(a, b.elements, I(p));
    auto check = [&](auto left, auto right, auto c, std::vector<O> &positions) {
      auto info = spblas::multiply_compute(left, right, c);
      std::vector<T> values(info.result_nnz());
      std::vector<I> coordinates(info.result_nnz());
      c.update(values, positions, coordinates);
      spblas::multiply_fill(info, left, right, c);
      EXPECT_EQ(elementsOf(c), expected);
      // Other values at the same entries.
      std::vector<T> doubled = expected;
      for (T &element : doubled)
        element *= T(2);
      spblas::multiply_fill(info, spblas::scaled(T(2), left), right, c);
      EXPECT_EQ(elementsOf(c), doubled);
      spblas::multiply(left, right, c);
      EXPECT_EQ(elementsOf(c), expected);
    };
    std::vector<O> rowptr(std::size_t(m + 1)), colptr(std::size_t(p + 1));
    spblas::csr_view<T, I, O> rows(nullptr, rowptr.data(), nullptr, {I(m), I(p)}, 0);
    spblas::csc_view<T, I, O> columns(nullptr, colptr.data(), nullptr, {I(m), I(p)}, 0);
    check(a.csr(), b.csr(), rows, rowptr);
    check(a.csr(), b.csc(), rows, rowptr);
    check(a.csc(), b.csr(), rows, rowptr);
    check(a.csc(), b.csc(), rows, rowptr);
    check(a.csr(), b.csr(), columns, colptr);
    check(a.csc(), b.csc(), columns, colptr);
  }
}

TYPED_TEST(SpblasTypes, Sums) {
  using T = typename TypeParam::Scalar;
  using I = typename TypeParam::Index;
  using O = typename TypeParam::Offset;
  Matrix<T, I, O> a(I(6), I(9), 0.3, 5), b(I(6), I(9), 0.3, 6);
  std::vector<T> expected = a.elements;
  for (std::size_t at = 0; at < expected.size(); ++at)
    expected[at] += T(3) * b.elements[at];
  std::vector<O> rowptr(7);
  spblas::csr_view<T, I, O> c(nullptr, rowptr.data(), nullptr, {I(6), I(9)}, 0);
  auto info = spblas::add_inspect(a.csr(), spblas::scaled(T(3), b.csc()), c);
  std::vector<T> values(info.result_nnz());
  std::vector<I> colind(info.result_nnz());
  c.update(values, rowptr, colind);
  spblas::add_compute(info, a.csr(), spblas::scaled(T(3), b.csc()), c);
  EXPECT_EQ(elementsOf(c), expected);
  spblas::add(a.csr(), spblas::scaled(T(3), b.csr()), c);
  EXPECT_EQ(elementsOf(c), expected);
  std::vector<T> x = vectorOf<T>(5, 7), y = vectorOf<T>(5, 8), z(5);
  spblas::add(x, y, z);
  for (std::size_t at = 0; at < 5; ++at)
    EXPECT_EQ(z[at], x[at] + y[at]);
}

TEST(Spblas, MatrixTimesDenseMatrix) {
  Matrix<double> a(6, 8, 0.4, 9);
  std::vector<double> b = vectorOf<double>(8 * 3, 10), c(6 * 3, 9.0);
  const std::vector<double> expected = timesMatrix(a, b, std::size_t(3));
  spblas::mdspan_row_major<double, std::size_t> rowsB(b.data(), 8, 3), rowsC(c.data(), 6, 3);
  spblas::multiply(a.csr(), rowsB, rowsC);
  EXPECT_EQ(c, expected);
  std::vector<double> turnedB(24), turnedC(18);
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      turnedB[j * 8 + i] = b[i * 3 + j];
  spblas::mdspan_col_major<double, std::size_t> columnsB(turnedB.data(), 8, 3);
  spblas::mdspan_col_major<double, std::size_t> columnsC(turnedC.data(), 6, 3);
  std::fill(c.begin(), c.end(), 9.0);
  spblas::multiply(a.csc(), columnsB, rowsC);
  EXPECT_EQ(c, expected);
  spblas::multiply(a.csr(), columnsB, columnsC);
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      EXPECT_EQ(turnedC[j * 6 + i], expected[i * 3 + j]);
}

TEST(Spblas, Conjugates) {
  Matrix<Complex> a(6, 7, 0.5, 11);
  std::vector<Complex> b = vectorOf<Complex>(7, 12), c(6), conjugated = b;
  for (Complex &element : conjugated)
    element = std::conj(element);
  spblas::multiply(spblas::conjugated(a.csr()), b, c);
  EXPECT_EQ(c, timesVector(a, [](Complex value) { return std::conj(value); }, b));
  spblas::multiply(spblas::scaled(Complex(0, 1), a.csc()), spblas::conjugated(b), c);
  EXPECT_EQ(c, timesVector(a, [](Complex value) { return Complex(0, 1) * value; }, conjugated));
  spblas::multiply(spblas::conjugated(spblas::scaled(1.0, spblas::conjugated(a.csr()))), b, c);
  EXPECT_EQ(c, timesVector(a, [](Complex value) { return value; }, b));
}

TEST(Spblas, RangesThatAreNotContiguous) {
  Matrix<double> a(4, 5, 0.6, 13);
  std::vector<double> b = vectorOf<double>(5, 14);
  std::deque<double> from(b.begin(), b.end()), to(4);
  spblas::multiply(a.csr(), from, to);
  EXPECT_EQ(std::vector<double>(to.begin(), to.end()),
            timesVector(a, [](double value) { return value; }, b));
}

template <typename T, typename Triangle, typename Diagonal, typename View>
void checkSolve(Matrix<T> &a, View view, Triangle triangle, Diagonal diagonal, T alpha) {
  constexpr bool upper = std::is_same_v<Triangle, spblas::upper_triangle_t>;
  constexpr bool unit = std::is_same_v<Diagonal, spblas::implicit_unit_diagonal_t>;
  const std::size_t n = a.rows;
  std::vector<T> x = vectorOf<T>(n, 15), b(n), found(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      if (i == j)
        b[i] += (unit ? T(1) : alpha * a.at(i, i)) * x[i];
      else if (upper ? j > i : j < i)
        b[i] += alpha * a.at(i, j) * x[j];
  spblas::triangular_solve(view, triangle, diagonal, b, found);
  for (std::size_t i = 0; i < n; ++i)
    EXPECT_LE(std::abs(found[i] - x[i]), 1e-9);
}

template <typename T> void checkSolves(T alpha) {
  Matrix<T> random(12, 12, 0.3, 16);
  for (std::size_t i = 0; i < 12; ++i)
    random.elements[i * 12 + i] = T(8);
  Matrix<T> a = random;
  // Its diagonal, too, is stored.
  std::vector<std::pair<std::size_t, std::size_t>> places;
  a.values.clear(), a.colind.clear(), a.valuesOfColumns.clear(), a.rowind.clear();
  a.rowptr = a.colptr = {0};
  for (std::size_t i = 0; i < 12; ++i) {
    for (std::size_t j = 12; j-- > 0;) {
      if (a.at(i, j) != T())
        a.values.push_back(a.at(i, j)), a.colind.push_back(j);
      if (a.at(j, i) != T())
        a.valuesOfColumns.push_back(a.at(j, i)), a.rowind.push_back(j);
    }
    a.rowptr.push_back(a.values.size());
    a.colptr.push_back(a.valuesOfColumns.size());
  }
  auto each = [&](auto view) {
    auto scaled = spblas::scaled(alpha, view);
    checkSolve(a, scaled, spblas::upper_triangle, spblas::explicit_diagonal, alpha);
    checkSolve(a, scaled, spblas::lower_triangle, spblas::explicit_diagonal, alpha);
    checkSolve(a, view, spblas::upper_triangle, spblas::implicit_unit_diagonal, T(1));
    checkSolve(a, view, spblas::lower_triangle, spblas::implicit_unit_diagonal, T(1));
  };
  each(a.csr());
  each(a.csc());
}

TEST(Spblas, TriangularSystems) {
  checkSolves<double>(2);
  checkSolves<Complex>(Complex(0, 1));
}

TEST(Spblas, ManyEntries) {
  const int rows = 200000;
  std::vector<int> rowptr, colind;
  std::vector<double> values, b(std::size_t(rows), 1.0), c(rowptr.size() + std::size_t(rows));
  for (int i = 0; i < rows; ++i) {
    rowptr.push_back(int(colind.size()));
    for (int step = 4; step >= 0; --step) // from the last column to the first
      colind.push_back(int((long(i) * 7 + step * 40000L) % rows)), values.push_back(step + 1);
  }
  rowptr.push_back(int(colind.size()));
  spblas::csr_view<double, int> a(values, rowptr, colind, {rows, rows}, int(values.size()));
  spblas::multiply(a, b, c);
  EXPECT_EQ(c, std::vector<double>(std::size_t(rows), 15.0));
}

TEST(Spblas, Mistakes) {
  Matrix<double> a(4, 5, 0.6, 17), b(6, 3, 0.5, 18), fits(5, 3, 0.9, 19);
  std::vector<double> x(4), y(4);
  EXPECT_THROW(spblas::multiply(a.csr(), x, y), std::invalid_argument);
  std::vector<std::size_t> rowptr(5);
  spblas::csr_view<double> c(nullptr, rowptr.data(), nullptr, {4, 3}, 0);
  EXPECT_THROW(spblas::multiply_compute(a.csr(), b.csr(), c), std::invalid_argument);
  EXPECT_THROW(spblas::multiply(a.csr(), fits.csr(), c), std::runtime_error);
  EXPECT_THROW(spblas::add(a.csr(), a.csr(), c), std::invalid_argument);
  EXPECT_THROW(
      spblas::triangular_solve(a.csr(), spblas::upper_triangle, spblas::explicit_diagonal, x, y),
      std::invalid_argument);
}

} // namespace
