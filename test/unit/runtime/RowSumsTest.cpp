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
    strata_kernel_add_rows(own, positions.data(), first, count, 4, sums.data());
    for (int64_t row = 0; row < count; ++row) {
      double expected = 0;
      for (int32_t at = positions[size_t(first + row)]; at < positions[size_t(first + row) + 1];
           ++at)
        expected += terms[static_cast<size_t>(at - positions.front())];
      EXPECT_EQ(sums[static_cast<size_t>(row)], expected) << "row " << row << " from " << first;
    }
  }
}

TEST(RowSums, areNoNegativeZeros) {
  const std::vector<double> terms(16 * 8, -0.0);
  std::vector<int64_t> positions;
  for (int64_t row = 0; row <= 16; ++row)
    positions.push_back(8 * row);
  std::vector<double> sums(16);
  strata_kernel_add_rows(terms.data(), positions.data(), 0, 16, 8, sums.data());
  for (double sum : sums)
    EXPECT_FALSE(std::signbit(sum));
}

} // namespace
