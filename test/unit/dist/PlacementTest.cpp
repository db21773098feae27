// Grids, and how they cut lists of entries.
#include "strata/runtime/dist/ExchangeEntries.h"

#include "RefusingMemory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <random>

namespace strata::runtime::dist {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Kind = Place::Kind;

TEST(GridTest, GivesRanksToOpenAxes) {
  EXPECT_THAT(Grid({0}, 6).axes(), ElementsAre(6));
  EXPECT_THAT(Grid({0, 0}, 12).axes(), ElementsAre(4, 3));
  EXPECT_THAT(Grid({0, 0}, 16).axes(), ElementsAre(4, 4));
  EXPECT_THAT(Grid({0, 0, 0}, 24).axes(), ElementsAre(4, 3, 2));
  EXPECT_THAT(Grid({0, 0}, 7).axes(), ElementsAre(7, 1));
  EXPECT_THAT(Grid({2, 0}, 12).axes(), ElementsAre(2, 6));
  EXPECT_THAT(Grid({0, 5}, 3).axes(), ElementsAre(1, 5));
  EXPECT_THAT(Grid({3, 2}, 100).axes(), ElementsAre(3, 2));
}

TEST(GridTest, NumbersCellsInRowMajorOrder) {
  const Grid grid({2, 3}, 1);
  EXPECT_EQ(grid.cells(), 6);
  EXPECT_THAT(grid.coordinates(0), ElementsAre(0, 0));
  EXPECT_THAT(grid.coordinates(4), ElementsAre(1, 1));
  EXPECT_THAT(grid.coordinates(5), ElementsAre(1, 2));
}

TEST(GridTest, GivesEachCellToOneRank) {
  for (int64_t cells = 1; cells <= 12; ++cells)
    for (int64_t ranks = 1; ranks <= 15; ++ranks) {
      const Grid grid({cells}, ranks);
      int64_t next = 0, most = 0, least = cells;
      for (int64_t rank = 0; rank < ranks; ++rank) {
        auto [first, last] = grid.cellsOf(rank);
        EXPECT_EQ(first, next);
        for (int64_t cell = first; cell < last; ++cell)
          EXPECT_EQ(grid.owner(cell), rank);
        most = std::max(most, last - first);
        least = std::min(least, last - first);
        next = last;
      }
      EXPECT_EQ(next, cells);
      EXPECT_LE(most - least, 1);
    }
}

TEST(GridTest, CutsAsManyCoordinatesAsThereCanBe) {
  constexpr int64_t size = std::numeric_limits<int64_t>::max(), quarter = int64_t(1) << 61;
  EXPECT_EQ(shareOf(size, 4), quarter);
  for (int64_t cell = 0; cell < 4; ++cell)
    EXPECT_THAT(intervalOf(size, 4, cell),
                testing::Pair(cell * quarter, cell < 3 ? (cell + 1) * quarter : size));
  EXPECT_THAT(chunkOf(size, size, 0), testing::Pair(0, size));
  EXPECT_THAT(chunkOf(size, size, 1), testing::Pair(size, size));
  EXPECT_THAT(chunkOf(size, 2, size - 1), testing::Pair(size, size));
  EXPECT_THAT(chunkOf(4, size, 0), testing::Pair(0, 4));
  EXPECT_THAT(intervalOf(0, 3, 2), testing::Pair(0, 0));
}

using Entries = std::map<std::vector<int64_t>, double>;

Coordinates listOf(const std::vector<int64_t> &sizes, const Entries &entries) {
  Result<Coordinates> list = Coordinates::create(sizes, STRATA_F64, int64_t(entries.size()));
  EXPECT_TRUE(list.ok());
  int64_t at = 0;
  for (const auto &[coordinates, value] : entries) {
    for (int dim = 0; dim < list->order(); ++dim)
      list->column(dim).as<int32_t>()[at] = int32_t(coordinates[size_t(dim)]);
    list->values().as<double>()[at++] = value;
  }
  return std::move(*list);
}

Entries entriesOf(const Coordinates &list) {
  Entries entries;
  for (int64_t at = 0; at < list.count(); ++at) {
    std::vector<int64_t> coordinates;
    for (int dim = 0; dim < list.order(); ++dim)
      coordinates.push_back(list.coordinate(dim, at));
    entries[coordinates] += list.value(at).real();
  }
  return entries;
}

Entries randomEntries(const std::vector<int64_t> &sizes, int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  Entries entries;
  for (int64_t at = 0; at < count; ++at) {
    std::vector<int64_t> coordinates;
    for (int64_t size : sizes)
      coordinates.push_back(int64_t(random() % uint64_t(size)));
    entries[coordinates] = double(at + 1);
  }
  return entries;
}

/// What the first cells have is what there was, each entry once and inside the box of its cell.
void expectWhole(const std::vector<int64_t> &sizes, const Entries &entries, const Grid &grid,
                 const Places &places) {
  const Coordinates list = listOf(sizes, entries);
  Result<Cut> cut = Cut::make(list, grid, places, /*isFull=*/false);
  ASSERT_TRUE(cut.ok());
  std::vector<Boxed> pieces;
  std::vector<Box> boxes;
  boxes.reserve(size_t(grid.cells()));
  for (int64_t cell = 0; cell < grid.cells(); ++cell) {
    Result<Coordinates> part = cut->entriesOf(cell);
    ASSERT_TRUE(part.ok());
    boxes.push_back(cut->boxOf(cell));
    EXPECT_EQ(part->sizes(), boxes.back().sizes());
    for (int dim = 0; dim < part->order(); ++dim)
      for (int64_t at = 0; at < part->count(); ++at)
        EXPECT_LT(part->coordinate(dim, at), part->sizes()[size_t(dim)]);
    if (cut->isFirst(cell))
      pieces.push_back({std::move(*part), &boxes.back()});
  }
  Result<Coordinates> all = joined(pieces, sizes, STRATA_F64);
  ASSERT_TRUE(all.ok());
  EXPECT_EQ(all->count(), int64_t(entries.size()));
  EXPECT_EQ(entriesOf(*all), entries);
}

TEST(CutTest, KeepsEveryEntryOnce) {
  const Place byRows{Kind::Share, {0}}, byColumns{Kind::Share, {1}}, byBoth{Kind::Share, {0, 1}},
      byStored{Kind::Entries, {0, 1}}, byStoredRows{Kind::Entries, {0}},
      byColumnsFirst{Kind::Entries, {1, 0}}, all{Kind::All}, second{Kind::At, {}, 1};
  for (int64_t rows : {1, 3, 40})
    for (int64_t entries : {0, 1, 5, 60}) {
      const std::vector<int64_t> sizes{rows, 17};
      const Entries drawn = randomEntries(sizes, entries, unsigned(rows + entries));
      for (int64_t cells = 1; cells <= 7; ++cells)
        for (const Place &place :
             {byRows, byColumns, byBoth, byStored, byStoredRows, byColumnsFirst, all})
          expectWhole(sizes, drawn, Grid({cells}, 1), {place});
      for (const Place &other : {byColumns, all, second})
        expectWhole(sizes, drawn, Grid({3, 2}, 1), {byRows, other});
      expectWhole(sizes, drawn, Grid({2, 3}, 1), {byStoredRows, byColumns});
    }
}

TEST(CutTest, CutsCoordinatesEvenly) {
  const Coordinates list = listOf({10, 4}, {{{0, 0}, 1}, {{9, 3}, 2}});
  const Grid grid({4}, 1);
  const Places places{{Kind::Share, {0}}};
  Result<Cut> cut = Cut::make(list, grid, places, false);
  ASSERT_TRUE(cut.ok());
  std::vector<int64_t> begins, ends;
  for (int64_t cell = 0; cell < 4; ++cell) {
    begins.push_back(cut->boxOf(cell).lo[0]);
    ends.push_back(cut->boxOf(cell).hi[0]);
    EXPECT_EQ(cut->boxOf(cell).hi[1], 4);
  }
  EXPECT_THAT(begins, ElementsAre(0, 3, 6, 9));
  EXPECT_THAT(ends, ElementsAre(3, 6, 9, 10));
}

TEST(CutTest, CutsWhatIsStoredEvenly) {
  const std::vector<int64_t> sizes{30, 30};
  Entries entries = randomEntries(sizes, 40, 7);
  for (int64_t column = 0; column < 30; ++column)
    entries[{4, column}] = 1; // a row in many cells
  const Coordinates list = listOf(sizes, entries);
  for (int64_t cells = 1; cells <= 9; ++cells) {
    const Grid grid({cells}, 1);
    const Places places{{Kind::Entries, {0, 1}}};
    Result<Cut> cut = Cut::make(list, grid, places, false);
    ASSERT_TRUE(cut.ok());
    int64_t most = 0, least = list.count();
    for (int64_t cell = 0; cell < cells; ++cell) {
      const int64_t count = cut->entriesOf(cell)->count();
      most = std::max(most, count);
      least = std::min(least, count);
    }
    EXPECT_LE(most - least, 1);
  }
}

TEST(CutTest, CutsTensorsOfOrderOneAndThree) {
  expectWhole({100}, randomEntries({100}, 30, 1), Grid({4}, 1), {{Kind::Entries, {0}}});
  const std::vector<int64_t> sizes{6, 5, 7};
  const Entries entries = randomEntries(sizes, 80, 2);
  for (const Place &place : {Place{Kind::Entries, {0}}, Place{Kind::Entries, {0, 1}},
                             Place{Kind::Entries, {0, 1, 2}}, Place{Kind::Share, {1, 2}}})
    expectWhole(sizes, entries, Grid({5}, 1), {place});
  expectWhole(sizes, entries, Grid({2, 2, 2}, 1),
              {{Kind::Share, {0}}, {Kind::Share, {2}}, {Kind::At, {}, 1}});
}

TEST(CutTest, CutsTheLongestDimension) {
  constexpr int64_t size = std::numeric_limits<int64_t>::max(), share = int64_t(1) << 60;
  Result<Coordinates> list = Coordinates::create({size}, STRATA_F64, 8);
  ASSERT_TRUE(list.ok());
  for (int64_t entry = 0; entry < 8; ++entry) {
    list->column(0).as<int64_t>()[entry] = entry * share + entry;
    list->values().as<double>()[entry] = double(entry);
  }
  const Grid grid({8}, 2);
  const Places places{{Kind::Share, {0}}};
  Result<Cut> cut = Cut::make(*list, grid, places, false);
  ASSERT_TRUE(cut.ok());
  for (int64_t cell = 0; cell < 8; ++cell) {
    Result<Coordinates> part = cut->entriesOf(cell);
    ASSERT_TRUE(part.ok());
    ASSERT_EQ(part->count(), 1);
    EXPECT_EQ(part->coordinate(0, 0), cell);
    EXPECT_EQ(part->value(0), double(cell));
  }
  const auto ranges = rangesOfOwners(*list, grid, places, 2);
  ASSERT_TRUE(ranges.has_value());
  EXPECT_EQ(ranges->back().begin, 4);
  EXPECT_EQ(ranges->back().end, 8);
}

TEST(CutTest, IsAnErrorWithoutMemory) {
  const Coordinates list = listOf({500, 500}, randomEntries({500, 500}, 300, 1));
  const Grid grid({3}, 2);
  const Places byRows{{Kind::Share, {0}}}, byStored{{Kind::Entries, {0, 1}}}, all{{Kind::All}};
  RefusingMemory memory{200};
  const AllocatorScope scope(memory.allocator());
  Result<Cut> rows = Cut::make(list, grid, byRows, false),
              copies = Cut::make(list, grid, all, false);
  ASSERT_TRUE(rows.ok() && copies.ok());
  EXPECT_THAT(rows->entriesOf(0).error().message, HasSubstr("cannot allocate"));
  EXPECT_THAT(rows->entriesOfOwners(2).error().message, HasSubstr("cannot allocate"));
  EXPECT_THAT(copies->entriesOfOwners(2).error().message, HasSubstr("cannot allocate"));
  EXPECT_THAT(Cut::make(list, grid, byStored, false).error().message, HasSubstr("cannot allocate"));
  EXPECT_THAT(numberStored(list, {0}).error().message, HasSubstr("cannot allocate"));
}

TEST(CutTest, GivesNothingToOtherCells) {
  const Coordinates list = listOf({4}, {{{1}, 5.0}});
  const Grid grid({3}, 1);
  const Places places{{Kind::At, {}, 2}};
  Result<Cut> cut = Cut::make(list, grid, places, false);
  ASSERT_TRUE(cut.ok());
  EXPECT_EQ(cut->entriesOf(0)->count(), 0);
  EXPECT_THAT(cut->boxOf(0).sizes(), ElementsAre(0));
  EXPECT_FALSE(cut->isFirst(1));
  EXPECT_EQ(cut->entriesOf(2)->count(), 1);
  EXPECT_TRUE(cut->isFirst(2));
}

} // namespace
} // namespace strata::runtime::dist
