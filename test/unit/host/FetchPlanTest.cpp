// Plans bring cells what they need of dense tensors, in one process: rows by their numbers, and
// what stays in place.
#include "strata/host/FetchPlan.h"

#include <gtest/gtest.h>
#include <numeric>
#include <random>

using strata::host::CoordinateList;
using strata::host::DenseRows;
using strata::host::FetchPlan;
using strata::host::RowNumbers;
using strata::runtime::Result;

namespace {

using Elements = std::vector<int32_t>;

// An array of `runs` times so many rows times `width` elements.
DenseRows rowsIn(Elements &array, int64_t runs, int64_t width) {
  const int64_t count = int64_t(array.size()) / (runs * width);
  return {reinterpret_cast<char *>(array.data()), runs, count, width * int64_t(sizeof(int32_t))};
}

Elements numbered(int64_t count) {
  Elements array(static_cast<size_t>(count));
  std::iota(array.begin(), array.end(), 1);
  return array;
}

// Rows as they come in practice: alone, in short runs, and in long ones.
std::vector<int64_t> someRows(std::mt19937 &random, int64_t count) {
  std::vector<int64_t> rows;
  for (int64_t row = 0; row < count;) {
    for (int64_t end = std::min<int64_t>(count, row + 1 + int64_t(random() % (1U << random() % 7)));
         row < end; ++row)
      rows.push_back(row);
    row += int64_t(random() % 3);
  }
  return rows;
}

TEST(RowNumbersTest, RowsAreCopiedOneByOneAndInStretches) {
  std::mt19937 random(3);
  for (int64_t width : {1, 2, 4, 5})
    for (int64_t runs : {1, 3})
      for (bool isPacked : {false, true}) {
        constexpr int64_t count = 300, before = 4;
        Elements source = numbered(runs * count * width);
        const std::vector<int64_t> rows = someRows(random, count);
        RowNumbers numbers;
        for (int64_t row : rows)
          numbers.add(row);
        const auto listed = int64_t(rows.size());
        EXPECT_EQ(numbers.count(), listed);
        Elements target(size_t((listed + before) * runs * width), -1);
        const DenseRows from = rowsIn(source, runs, width);
        DenseRows to = rowsIn(target, runs, width);
        if (isPacked)
          to = DenseRows::packed(to.data, to.count, from);
        EXPECT_EQ(numbers.copy(from, to, before), listed * from.rowBytes());
        for (int64_t at = 0; at < listed; ++at)
          for (int64_t run = 0; run < runs; ++run)
            for (int64_t k = 0; k < width; ++k)
              ASSERT_EQ(reinterpret_cast<int32_t *>(to.run(run, before + at))[k],
                        source[size_t((run * count + rows[size_t(at)]) * width + k)]);
        for (int64_t at = 0; at < before; ++at)
          EXPECT_EQ(*reinterpret_cast<int32_t *>(to.run(0, at)), -1);
      }
}

TEST(RowNumbersTest, OneStretchIsAnInterval) {
  RowNumbers numbers;
  EXPECT_EQ(numbers.interval(), std::nullopt);
  for (int64_t row = 5; row < 40; ++row)
    numbers.add(row);
  EXPECT_EQ(numbers.interval(), 5);
  numbers.add(41);
  EXPECT_EQ(numbers.interval(), std::nullopt);
}

class FetchPlanTest : public testing::Test {
protected:
  // Cells have the coordinates [0, 10), [10, 20) and [20, 30).
  FetchPlan planFor(const std::vector<std::vector<int64_t>> &lists) {
    const std::vector<CoordinateList> spans(lists.begin(), lists.end());
    Result<FetchPlan> plan =
        FetchPlan::make(nullptr, spans, {{0, 10, 0}, {10, 20, 0}, {20, 30, 0}}, {}, 4, "a test");
    EXPECT_TRUE(plan);
    return std::move(*plan);
  }
  static std::vector<int64_t> interval(int64_t lo, int64_t hi) {
    std::vector<int64_t> list(static_cast<size_t>(hi - lo));
    std::iota(list.begin(), list.end(), lo);
    return list;
  }
};

TEST_F(FetchPlanTest, OwnRowsBetweenThoseOfNeighboursStayInPlace) {
  FetchPlan plan = planFor({interval(0, 12), interval(8, 21), {12, 18, 20, 21, 22, 23, 24}});
  ASSERT_TRUE(plan.inPlace(0) && plan.inPlace(1));
  EXPECT_EQ(plan.inPlace(0)->before, 0);
  EXPECT_EQ(plan.inPlace(0)->after, 2);
  EXPECT_EQ(plan.inPlace(1)->piece, 1);
  EXPECT_EQ(plan.inPlace(1)->before, 2);
  EXPECT_EQ(plan.inPlace(1)->count, 10);
  EXPECT_EQ(plan.inPlace(1)->after, 1);
  // Rows of others come before it, and none behind it.
  ASSERT_TRUE(plan.inPlace(2));
  EXPECT_EQ(plan.inPlace(2)->before, 2);
  EXPECT_EQ(plan.inPlace(2)->after, 0);
  // Each piece with room around it: what lies in place is not copied.
  constexpr int64_t room = 3;
  std::vector<Elements> blocks;
  std::vector<DenseRows> pieces;
  for (int32_t cell = 0; cell < 3; ++cell) {
    Elements &block = blocks.emplace_back(size_t(10 + 2 * room), -1);
    std::iota(block.begin() + room, block.end() - room, 10 * cell);
  }
  for (Elements &block : blocks)
    pieces.push_back({reinterpret_cast<char *>(block.data() + room), 1, 10, sizeof(int32_t)});
  DenseRows view = pieces[1];
  view.data -= 2 * view.bytes;
  view.count = 13;
  EXPECT_EQ(plan.fill(1, view, pieces), 3 * int64_t(sizeof(int32_t)));
  EXPECT_EQ(blocks[1], (Elements{-1, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, -1, -1}));
}

TEST_F(FetchPlanTest, RowsMoveWhereOthersWouldLieInThePiece) {
  // A gap within it; others before it, where it has rows that are not needed; most are others.
  std::vector<int64_t> gap = interval(10, 20), inside = interval(9, 20);
  const std::vector<int64_t> others = {6, 7, 8, 9, 10, 11, 12, 20, 21, 22, 23};
  gap.erase(gap.begin() + 4);
  gap.push_back(22);
  inside.erase(inside.begin() + 1);
  for (const std::vector<int64_t> &list : {gap, inside, others})
    EXPECT_FALSE(planFor({{}, list, {}}).inPlace(1));
  // Nothing before it: what is not needed there is no obstacle.
  EXPECT_TRUE(planFor({{}, interval(13, 22), {}}).inPlace(1));
  EXPECT_TRUE(planFor({{}, interval(12, 17), {}}).inPlace(1));
  EXPECT_FALSE(planFor({{}, {}, {}}).inPlace(1));
}

// So many cells could not look for each coordinate among all pieces.
TEST_F(FetchPlanTest, RowsAreFoundAmongTheirPieces) {
  constexpr int64_t cells = int64_t(1) << 17, height = 2, listed = 4;
  FetchPlan::Intervals own;
  std::vector<std::vector<int64_t>> needed;
  for (int64_t cell = 0; cell < cells; ++cell) {
    own.push_back({cell * height, (cell + 1) * height, 0});
    std::vector<int64_t> &list = needed.emplace_back();
    for (int64_t at = 0; at < listed; ++at)
      list.push_back((cell * 7919 + at * 104729) % (cells * height));
    std::sort(list.begin(), list.end());
    own.push_back({cells * height, cells * height, 0}); // cells without rows
    needed.emplace_back();
  }
  const std::vector<CoordinateList> lists(needed.begin(), needed.end());
  Result<FetchPlan> plan =
      FetchPlan::make(nullptr, lists, own, {}, int64_t(sizeof(int32_t)), "a test");
  ASSERT_TRUE(plan);
  Elements array = numbered(cells * height), row(listed);
  std::vector<DenseRows> pieces;
  for (const strata::runtime::dist::Home &one : own)
    pieces.push_back({reinterpret_cast<char *>(array.data() + one.lo), 1, one.hi - one.lo,
                      int64_t(sizeof(int32_t))});
  for (size_t cell = 0; cell < needed.size(); cell += 2) {
    plan->fill(cell, rowsIn(row, 1, 1), pieces);
    for (size_t at = 0; at < listed; ++at)
      ASSERT_EQ(row[at], needed[cell][at] + 1);
  }
}

// Of pieces that are the same, a cell's own one counts.
TEST_F(FetchPlanTest, OwnPiecesAreReadFirst) {
  const std::vector<int64_t> list = interval(0, 10);
  const std::vector<CoordinateList> lists(2, list);
  Result<FetchPlan> plan = FetchPlan::make(nullptr, lists, {{0, 10, 0}, {0, 10, 0}}, {}, 4, "");
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->inPlace(0)->piece, 0);
  EXPECT_EQ(plan->inPlace(1)->piece, 1);
}

} // namespace
