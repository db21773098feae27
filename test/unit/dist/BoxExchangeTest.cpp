// Arrays go from boxes to boxes, in any order of dimensions, with elements of any width.
#include "strata/runtime/dist/BoxExchange.h"

#include <gtest/gtest.h>

#include <cstring>
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
        BoxTransfer::begin(nullptr, homes, targets, own, made, bytes, "the test");
    ASSERT_TRUE(transfer.ok());
    ASSERT_TRUE(transfer->finish().ok());
    for (Array &one : to)
      one.expectFilled();
    ASSERT_FALSE(HasFailure()) << "round " << round;
  }
}

TEST(BoxExchange, KnowsWhatIsInBoth) {
  const Box both = common({{0, 2}, {4, 9}}, {{1, 5}, {9, 7}});
  EXPECT_EQ(both, (Box{{1, 5}, {4, 7}}));
  EXPECT_FALSE(isEmpty(both));
  EXPECT_TRUE(isEmpty(common({{0, 2}, {4, 5}}, {{1, 5}, {9, 7}})));
}

} // namespace
} // namespace strata::runtime::dist
