// Arrays go from boxes to boxes, in any order of dimensions, with elements of any width.
#include "strata/runtime/dist/BoxExchange.h"
#include "strata/runtime/dist/LocalRanks.h"

#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <numeric>
#include <random>

namespace strata::runtime::dist {
namespace {

constexpr int64_t sizes[] = {7, 5, 6};

// An array of a box, stored with its dimensions in this order, each element another number.
class Array {
public:
  Array(const Box &box, std::vector<size_t> order, int64_t bytes, bool isFilled)
      : box(box), bytes(bytes) {
    array.strides.resize(order.size());
    int64_t stride = bytes;
    for (size_t at = order.size(); at-- > 0;) {
      array.strides[order[at]] = stride;
      stride *= box.hi[order[at]] - box.lo[order[at]];
    }
    data.assign(size_t(stride), 0);
    array.data = data.data();
    if (isFilled)
      forEach([&](const std::vector<int64_t> &place, char *element) {
        const int64_t number = numberOf(place);
        std::memcpy(element, &number, size_t(std::min<int64_t>(bytes, sizeof number)));
      });
  }

  void expectFilled() {
    forEach([&](const std::vector<int64_t> &place, const char *element) {
      const int64_t number = numberOf(place);
      EXPECT_EQ(std::memcmp(element, &number, size_t(std::min<int64_t>(bytes, sizeof number))), 0);
    });
  }

  Box box;
  BoxArray array;

private:
  static int64_t numberOf(const std::vector<int64_t> &place) {
    return 1 + place[0] + 10 * place[1] + 100 * place[2];
  }
  template <typename Body> void forEach(Body body) {
    for (int64_t i = box.lo[0]; i < box.hi[0]; ++i)
      for (int64_t j = box.lo[1]; j < box.hi[1]; ++j)
        for (int64_t k = box.lo[2]; k < box.hi[2]; ++k)
          body(std::vector{i, j, k}, data.data() + (i - box.lo[0]) * array.strides[0] +
                                         (j - box.lo[1]) * array.strides[1] +
                                         (k - box.lo[2]) * array.strides[2]);
  }

