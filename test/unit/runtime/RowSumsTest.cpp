// Sums of rows of terms, at any lengths.
#include "strata/runtime/assembly.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace {

TEST(RowSums, areThoseOfTheTerms) {
  std::mt19937 engine(1);
  std::uniform_int_distribution<int32_t> length(0, 40);
  std::vector<int32_t> positions{3}; // of the first row
  for (int row = 0; row < 45; ++row)
    positions.push_back(positions.back() + (row % 3 ? length(engine) % 9 : length(engine)));
  std::vector<double> terms(static_cast<size_t>(positions.back() - positions.front()));
  for (double &term : terms)
    term = double(length(engine)) - 20; // whole numbers: any order gives the same sum
  for (int64_t first : {0, 1, 7, 44}) {
    const int64_t count = 45 - first;
    const double *own = terms.data() + (positions[size_t(first)] - positions.front());
    std::vector<double> sums(static_cast<size_t>(count));
    strata_kernel_add_rows(own, positions.data(), first, count, 4, sums.data(), 0);
    for (int64_t row = 0; row < count; ++row) {
      double expected = 0;
      for (int32_t at = positions[size_t(first + row)]; at < positions[size_t(first + row) + 1];
           ++at)
        expected += terms[static_cast<size_t>(at - positions.front())];
      EXPECT_EQ(sums[static_cast<size_t>(row)], expected) << "row " << row << " from " << first;
    }
  }
}

// Of rows that are few or many to a block, and of few or many terms; positions of this width.
template <typename Position> void checkRows(int64_t rows, int64_t most, int64_t seldom) {
  std::mt19937 engine(static_cast<unsigned>(rows + most));
  std::uniform_int_distribution<int64_t> length(0, most), rare(0, 15);
  std::vector<Position> positions{0};
  for (int64_t row = 0; row < rows; ++row)
    positions.push_back(static_cast<Position>(positions.back() + length(engine) +
                                              (rare(engine) == 0 ? seldom : 0)));
  std::vector<double> terms(static_cast<size_t>(positions.back()));
  for (double &term : terms)
    term = double(length(engine)) - double(most) / 2;
  std::vector<double> sums(static_cast<size_t>(rows + 2), 0.5);
  strata_kernel_add_rows(terms.data(), positions.data(), 0, rows, sizeof(Position), sums.data(),
                         /*place=*/1);
  EXPECT_EQ(sums.front(), 0.5);
  EXPECT_EQ(sums.back(), 0.5);
  for (int64_t row = 0; row < rows; ++row) {
    double expected = 0;
    for (auto at = size_t(positions[size_t(row)]); at < positions[size_t(row) + 1]; ++at)
      expected += terms[at];
    EXPECT_EQ(sums[static_cast<size_t>(row) + 1], expected)
        << "row " << row << " of " << rows << " with up to " << most;
  }
}

TEST(RowSums, areThoseOfTheTermsAtAnyWidth) {
  checkRows<uint8_t>(45, 4, 5);
  checkRows<uint8_t>(25, 9, 2);
  for (int64_t rows : {1, 7, 8, 15, 63, 64, 65, 127, 128, 130, 260, 600})
    for (int64_t most : {0, 2, 4, 6, 8, 12})
      for (int64_t seldom : {0, 30, 300}) {
        checkRows<uint16_t>(rows, most, seldom);
        checkRows<uint32_t>(rows, most, seldom);
        checkRows<uint64_t>(rows, most, seldom);
      }
}

TEST(RowSums, areNoNegativeZeros) {
  for (int64_t length : {3, 8, 11}) {
    const std::vector<double> terms(static_cast<size_t>(16 * length), -0.0);
    std::vector<int64_t> positions;
    for (int64_t row = 0; row <= 16; ++row)
      positions.push_back(length * row);
    std::vector<double> sums(16);
    strata_kernel_add_rows(terms.data(), positions.data(), 0, 16, 8, sums.data(), 0);
    for (double sum : sums)
      EXPECT_FALSE(std::signbit(sum));
  }
}

} // namespace
