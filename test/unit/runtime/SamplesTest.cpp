// What kernels ask about their operands: whether to look ahead, and how rows are added up.
#include "strata/runtime/Thresholds.h"
#include "strata/runtime/assembly.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace {

constexpr int64_t count = int64_t{1} << 20;
constexpr int64_t elements = int64_t{1} << 27; // of 8 bytes: more than any cache holds

int64_t lookahead(const std::vector<int32_t> &coordinates, int64_t stride, int64_t total) {
  return strata_kernel_lookahead(nullptr, coordinates.data(),
                                 static_cast<int64_t>(coordinates.size()), 4, stride, total);
}

std::vector<int32_t> scattered(int64_t many) {
  std::mt19937 engine(1);
  std::uniform_int_distribution<int32_t> draw(0, elements - 1);
  std::vector<int32_t> coordinates(static_cast<size_t>(many));
  for (int32_t &one : coordinates)
    one = draw(engine);
  return coordinates;
}

TEST(Lookahead, looksAheadWhereLinesComeFromMemory) {
  const std::vector<int32_t> coordinates = scattered(count);
  const int64_t near = lookahead(coordinates, 1024, elements * 1024);
  EXPECT_GT(near, 0);
  EXPECT_GT(lookahead(coordinates, 8, elements * 8), near) << "short rows come and go faster";
}

TEST(Lookahead, asksForNothingThatIsInTheCaches) {
  EXPECT_EQ(lookahead(scattered(count), 8, 4096), 0) << "a small operand";
  EXPECT_EQ(lookahead(scattered(1000), 8, elements * 8), 0) << "little to do";
  std::vector<int32_t> ascending(count), repeated(count);
  for (size_t at = 0; at < ascending.size(); ++at) {
    ascending[at] = static_cast<int32_t>(at);
    repeated[at] = static_cast<int32_t>(at % 50 * 100000); // rows that resemble each other
  }
  EXPECT_EQ(lookahead(ascending, 8, elements * 8), 0);
  EXPECT_EQ(lookahead(repeated, 8, elements * 8), 0);
}

int64_t way(const std::vector<int32_t> &positions, int64_t total) {
  return strata_kernel_short_rows(nullptr, positions.data(), static_cast<int64_t>(positions.size()),
                                  4, total);
}

std::vector<int32_t> rowsOf(int64_t many, int32_t shortest, int32_t longest) {
  std::mt19937 engine(1);
  std::uniform_int_distribution<int32_t> length(shortest, longest);
  std::vector<int32_t> positions{0};
  for (int64_t row = 0; row < many; ++row)
    positions.push_back(positions.back() + length(engine));
  return positions;
}

TEST(ShortRows, areAddedUpByTheirLengths) {
  constexpr int64_t many = 100000;
  const int64_t masked = strata_longest_masked_rows();
  EXPECT_EQ(way(rowsOf(many, 0, 5), 80000),
            masked ? STRATA_ROWS_BY_MASKS : STRATA_ROWS_IN_ONE_LOOP);
  EXPECT_EQ(way(rowsOf(many, 0, 12), 80000),
            masked > 6 ? STRATA_ROWS_BY_MASKS : STRATA_ROWS_IN_ONE_LOOP);
  EXPECT_EQ(way(rowsOf(many, 0, 16), 80000), STRATA_ROWS_IN_ONE_LOOP) << "too long for masks";
  EXPECT_EQ(way(rowsOf(many, 2, 18), 80000), STRATA_ROWS_IN_ONE_LOOP);
  EXPECT_EQ(way(rowsOf(many, 12, 40), 80000), STRATA_ROWS_BY_VECTORS) << "long enough";
  EXPECT_EQ(way(rowsOf(many, 9, 9), 80000), STRATA_ROWS_BY_VECTORS) << "even";
  EXPECT_EQ(way(rowsOf(many, 3, 3), 80000), STRATA_ROWS_ONE_BY_ONE) << "shorter than vectors";
  EXPECT_EQ(way(rowsOf(many, 10, 100), 80000), STRATA_ROWS_BY_VECTORS) << "long";
  EXPECT_EQ(way(rowsOf(100, 0, 18), 800), STRATA_ROWS_BY_VECTORS) << "few";
  EXPECT_EQ(way(rowsOf(100, 0, 4), 800), STRATA_ROWS_ONE_BY_ONE) << "few, shorter than vectors";
  EXPECT_EQ(way(rowsOf(2, 1, 4), 800), STRATA_ROWS_ONE_BY_ONE) << "fewer than are sampled";
  EXPECT_EQ(way(rowsOf(many, 0, 5), elements * 8), STRATA_ROWS_BY_VECTORS)
      << "what they lead to is in no cache";
  EXPECT_EQ(way({0}, 8), STRATA_ROWS_BY_VECTORS) << "none";
}

// The thresholds of the process are those before again where the object ends.
struct OtherThresholds {
  explicit OtherThresholds(const strata::runtime::Thresholds &wanted) {
    strata::runtime::setThresholds(wanted);
  }
  ~OtherThresholds() { strata::runtime::setThresholds({}); }
};

TEST(ShortRows, areUnevenByTheProcessorsMeasure) {
  if (strata_longest_masked_rows() == 0)
    GTEST_SKIP() << "this processor adds up no rows under masks";
  const std::vector<int32_t> rows = rowsOf(20000, 0, 5);
  {
    const OtherThresholds remembers({.rememberedRows = 20000});
    EXPECT_EQ(way(rows, 80000), STRATA_ROWS_ONE_BY_ONE);
  }
  {
    const OtherThresholds foresees({.unevenRows = 90});
    EXPECT_EQ(way(rows, 80000), STRATA_ROWS_ONE_BY_ONE);
  }
  {
    const OtherThresholds shorter({.longestMaskedRows = 1});
    EXPECT_EQ(way(rows, 80000), STRATA_ROWS_IN_ONE_LOOP);
  }
  {
    const OtherThresholds small({.ownCache = 1000});
    EXPECT_EQ(way(rows, 80000), STRATA_ROWS_IN_ONE_LOOP);
  }
  const OtherThresholds none({.lastCache = 1000});
  EXPECT_EQ(way(rows, 80000), STRATA_ROWS_BY_VECTORS);
}

TEST(Scattering, takesSingleStepsWhereEndsAreNotForeseen) {
  const auto singly = [](const std::vector<int32_t> &positions, int64_t total) {
    return strata_kernel_scatters_singly(nullptr, positions.data(),
                                         static_cast<int64_t>(positions.size()), 4, total);
  };
  constexpr int64_t own = 1 << 20, last = 1 << 24, remembered = 1000;
  const OtherThresholds known({.lastCache = last, .ownCache = own, .rememberedRows = remembered});
  EXPECT_EQ(singly(rowsOf(10000, 0, 20), own), 1);
  EXPECT_EQ(singly(rowsOf(4 * remembered, 0, 20), own), 0) << "as many branches are remembered";
  EXPECT_EQ(singly(rowsOf(10000, 7, 7), own), 0) << "even";
  EXPECT_EQ(singly(rowsOf(10000, 7, 7), own + 1), 1) << "what they lead to is not near";
  EXPECT_EQ(singly(rowsOf(10000, 0, 20), last + 1), 0) << "those that look ahead do";
  EXPECT_EQ(singly({0}, own + 1), 0) << "none";
}

} // namespace