  int64_t bytes;
  std::vector<char> data;
};

// The boxes of a grid that cuts each dimension at these places.
std::vector<Box> boxesOf(const std::vector<std::vector<int64_t>> &cuts) {
  std::vector<Box> boxes = {{{}, {}}};
  for (const std::vector<int64_t> &places : cuts) {
    std::vector<Box> finer;
    for (const Box &box : boxes)
      for (size_t at = 0; at + 1 < places.size(); ++at) {
        finer.push_back(box);
        finer.back().lo.push_back(places[at]);
        finer.back().hi.push_back(places[at + 1]);
      }
    boxes = std::move(finer);
  }
  return boxes;
}

TEST(BoxExchange, FillsTargetsFromHomes) {
  std::mt19937 random(4);
  auto below = [&](int64_t bound) {
    return std::uniform_int_distribution<int64_t>(0, bound - 1)(random);
  };
  for (int round = 0; round < 200; ++round) {
    auto drawBoxes = [&] {
      std::vector<std::vector<int64_t>> cuts;
      for (int64_t size : sizes) {
        std::vector<int64_t> places = {0, size};
        for (int64_t more = below(3); more > 0; --more)
          places.push_back(below(size + 1)); // some boxes are empty
        std::sort(places.begin(), places.end());
        cuts.push_back(places);
      }
      return boxesOf(cuts);
    };
    std::vector<size_t> orders[2] = {{0, 1, 2}, {0, 1, 2}};
    for (std::vector<size_t> &order : orders)
      std::shuffle(order.begin(), order.end(), random);
    const int64_t bytes = int64_t{1} << below(5);
    std::vector<Array> from, to;
    std::vector<BoxOfRank> homes, targets;
    std::vector<BoxArray> own, made;
    for (const Box &box : drawBoxes())
      for (int64_t copies = 1 + below(2); copies > 0; --copies) {
        from.emplace_back(box, orders[0], bytes, true);
        homes.push_back({box, 0});
      }
    for (const Box &box : drawBoxes()) {
      to.emplace_back(box, orders[1], bytes, false);
      targets.push_back({box, 0});
    }
    for (const Array &one : from)
      own.push_back(one.array);
    for (const Array &one : to)
      made.push_back(one.array);
    Result<BoxTransfer> transfer =
        BoxTransfer::prepare(nullptr, homes, targets, own, made, bytes, "the test");
    ASSERT_TRUE(transfer.ok() && transfer->start().ok());
    ASSERT_TRUE(transfer->finish().ok());
    for (Array &one : to)
      one.expectFilled();
    ASSERT_FALSE(HasFailure()) << "round " << round;
  }
}

// The pairs of so many boxes could not be looked at one by one.
TEST(BoxExchange, FindsTheHomesOfManyCells) {
  constexpr int64_t bytes = sizeof(int64_t), wide = 3, high = int64_t(1) << 17;
  std::vector<int64_t> from(size_t(wide * high)), to(from.size(), -1);
  std::iota(from.begin(), from.end(), 0);
  // Homes are the rows of a tall array, and targets parts of its columns.
  std::vector<BoxOfRank> homes, targets;
  std::vector<BoxArray> own, made;
  for (int64_t row = 0; row < high; ++row) {
    homes.push_back({{{0, row}, {wide, row + 1}}, 0});
    own.push_back({reinterpret_cast<char *>(&from[size_t(row * wide)]), {bytes, wide * bytes}});
  }
  for (int64_t row = 0; row < high; row += 2)
    for (int64_t column = 0; column < wide; ++column) {
      targets.push_back({{{column, row}, {column + 1, row + 2}}, 0});
      made.push_back(
          {reinterpret_cast<char *>(&to[size_t(column * high + row)]), {high * bytes, bytes}});
    }
  Result<BoxTransfer> transfer =
      BoxTransfer::prepare(nullptr, homes, targets, own, made, bytes, "the test");
  ASSERT_TRUE(transfer.ok());
  for (int64_t row = 0; row < high; ++row)
    for (int64_t column = 0; column < wide; ++column)
      ASSERT_EQ(to[size_t(column * high + row)], row * wide + column);
}

// Ranks of which each finds its parts alone agree on them.
TEST(BoxExchange, BringsPartsFromCellsOfOtherRanks) {
  constexpr int32_t ranks = 3;
  constexpr int64_t bytes = sizeof(int64_t), size = 60;
  Status status = runLocalRanks(ranks, [&](int32_t rank, const void *communicator) {
    WorldOptions options;
    options.communicator = communicator;
    Result<std::unique_ptr<World>> world = World::join(localEngine(), options);
    ASSERT_TRUE(world.ok());
    // Twelve pieces, of which each is on cells of two ranks; targets of another length, the last
    // one empty.
    std::vector<BoxOfRank> homes, targets;
    for (int64_t cell = 0; cell < 24; ++cell)
      homes.push_back({{{cell % 12 * 5}, {cell % 12 * 5 + 5}}, int32_t(cell / 8)});
    for (int64_t cell = 0; cell < 9; ++cell) {
      const int64_t lo = std::min<int64_t>(cell * 8, size);
      targets.push_back({{{lo}, {std::min<int64_t>(lo + 8, size)}}, int32_t(cell / 3)});
    }
    std::deque<std::vector<int64_t>> pieces, results;
    std::vector<BoxArray> own, made;
    for (const BoxOfRank &home : homes)
      if (home.rank == rank) {
        std::vector<int64_t> &piece = pieces.emplace_back(5);
        std::iota(piece.begin(), piece.end(), home.box.lo[0]);
        own.push_back({reinterpret_cast<char *>(piece.data()), {bytes}});
      }
    for (const BoxOfRank &target : targets)
      if (target.rank == rank) {
        std::vector<int64_t> &result =
            results.emplace_back(size_t(target.box.hi[0] - target.box.lo[0]), -1);
        made.push_back({reinterpret_cast<char *>(result.data()), {bytes}});
      }
    Result<BoxTransfer> transfer =
        BoxTransfer::prepare(world->get(), homes, targets, own, made, bytes, "the test");
    ASSERT_TRUE(transfer.ok() && transfer->start().ok() && transfer->finish().ok());
    for (int64_t cell = 0; cell < 3; ++cell)
      for (size_t at = 0; at < results[size_t(cell)].size(); ++at)
        EXPECT_EQ(results[size_t(cell)][at], (3 * rank + cell) * 8 + int64_t(at));
  });
  EXPECT_TRUE(status.ok());
}

TEST(BoxExchange, KnowsWhatIsInBoth) {
  const Box both = common({{0, 2}, {4, 9}}, {{1, 5}, {9, 7}});
  EXPECT_EQ(both, (Box{{1, 5}, {4, 7}}));
  EXPECT_FALSE(isEmpty(both));
  EXPECT_TRUE(isEmpty(common({{0, 2}, {4, 5}}, {{1, 5}, {9, 7}})));
}

} // namespace
} // namespace strata::runtime::dist
