// Permutations of indices, and the orders that are computed.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/storage/Reorder.h"
#include "strata/runtime/storage/Generate.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <random>

namespace {

using namespace strata::runtime;

using Place = std::vector<int64_t>;

/// A tensor of booleans at places.
Coordinates listOf(std::vector<int64_t> sizes, const std::vector<Place> &places) {
  Result<Coordinates> list =
      Coordinates::create(std::move(sizes), STRATA_I64, static_cast<int64_t>(places.size()));
  EXPECT_TRUE(list.ok());
  for (size_t e = 0; e < places.size(); ++e) {
    for (int d = 0; d < list->order(); ++d)
      withCoordinateType(list->coordinateType(), [&]<typename C>(C *) {
        list->column(d).as<C>()[e] = static_cast<C>(places[e][static_cast<size_t>(d)]);
      });
    list->values().as<int64_t>()[e] = static_cast<int64_t>(e + 1);
  }
  return std::move(*list);
}

std::map<Place, int64_t> entriesOf(const Coordinates &list) {
  std::map<Place, int64_t> entries;
  for (int64_t e = 0; e < list.count(); ++e) {
    Place place;
    for (int d = 0; d < list.order(); ++d)
      place.push_back(list.coordinate(d, e));
    entries[place] += static_cast<int64_t>(list.value(e).real());
  }
  return entries;
}

/// The entries of a list, moved one by one.
std::map<Place, int64_t> movedEntries(const Coordinates &list, const Permutations &permutations) {
  std::map<Place, int64_t> moved;
  for (const auto &[place, value] : entriesOf(list)) {
    Place to;
    for (size_t d = 0; d < place.size(); ++d) {
      const std::vector<int64_t> olds = allOf(permutations[d]);
      to.push_back(std::ranges::find(olds, place[d]) - olds.begin());
    }
    moved[to] = value;
  }
  return moved;
}

std::vector<int> allDimensions(const Coordinates &list) {
  std::vector<int> all(static_cast<size_t>(list.order()));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// A band matrix whose rows and columns are shuffled alike.
Coordinates shuffledBand(int64_t size, int64_t halfWidth, uint64_t seed) {
  std::vector<int64_t> to(static_cast<size_t>(size));
  std::iota(to.begin(), to.end(), 0);
  std::shuffle(to.begin(), to.end(), std::mt19937_64(seed));
  std::vector<Place> places;
  for (int64_t i = 0; i < size; ++i)
    for (int64_t j = std::max<int64_t>(0, i - halfWidth); j <= std::min(size - 1, i + halfWidth);
         ++j)
      places.push_back({to[static_cast<size_t>(i)], to[static_cast<size_t>(j)]});
  return listOf({size, size}, places);
}

TEST(PermutationTest, OthersFollowTheLeadingIndices) {
  Coordinates list = listOf({6, 2}, {{0, 0}, {1, 1}, {2, 0}, {4, 1}, {5, 0}});
  const Permutations permutations = {{6, {4, 1}}, {2}};
  const std::map<Place, int64_t> expected = movedEntries(list, permutations);
  ASSERT_TRUE(permuteIndices(list, permutations).ok());
  EXPECT_EQ(entriesOf(list), expected);
  EXPECT_EQ(list.coordinate(0, 0), 2);
  EXPECT_EQ(list.coordinate(0, 3), 0);
}

TEST(PermutationTest, HugeSizesNeedNoMemory) {
  const int64_t size = int64_t{1} << 60;
  Coordinates list = listOf({size, size}, {{size - 1, 5}, {7, size - 1}, {7, 9}});
  Result<LexiOrder> lexi = lexiOrder(list, allDimensions(list), 5);
  Result<Permutations> rcm = reverseCuthillMcKee(list),
                       degree = orderByDegree(list, allDimensions(list));
  ASSERT_TRUE(lexi.ok() && rcm.ok() && degree.ok());
  EXPECT_EQ((*degree)[0].leading, (std::vector<int64_t>{7, size - 1}));
  EXPECT_EQ((*degree)[1].leading, (std::vector<int64_t>{5, 9, size - 1}));
  EXPECT_EQ((*rcm)[0].leading.size(), 4u);
  ASSERT_TRUE(permuteIndices(list, *degree).ok());
  EXPECT_EQ(entriesOf(list), (std::map<Place, int64_t>{{{1, 0}, 1}, {{0, 2}, 2}, {{0, 1}, 3}}));
  EXPECT_FALSE(matrixOf(*degree).ok());
}

TEST(PermutationTest, TravelsAsAMatrixAndIsUndone) {
  const Permutations permutations = {{4, {2, 0}}, {2, {1}}, {3}};
  Result<Coordinates> matrix = matrixOf(permutations);
  ASSERT_TRUE(matrix.ok());
  EXPECT_EQ(matrix->sizes(), (std::vector<int64_t>{4, 3}));
  EXPECT_EQ(entriesOf(*matrix), (std::map<Place, int64_t>{{{0, 0}, 3},
                                                          {{1, 0}, 1},
                                                          {{2, 0}, 2},
                                                          {{3, 0}, 4},
                                                          {{0, 1}, 2},
                                                          {{1, 1}, 1},
                                                          {{0, 2}, 1},
                                                          {{1, 2}, 2},
                                                          {{2, 2}, 3}}));
  Result<Permutations> read = permutationsOf(*matrix);
  ASSERT_TRUE(read.ok());
  for (size_t d = 0; d < permutations.size(); ++d) {
    EXPECT_EQ(allOf((*read)[d]), allOf(permutations[d]));
    EXPECT_TRUE(inverseOf((*read)[d]).isValid());
  }
  Coordinates list = listOf({4, 2, 3}, {{0, 0, 0}, {1, 1, 2}, {3, 0, 1}, {2, 1, 0}});
  const std::map<Place, int64_t> before = entriesOf(list);
  ASSERT_TRUE(permuteIndices(list, *read).ok());
  EXPECT_NE(entriesOf(list), before);
  Permutations back;
  for (const Permutation &permutation : *read)
    back.push_back(inverseOf(permutation));
  ASSERT_TRUE(permuteIndices(list, back).ok());
  EXPECT_EQ(entriesOf(list), before);
}

TEST(PermutationTest, RefusesWhatIsNone) {
  Coordinates twice = listOf({2, 1}, {{0, 0}, {1, 0}});
  twice.values().as<int64_t>()[1] = 1;
  EXPECT_FALSE(permutationsOf(twice).ok());
  twice.values().as<int64_t>()[1] = 3;
  EXPECT_FALSE(permutationsOf(twice).ok());
  EXPECT_FALSE(permutationsOf(listOf({3, 1}, {{0, 0}, {2, 0}})).ok());
  EXPECT_FALSE(permutationsOf(listOf({1, 2}, {{0, 0}})).ok());
  EXPECT_TRUE(permutationsOf(listOf({2}, {{0}, {1}})).ok());
}

TEST(ReorderTest, CuthillMcKeeFindsAShuffledBand) {
  for (int64_t halfWidth : {1, 2, 5}) {
    Coordinates matrix = shuffledBand(400, halfWidth, 3);
    EXPECT_GT(bandwidthOf(matrix), 300);
    Result<Permutations> permutations = reverseCuthillMcKee(matrix);
    ASSERT_TRUE(permutations.ok());
    ASSERT_TRUE(permuteIndices(matrix, *permutations).ok());
    EXPECT_EQ(bandwidthOf(matrix), halfWidth);
  }
}

TEST(ReorderTest, CuthillMcKeeOrdersEachComponent) {
  // Paths 0 - 5 - 2 - 6 and 1 - 4, the first by entries on one side of the diagonal only; 3 has an
  // entry on the diagonal, 7 has none.
  Coordinates matrix = listOf({8, 8}, {{0, 5}, {2, 5}, {2, 6}, {4, 1}, {3, 3}});
  Result<Permutations> permutations = reverseCuthillMcKee(matrix);
  ASSERT_TRUE(permutations.ok());
  EXPECT_EQ((*permutations)[0].leading, (*permutations)[1].leading);
  EXPECT_EQ((*permutations)[0].leading.size(), 7u);
  EXPECT_EQ(allOf((*permutations)[0]).back(), 7);
  ASSERT_TRUE(permuteIndices(matrix, *permutations).ok());
  EXPECT_EQ(bandwidthOf(matrix), 1);
}

TEST(ReorderTest, CuthillMcKeeIsForSquareMatrices) {
  EXPECT_NE(reverseCuthillMcKee(listOf({2, 3}, {})).error().text().find("2 x 3"),
            std::string::npos);
  EXPECT_FALSE(reverseCuthillMcKee(listOf({2, 2, 2}, {})).ok());
  for (int64_t size : {0, 1, 5}) {
    Result<Permutations> empty = reverseCuthillMcKee(listOf({size, size}, {}));
    ASSERT_TRUE(empty.ok());
    EXPECT_TRUE((*empty)[0].leading.empty());
  }
}

TEST(ReorderTest, LexiOrderMakesBlocks) {
  // Rows 0 and 2 have equal patterns, and so have 1 and 3.
  Coordinates matrix =
      listOf({4, 4}, {{0, 1}, {0, 3}, {1, 0}, {1, 2}, {2, 1}, {2, 3}, {3, 0}, {3, 2}});
  Result<LexiOrder> found = lexiOrder(matrix, allDimensions(matrix), 5);
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->permutations[0].leading, (std::vector<int64_t>{1, 3, 0, 2}));
  EXPECT_EQ(found->permutations[1].leading, (std::vector<int64_t>{0, 2, 1, 3}));
  EXPECT_EQ(found->iterations, 2);
}

TEST(ReorderTest, LexiOrderSortsRowsByTheirPatterns) {
  // Against the definition: strings of entries and gaps, descending, ties in the old order.
  std::mt19937_64 random(11);
  for (int repetition = 0; repetition < 50; ++repetition) {
    std::vector<Place> places;
    std::vector<std::string> rows(12, std::string(7, '0'));
    for (int64_t e = 0; e < 30; ++e) { // some twice
      const auto row = random() % 12, column = random() % 7;
      rows[row][column] = '1';
      places.push_back({static_cast<int64_t>(row), static_cast<int64_t>(column)});
    }
    std::vector<int64_t> expected(12);
    std::iota(expected.begin(), expected.end(), 0);
    std::ranges::sort(expected, [&](int64_t a, int64_t b) {
      const int order = rows[static_cast<size_t>(a)].compare(rows[static_cast<size_t>(b)]);
      return order > 0 || (order == 0 && a < b);
    });
    const int rowsAlone[] = {0};
    Result<LexiOrder> found = lexiOrder(listOf({12, 7}, places), rowsAlone, 1);
    ASSERT_TRUE(found.ok());
    EXPECT_EQ(allOf(found->permutations[0]), expected);
    EXPECT_TRUE(found->permutations[1].isIdentity());
  }
}

TEST(ReorderTest, DegreesDescend) {
  Coordinates matrix = listOf({4, 3}, {{0, 0}, {3, 0}, {3, 2}, {2, 2}, {2, 0}, {2, 1}});
  Result<Permutations> found = orderByDegree(matrix, allDimensions(matrix));
  ASSERT_TRUE(found.ok());
  EXPECT_EQ((*found)[0].leading, (std::vector<int64_t>{2, 3, 0}));
  EXPECT_EQ((*found)[1].leading, (std::vector<int64_t>{0, 2, 1}));
}

/// How many entries each of `stretches` equal parts of the rows holds.
std::vector<int64_t> countByRows(const Coordinates &matrix, int64_t stretches) {
  std::vector<int64_t> counts(static_cast<size_t>(stretches));
  for (int64_t e = 0; e < matrix.count(); ++e)
    ++counts[static_cast<size_t>(matrix.coordinate(0, e) * stretches / matrix.sizes()[0])];
  return counts;
}

TEST(ReorderTest, BalancedStretchesHoldEquallyManyEntries) {
  constexpr int64_t rows = 6400, stretches = 64;
  std::vector<Place> places;
  for (int64_t r = 0; r < rows - 800; ++r)
    for (int64_t j = 0; j < 1 + 2000 / (r + 20); ++j)
      places.push_back({r, j});
  Coordinates matrix = listOf({rows, 101}, places); // 800 rows at the end have no entries
  const int64_t mean = matrix.count() / stretches;
  EXPECT_GT(countByRows(matrix, stretches).front(), 10 * mean);
  Permutation order{.size = rows, .leading = std::vector<int64_t>(size_t{rows})};
  std::iota(order.leading.begin(), order.leading.end(), 0);
  Result<Permutation> balanced = balanceOrder(matrix, 0, order);
  ASSERT_TRUE(balanced.ok());
  ASSERT_TRUE(balanced->isValid());
  ASSERT_EQ(balanced->leading.size(), size_t{rows});
  // Rows that are together without reason to part stay so: most runs of eight do.
  int64_t together = 0;
  for (size_t at = 1; at < balanced->leading.size(); ++at)
    together += balanced->leading[at] == balanced->leading[at - 1] + 1;
  EXPECT_GT(together, rows * 3 / 4);
  ASSERT_TRUE(permuteIndices(matrix, Permutations{*balanced, {101}}).ok());
  for (int64_t count : countByRows(matrix, stretches)) {
    EXPECT_GE(count, mean * 19 / 20);
    EXPECT_LE(count, mean * 21 / 20);
  }
}

TEST(ReorderTest, PermutationsOfRandomTensorsAreValid) {
  const std::vector<std::vector<int64_t>> shapes = {{40}, {30, 30}, {20, 9, 14}, {6, 11, 5, 8}};
  for (const std::vector<int64_t> &sizes : shapes)
    for (double density : {0.0, 0.02, 0.2}) {
      Result<Coordinates> list =
          generateRandom({.sizes = sizes, .density = density, .seed = 5, .type = STRATA_I32});
      ASSERT_TRUE(list.ok());
      const std::vector<int> all = allDimensions(*list);
      Result<LexiOrder> lexi = lexiOrder(*list, all, 3);
      Result<Permutations> degree = orderByDegree(*list, all);
      ASSERT_TRUE(lexi.ok() && degree.ok());
      std::vector<Permutations> found = {lexi->permutations, *degree};
      Result<Permutation> balanced = balanceOrder(*list, 0, lexi->permutations[0]);
      ASSERT_TRUE(balanced.ok());
      found.push_back(lexi->permutations);
      found.back()[0] = *balanced;
      if (sizes.size() == 2)
        found.push_back(*reverseCuthillMcKee(*list));
      for (const Permutations &permutations : found) {
        Result<Coordinates> moved = list->clone();
        ASSERT_TRUE(moved.ok());
        ASSERT_TRUE(permuteIndices(*moved, permutations).ok());
        EXPECT_EQ(entriesOf(*moved), movedEntries(*list, permutations));
      }
    }
}

} // namespace
