// Entries are found in the boxes of cells.
#include "strata/runtime/dist/SortedEntries.h"

#include "RefusingMemory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace strata::runtime::dist {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Coordinates drawn(const std::vector<int64_t> &sizes, int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  Result<Coordinates> list = Coordinates::create(sizes, STRATA_F64, count);
  EXPECT_TRUE(list.ok());
  for (int64_t entry = 0; entry < count; ++entry) {
    for (int dim = 0; dim < list->order(); ++dim)
      list->column(dim).as<int32_t>()[entry] = int32_t(random() % uint64_t(sizes[size_t(dim)]));
    list->values().as<double>()[entry] = double(entry);
  }
  return std::move(*list);
}

bool contains(const Box &box, const Coordinates &list, int64_t entry) {
  for (int dim = 0; dim < list.order(); ++dim)
    if (const int64_t at = list.coordinate(dim, entry);
        at < box.lo[size_t(dim)] || at >= box.hi[size_t(dim)])
      return false;
  return true;
}

void expectInside(const SortedEntries &sorted, const std::vector<Box> &boxes,
                  const std::vector<int64_t> &takers, int64_t count) {
  std::vector<TakenBox> taken;
  for (size_t at = 0; at < boxes.size(); ++at)
    taken.push_back({&boxes[at], takers[at]});
  Result<NumberLists> lists = sorted.inside(taken, count);
  ASSERT_TRUE(lists.ok());
  ASSERT_EQ(int64_t(lists->size()), count);
  for (int64_t taker = 0; taker < count; ++taker) {
    std::vector<int64_t> expected;
    for (int64_t entry = 0; entry < sorted.list().count(); ++entry)
      for (size_t at = 0; at < boxes.size(); ++at)
        if (takers[at] == taker && contains(boxes[at], sorted.list(), entry)) {
          expected.push_back(entry);
          break;
        }
    EXPECT_THAT((*lists)[size_t(taker)], testing::ElementsAreArray(expected));
  }
}

TEST(SortedEntriesTest, ListsWhatLiesInBoxes) {
  for (int64_t count : {0, 1, 200})
    for (int64_t dim = 0; dim < 3; ++dim) {
      const std::vector<int64_t> sizes{7, 12, 9};
      Result<SortedEntries> sorted = SortedEntries::make(drawn(sizes, count, 5), dim);
      ASSERT_TRUE(sorted.ok());
      // Tiles of two dimensions; of the third one all, a chunk, or one that goes from cell to cell.
      std::vector<Box> whole, chunk, rotated;
      for (int64_t row = 0; row < 3; ++row)
        for (int64_t column = 0; column < 4; ++column) {
          const auto [lo, hi] = intervalOf(7, 3, row);
          const auto [left, right] = intervalOf(12, 4, column);
          whole.push_back({{lo, left, 0}, {hi, right, 9}});
          chunk.push_back({{lo, left, 3}, {hi, right, 5}});
          const auto [begin, end] = intervalOf(9, 4, (row + column) % 4);
          rotated.push_back({{lo, left, begin}, {hi, right, end}});
        }
      for (const std::vector<Box> &boxes : {whole, chunk, rotated}) {
        std::vector<int64_t> own, few;
        for (int64_t at = 0; at < 12; ++at) {
          own.push_back(at);
          few.push_back(at / 5);
        }
        expectInside(*sorted, boxes, own, 12);
        expectInside(*sorted, boxes, few, 4); // the last of whom takes nothing
      }
    }
}

TEST(SortedEntriesTest, GivesEachTakerAnEntryOnce) {
  Result<SortedEntries> sorted = SortedEntries::make(drawn({20}, 50, 3), 0);
  ASSERT_TRUE(sorted.ok());
  expectInside(*sorted, {{{4}, {9}}, {{4}, {9}}, {{4}, {9}}, {{12}, {12}}}, {0, 1, 0, 1}, 2);
  Result<NumberLists> none = sorted->inside({}, 2);
  ASSERT_TRUE(none.ok());
  EXPECT_THAT((*none)[1], IsEmpty());
}

// To look for each entry in each box would take 2^34 steps.
TEST(SortedEntriesTest, LooksForNoEntryInAllBoxes) {
  constexpr int64_t cells = int64_t(1) << 17, chunks = 4;
  Result<Coordinates> list = Coordinates::create({cells, chunks}, STRATA_F64, cells);
  ASSERT_TRUE(list.ok());
  for (int64_t entry = 0; entry < cells; ++entry) {
    list->column(0).as<int32_t>()[entry] = int32_t(entry);
    list->column(1).as<int32_t>()[entry] = int32_t(entry % chunks);
    list->values().as<double>()[entry] = 1;
  }
  Result<SortedEntries> sorted = SortedEntries::make(std::move(*list), 1);
  ASSERT_TRUE(sorted.ok());
  std::vector<Box> boxes;
  std::vector<TakenBox> taken;
  for (int64_t cell = 0; cell < cells; ++cell)
    boxes.push_back({{cell, 2}, {cell + 1, 3}});
  for (int64_t cell = 0; cell < cells; ++cell)
    taken.push_back({&boxes[size_t(cell)], cell});
  Result<NumberLists> lists = sorted->inside(taken, cells);
  ASSERT_TRUE(lists.ok());
  EXPECT_EQ(int64_t(lists->all().size()), cells / chunks);
  for (int64_t cell = 0; cell < cells; ++cell)
    ASSERT_EQ((*lists)[size_t(cell)].size(), cell % chunks == 2 ? 1U : 0U);
}

TEST(SortedEntriesTest, IsAnErrorWithoutMemory) {
  Result<SortedEntries> sorted = SortedEntries::make(drawn({1000}, 500, 3), 0);
  ASSERT_TRUE(sorted.ok());
  RefusingMemory memory{1000};
  const AllocatorScope scope(memory.allocator());
  const Box all{{0}, {1000}}, few{{0}, {10}};
  const TakenBox taken{&all, 0}, taking{&few, 0};
  Result<NumberLists> lists = sorted->inside({&taken, 1}, 1);
  ASSERT_FALSE(lists.ok());
  EXPECT_THAT(lists.error().message, HasSubstr("cannot allocate 4000 bytes"));
  EXPECT_TRUE(sorted->inside({&taking, 1}, 1).ok());
}

} // namespace
} // namespace strata::runtime::dist
