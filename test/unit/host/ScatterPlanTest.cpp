// Plans bring rows that cells make to the cells that have their coordinates, in one process and in
// several.
#include "strata/host/ScatterPlan.h"
#include "strata/runtime/dist/LocalRanks.h"

#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace strata::host;
using namespace strata::runtime::dist;
using strata::runtime::Result;
using strata::runtime::Status;

namespace {

using Lists = std::vector<std::vector<int64_t>>;
/// What a cell gets: the makers and coordinates of rows, in their order.
using Rows = std::vector<std::pair<int64_t, int64_t>>;

std::vector<Home> homesOf(const Grid &grid, int64_t size) {
  std::vector<Home> homes;
  for (int64_t cell = 0; cell < grid.cells(); ++cell) {
    const auto [lo, hi] = intervalOf(size, grid.cells(), cell);
    homes.push_back({lo, hi, int32_t(grid.owner(cell))});
  }
  return homes;
}

// The number that a maker writes to the row of a coordinate.
int64_t numberOf(int64_t maker, int64_t coordinate) { return maker * 1000003 + coordinate; }

// What the cells of a process get by a plan. Each of the cells has made the rows of its list.
std::map<int64_t, Rows> received(World *world, const Lists &all, int64_t size) {
  const Grid grid({int64_t(all.size())}, world ? world->size() : 1);
  const auto [first, last] = grid.cellsOf(world ? world->rank() : 0);
  const std::vector<CoordinateList> lists(all.begin() + first, all.begin() + last);
  Result<ScatterPlan> plan =
      ScatterPlan::make(world, grid, lists, homesOf(grid, size), sizeof(int64_t), "a test");
  EXPECT_TRUE(plan.ok());
  Lists made;
  std::vector<DenseRows> pieces;
  for (int64_t maker = first; maker < last; ++maker) {
    std::vector<int64_t> &rows = made.emplace_back();
    for (int64_t coordinate : all[size_t(maker)])
      rows.push_back(numberOf(maker, coordinate));
  }
  for (std::vector<int64_t> &rows : made)
    pieces.push_back(
        {reinterpret_cast<char *>(rows.data()), 1, int64_t(rows.size()), sizeof(int64_t)});
  EXPECT_TRUE(plan->bring(pieces).ok());
  std::map<int64_t, Rows> result;
  for (int64_t cell = first; cell < last; ++cell) {
    Rows &rows = result[cell];
    std::vector<int64_t> expected;
    for (const ScatterPlan::Part &part : plan->parts()[size_t(cell - first)]) {
      EXPECT_FALSE(part.coordinates.empty());
      for (int64_t coordinate : part.coordinates) {
        rows.emplace_back(part.cell, coordinate);
        expected.push_back(numberOf(part.cell, coordinate));
      }
    }
    std::vector<int64_t> values(expected.size());
    plan->fill(size_t(cell - first), reinterpret_cast<char *>(values.data()), pieces);
    EXPECT_EQ(values, expected);
  }
  return result;
}

// What each cell is to get: by the makers, and of each by the coordinates.
std::map<int64_t, Rows> expectedOf(const Lists &all, int64_t size) {
  std::map<int64_t, Rows> expected;
  const auto cells = int64_t(all.size());
  for (int64_t cell = 0; cell < cells; ++cell)
    expected[cell];
  for (int64_t maker = 0; maker < cells; ++maker)
    for (int64_t coordinate : all[size_t(maker)])
      expected[coordinate / shareOf(size, cells)].emplace_back(maker, coordinate);
  return expected;
}

// Lists of so many cells, each coordinate with this probability; some cells make nothing.
Lists drawn(int64_t cells, int64_t size, double share, unsigned seed) {
  std::mt19937 random(seed);
  Lists lists(static_cast<size_t>(cells));
  for (std::vector<int64_t> &list : lists)
    if (random() % 5 > 0)
      for (int64_t coordinate = 0; coordinate < size; ++coordinate)
        if (std::bernoulli_distribution(share)(random))
          list.push_back(coordinate);
  return lists;
}

TEST(ScatterPlanTest, RowsComeInTheOrderOfTheirMakers) {
  for (int64_t cells : {1, 2, 5, 12})
    for (int64_t size : {0, 1, 7, 40})
      for (double share : {0.05, 0.9}) {
        const Lists lists = drawn(cells, size, share, unsigned(cells * 100 + size));
        EXPECT_EQ(received(nullptr, lists, size), expectedOf(lists, size));
      }
}

TEST(ScatterPlanTest, ProcessesBringEachOtherTheSame) {
  for (int64_t cells : {2, 5, 12})
    for (double share : {0.0, 0.02, 0.3, 1.0}) {
      constexpr int64_t size = 40;
      const Lists lists = drawn(cells, size, share, unsigned(cells));
      for (int32_t ranks : {1, 2, 3}) {
        std::map<int64_t, Rows> all;
        const Status status = runLocalRanks(ranks, [&](int32_t, const void *communicator) {
          WorldOptions options;
          options.communicator = communicator;
          Result<std::unique_ptr<World>> world = World::join(localEngine(), options);
          ASSERT_TRUE(world.ok());
          for (auto &[cell, rows] : received(world->get(), lists, size))
            all[cell] = rows;
        });
        EXPECT_TRUE(status.ok());
        EXPECT_EQ(all, expectedOf(lists, size));
      }
    }
}

// A part for each pair of so many cells would need 2^34 of them.
TEST(ScatterPlanTest, MemoryGoesWithTheRows) {
  constexpr int64_t cells = int64_t(1) << 17, size = 2 * cells;
  Lists lists;
  for (int64_t cell = 0; cell < cells; ++cell)
    lists.push_back({(cell * 7919) % size, size - 1});
  for (std::vector<int64_t> &list : lists)
    if (list.front() == list.back())
      list.pop_back();
  EXPECT_EQ(received(nullptr, lists, size), expectedOf(lists, size));
}

} // namespace
