// Coordinate lists: storages, sorting, duplicates, conversions, triangles.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/storage/Generate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <random>

namespace {

using namespace strata::runtime;

struct Entry {
  std::vector<int64_t> at;
  double value;
  bool operator==(const Entry &) const = default;
};

Coordinates listOf(std::vector<int64_t> sizes, const std::vector<Entry> &entries,
                   strata_type type = STRATA_F64) {
  Result<Coordinates> list =
      Coordinates::create(std::move(sizes), type, static_cast<int64_t>(entries.size()));
  EXPECT_TRUE(list.ok());
  for (size_t e = 0; e < entries.size(); ++e) {
    for (int d = 0; d < list->order(); ++d)
      withCoordinateType(list->coordinateType(), [&]<typename C>(C *) {
        list->column(d).as<C>()[e] = static_cast<C>(entries[e].at[static_cast<size_t>(d)]);
      });
    withValueType(type, [&]<typename V>(V *) {
      list->values().as<V>()[e] = static_cast<V>(entries[e].value);
    });
  }
  return std::move(*list);
}

std::vector<Entry> entriesOf(const Coordinates &list) {
  std::vector<Entry> entries;
  for (int64_t e = 0; e < list.count(); ++e) {
    Entry entry;
    for (int d = 0; d < list.order(); ++d)
      entry.at.push_back(list.coordinate(d, e));
    entry.value = list.value(e).real();
    entries.push_back(entry);
  }
  return entries;
}

std::vector<int64_t> keyOf(const Entry &entry, const std::vector<int> &order) {
  std::vector<int64_t> key;
  for (int d : order)
    key.push_back(entry.at[static_cast<size_t>(d)]);
  return key;
}

std::vector<Entry> drawEntries(const std::vector<int64_t> &sizes, int64_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Entry> entries;
  for (int64_t e = 0; e < count; ++e) {
    Entry entry;
    for (int64_t size : sizes)
      entry.at.push_back(static_cast<int64_t>(random() % static_cast<uint64_t>(size)));
    entry.value = static_cast<double>(e + 1);
    entries.push_back(entry);
  }
  return entries;
}

TEST(CoordinatesTest, ChoosesTheWidth) {
  EXPECT_EQ(Coordinates::create({INT32_MAX, 5}, STRATA_F64, 1)->coordinateType(), STRATA_I32);
  EXPECT_EQ(Coordinates::create({5, int64_t{1} << 31}, STRATA_F64, 1)->coordinateType(),
            STRATA_I64);
  EXPECT_EQ(Coordinates::create({5, 5}, STRATA_I64, STRATA_F32, 2)->coordinateType(), STRATA_I64);
  EXPECT_FALSE(Coordinates::create({int64_t{1} << 40}, STRATA_I32, STRATA_F64, 1).ok());
  EXPECT_FALSE(Coordinates::create({-1}, STRATA_F64, 1).ok());
  EXPECT_EQ(Coordinates::create({1}, STRATA_I8, 1)->valueType(), STRATA_I8);
}

TEST(CoordinatesTest, TooLargeIsAnErrorNotACrash) {
  Result<Coordinates> huge = Coordinates::create({5, 5}, STRATA_F64, int64_t{1} << 54);
  ASSERT_FALSE(huge.ok());
  EXPECT_NE(huge.error().text().find("cannot allocate"), std::string::npos);
  EXPECT_FALSE(Coordinates::create({5, 5}, STRATA_C128, INT64_MAX / 2).ok());
  Coordinates list = listOf({3, 3}, {{{0, 1}, 2}});
  EXPECT_FALSE(list.resize(int64_t{1} << 56).ok());
  EXPECT_EQ(entriesOf(list), (std::vector<Entry>{{{0, 1}, 2}}));
}

class SortTest : public testing::TestWithParam<std::vector<int64_t>> {};

TEST_P(SortTest, SortsStablyInAnyOrder) {
  const std::vector<int64_t> &sizes = GetParam();
  std::vector<int> order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  int round = 0;
  do {
    for (int64_t count : {0, 1, 2, 100, 70000}) {
      if (count > 100 && round > 1)
        continue;
      std::vector<Entry> entries = drawEntries(sizes, count, static_cast<uint64_t>(round));
      Coordinates list = listOf(sizes, entries);
      ASSERT_TRUE(list.sort(order).ok());
      // The values count the entries, so that they settle the order of equal coordinates.
      std::ranges::sort(entries, {},
                        [&](const Entry &e) { return std::pair(keyOf(e, order), e.value); });
      ASSERT_EQ(entriesOf(list), entries);
      EXPECT_TRUE(list.isSorted(order));
    }
  } while (std::next_permutation(order.begin(), order.end()) && ++round < 6);
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, SortTest,
    testing::Values(std::vector<int64_t>{10}, std::vector<int64_t>{1, 7},
                    std::vector<int64_t>{300, 5}, std::vector<int64_t>{100000, 70000},
                    std::vector<int64_t>{int64_t{1} << 40, int64_t{1} << 62},
                    std::vector<int64_t>{1000, 2, 1000}, std::vector<int64_t>{7, 7, 7, 7},
                    std::vector<int64_t>{1 << 20, 1 << 20, 1 << 20, 1 << 20, 1 << 20}));

// Rows of very different lengths: what a sort divides by digits falls into one part, or into a few.
TEST(CoordinatesTest, SortsSkewedLists) {
  std::mt19937_64 random(7);
  auto power = [&](int64_t size) { // small ones far more often
    return static_cast<int64_t>(random() % static_cast<uint64_t>(size)) >> (random() % 30);
  };
  const std::vector<std::function<std::vector<int64_t>(int64_t)>> kinds = {
      [&](int64_t e) { return std::vector<int64_t>{e % 10 ? 5 : power(1 << 20), power(1 << 20)}; },
      [&](int64_t) { return std::vector<int64_t>{power(1 << 20), power(1 << 20)}; },
      [&](int64_t) { return std::vector<int64_t>{(1 << 20) - 1, power(1 << 20)}; },
      [&](int64_t) { return std::vector<int64_t>{int64_t(random() % 2) << 19, 3}; },
      [&](int64_t e) { return std::vector<int64_t>{1 << 10, (1 << 20) - 1 - e}; },
      [&](int64_t e) { return std::vector<int64_t>{e % 7 * 1000, e}; }};
  // Once with more rows than entries, and once with fewer, which are counted.
  for (int fewer : {0, 3})
    for (size_t kind = 0; kind < kinds.size(); ++kind) {
      std::vector<Entry> entries;
      for (int64_t e = 0; e < 300000; ++e) {
        entries.push_back({kinds[kind](e), static_cast<double>(e)});
        entries.back().at.front() >>= fewer;
      }
      Coordinates list = listOf({(1 << 20) >> fewer, 1 << 20}, entries);
      ASSERT_TRUE(list.sort().ok());
      std::ranges::sort(entries, {}, [](const Entry &e) { return std::pair(e.at, e.value); });
      ASSERT_EQ(entriesOf(list), entries) << "kind " << kind << ", " << fewer;
    }
}

TEST(CoordinatesTest, KnowsWhatIsSorted) {
  const std::vector<int> byColumns = {1, 0};
  Coordinates list = listOf({4, 4}, {{{0, 3}, 1}, {{1, 2}, 1}, {{1, 2}, 1}, {{2, 0}, 1}});
  EXPECT_TRUE(list.isSorted());
  EXPECT_FALSE(list.isStrictlySorted());
  EXPECT_FALSE(list.isSorted(byColumns));
  EXPECT_TRUE(listOf({4, 4}, {{{0, 3}, 1}, {{1, 2}, 1}, {{1, 3}, 1}}).isStrictlySorted());
  EXPECT_TRUE(listOf({4, 4}, {{{1, 2}, 1}}).isStrictlySorted());
  EXPECT_TRUE(listOf({4, 4}, {}).isStrictlySorted());
  // A single descent, or repetition, at any place is found.
  for (int64_t at : {1, 40000, 99999}) {
    Result<Coordinates> many = Coordinates::create({100000}, STRATA_F32, 100000);
    std::iota(many->column(0).as<int32_t>(), many->column(0).as<int32_t>() + 100000, 0);
    EXPECT_TRUE(many->isStrictlySorted());
    many->column(0).as<int32_t>()[at] = many->column(0).as<int32_t>()[at - 1];
    EXPECT_TRUE(many->isSorted());
    EXPECT_FALSE(many->isStrictlySorted());
    many->column(0).as<int32_t>()[at] = many->column(0).as<int32_t>()[at - 1] - 1;
    EXPECT_FALSE(many->isSorted());
  }
}

TEST(CoordinatesTest, SumsDuplicatesInTheirOrder) {
  // Any other order of these additions gives another sum.
  Coordinates list =
      listOf({2, 2}, {{{1, 1}, 1e16}, {{0, 0}, 4}, {{1, 1}, 1}, {{1, 1}, 1}, {{1, 1}, -1e16}});
  Result<int64_t> removed = list.sumDuplicates();
  ASSERT_TRUE(removed.ok());
  EXPECT_EQ(*removed, 3);
  EXPECT_EQ(entriesOf(list), (std::vector<Entry>{{{0, 0}, 4}, {{1, 1}, (1e16 + 1 + 1) - 1e16}}));
}

TEST(CoordinatesTest, SumsLikeAMap) {
  for (strata_type type : {STRATA_F32, STRATA_F64, STRATA_I32, STRATA_I64, STRATA_C128}) {
    const std::vector<int64_t> sizes = {40, 50, 3};
    std::vector<Entry> entries = drawEntries(sizes, 20000, 7);
    std::map<std::vector<int64_t>, double> sums;
    for (const Entry &entry : entries)
      sums[entry.at] += entry.value;
    Coordinates list = listOf(sizes, entries, type);
    Result<int64_t> removed = list.sumDuplicates();
    ASSERT_TRUE(removed.ok());
    EXPECT_EQ(*removed, 20000 - static_cast<int64_t>(sums.size()));
    std::vector<Entry> expected;
    for (const auto &[at, sum] : sums)
      expected.push_back({at, sum});
    EXPECT_EQ(entriesOf(list), expected) << typeName(type);
  }
}

TEST(CoordinatesTest, IntegerSumsThatOverflowAreErrors) {
  Coordinates list = listOf({2, 9}, {{{1, 3}, 2147483647}, {{0, 0}, 1}, {{1, 3}, 1}}, STRATA_I32);
  Result<int64_t> removed = list.sumDuplicates();
  ASSERT_FALSE(removed.ok());
  EXPECT_EQ(removed.error().text(),
            "error: the sum of the entries at (2, 4) does not fit the type i32");
  EXPECT_EQ(list.count(), 3);
  Coordinates narrow = listOf({9}, {{{3}, 100}, {{3}, 27}, {{0}, 1}}, STRATA_I8);
  EXPECT_EQ(*narrow.sumDuplicates(), 1);
  EXPECT_EQ(narrow.value(1), 127.0);
  EXPECT_FALSE(listOf({9}, {{{3}, 100}, {{3}, 28}}, STRATA_I8).sumDuplicates().ok());
}

TEST(CoordinatesTest, MovesThroughStoragesWithoutCopies) {
  for (strata_type positions : {STRATA_I32, STRATA_I64}) {
    const std::vector<Entry> entries = {{{2, 1, 0}, 5}, {{0, 1, 3}, 6}};
    Coordinates list = listOf({3, 2, 4}, entries);
    const void *column = list.column(1).data(), *values = list.values().data();
    Result<Storage> storage = std::move(list).intoStorage(positions);
    ASSERT_TRUE(storage.ok());
    ASSERT_EQ(storage->bufferCount(), 5);
    EXPECT_EQ(storage->abi()->order, 3);
    EXPECT_EQ(storage->abi()->sizes[2], 4);
    EXPECT_EQ(storage->buffer(0).type, positions);
    EXPECT_EQ(storage->buffer(0).count, 2);
    EXPECT_EQ(storage->buffer(2).data, column);
    EXPECT_EQ(storage->values().data, values);
    Storage moved = std::move(*storage);
    Result<Coordinates> back = Coordinates::fromStorage(std::move(moved));
    ASSERT_TRUE(back.ok());
    EXPECT_EQ(back->column(1).data(), column);
    EXPECT_EQ(entriesOf(*back), entries);
  }
}

TEST(CoordinatesTest, CopiesWhatBelongsToOthersAndChecksStorages) {
  int64_t positions[] = {0, 2};
  int32_t rows[] = {0, 1};
  double values[] = {3, 4};
  Storage storage({2}, std::array{STRATA_I64, STRATA_I32, STRATA_F64});
  storage.adopt(0, positions, 2, STRATA_I64);
  storage.adopt(1, rows, 2, STRATA_I32);
  storage.adopt(2, values, 2, STRATA_F64);
  EXPECT_EQ(storage.bytes(), 0);
  Result<Coordinates> list = Coordinates::fromStorage(std::move(storage));
  ASSERT_TRUE(list.ok());
  EXPECT_NE(list->column(0).data(), rows);
  EXPECT_EQ(entriesOf(*list), (std::vector<Entry>{{{0}, 3}, {{1}, 4}}));

  positions[1] = 1;
  Storage wrong({2}, std::array{STRATA_I64, STRATA_I32, STRATA_F64});
  wrong.adopt(0, positions, 2, STRATA_I64);
  wrong.adopt(1, rows, 2, STRATA_I32);
  wrong.adopt(2, values, 2, STRATA_F64);
  Result<Coordinates> refused = Coordinates::fromStorage(std::move(wrong));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().text(),
            "error: the positions of a list of coordinates are wrong; expected [0, 2]");
}

TEST(CoordinatesTest, PermutesAndDropsDimensions) {
  Coordinates list = listOf({3, 1, 5}, {{{2, 0, 4}, 1}});
  const std::array<int, 3> source = {2, 0, 1};
  ASSERT_TRUE(list.permute(source).ok());
  EXPECT_EQ(list.sizes(), (std::vector<int64_t>{5, 3, 1}));
  EXPECT_EQ(entriesOf(list), (std::vector<Entry>{{{4, 2, 0}, 1}}));
  ASSERT_TRUE(list.dropDimension(2).ok());
  EXPECT_EQ(list.sizes(), (std::vector<int64_t>{5, 3}));
  EXPECT_EQ(entriesOf(list), (std::vector<Entry>{{{4, 2}, 1}}));
}

TEST(CoordinatesTest, KeepsTriangles) {
  const std::vector<Entry> all = {{{0, 0}, 1}, {{1, 0}, 2}, {{0, 1}, 3}, {{2, 1}, 4}, {{2, 2}, 5}};
  auto kept = [&](Triangle part) {
    Coordinates list = listOf({3, 3}, all);
    EXPECT_TRUE(list.keepTriangle(part).ok());
    return entriesOf(list);
  };
  EXPECT_EQ(kept(Triangle::all), all);
  EXPECT_EQ(kept(Triangle::strictlyLower), (std::vector<Entry>{all[1], all[3]}));
  EXPECT_EQ(kept(Triangle::lower), (std::vector<Entry>{all[0], all[1], all[3], all[4]}));
  EXPECT_EQ(kept(Triangle::strictlyUpper), (std::vector<Entry>{all[2]}));
  EXPECT_EQ(kept(Triangle::upper), (std::vector<Entry>{all[0], all[2], all[4]}));
  EXPECT_FALSE(listOf({3}, {}).keepTriangle(Triangle::lower).ok());
}

TEST(CoordinatesTest, ConvertsOnlyWithoutLoss) {
  auto convert = [](double value, strata_type from, strata_type to) -> std::string {
    Coordinates list = listOf({1}, {{{0}, value}}, from);
    Status done = list.convertValues(to);
    if (!done.ok())
      return done.error().message;
    EXPECT_EQ(list.valueType(), to);
    return list.value(0).real() == value ? "same" : "rounded";
  };
  EXPECT_EQ(convert(3, STRATA_F64, STRATA_I32), "same");
  EXPECT_EQ(convert(-2147483648.0, STRATA_F64, STRATA_I32), "same");
  EXPECT_EQ(convert(2147483648.0, STRATA_F64, STRATA_I32),
            "the value 2147483648 of entry 1 does not fit the type i32");
  EXPECT_EQ(convert(0x1p63, STRATA_F64, STRATA_I64),
            "the value 9223372036854775808 of entry 1 does not fit the type i64");
  EXPECT_EQ(convert(-0x1p63, STRATA_F64, STRATA_I64), "same");
  EXPECT_EQ(convert(1.5, STRATA_F64, STRATA_I64),
            "the value 1.5 of entry 1 does not fit the type i64");
  EXPECT_NE(convert(NAN, STRATA_F64, STRATA_I64), "same");
  EXPECT_EQ(convert(0.1, STRATA_F64, STRATA_F32), "rounded");
  EXPECT_EQ(convert(INFINITY, STRATA_F64, STRATA_F32), "same");
  EXPECT_EQ(convert(1e300, STRATA_F64, STRATA_F32),
            "the value 1e+300 of entry 1 does not fit the type f32");
  EXPECT_EQ(convert(0x1p40, STRATA_I64, STRATA_I32),
            "the value 1099511627776 of entry 1 does not fit the type i32");
  EXPECT_EQ(convert(127, STRATA_F64, STRATA_I8), "same");
  EXPECT_EQ(convert(-128, STRATA_I64, STRATA_I8), "same");
  EXPECT_EQ(convert(128, STRATA_I64, STRATA_I8),
            "the value 128 of entry 1 does not fit the type i8");
  EXPECT_EQ(convert(-32769, STRATA_F32, STRATA_I16),
            "the value -32769 of entry 1 does not fit the type i16");
  EXPECT_EQ(convert(7, STRATA_I32, STRATA_C128), "same");
  EXPECT_EQ(convert(7, STRATA_C128, STRATA_F32), "same");
  Coordinates complex = listOf({1}, {{{0}, 0}}, STRATA_C128);
  complex.values().as<std::complex<double>>()[0] = {1, 2};
  EXPECT_EQ(
      complex.convertValues(STRATA_F64).error().text(),
      "error: the value (1, 2) of entry 1 does not fit the type f64; expected the element type "
      "complex (Tensor<complex>, -t A:complex)");
}

TEST(CoordinatesTest, ChangesTheWidthOfCoordinates) {
  const std::vector<Entry> entries = {{{2, 1}, 5}, {{0, 1}, 6}};
  Coordinates list = listOf({3, 2}, entries);
  ASSERT_TRUE(list.convertCoordinates(STRATA_I64).ok());
  EXPECT_EQ(list.coordinateType(), STRATA_I64);
  EXPECT_EQ(entriesOf(list), entries);
  ASSERT_TRUE(list.convertCoordinates(STRATA_I32).ok());
  EXPECT_EQ(entriesOf(list), entries);
  EXPECT_FALSE(listOf({int64_t{1} << 40}, {}).convertCoordinates(STRATA_I32).ok());
}

TEST(GenerateTest, RandomTensorsHaveTheCountTheOrderAndTheSeed) {
  struct Case {
    std::vector<int64_t> sizes;
    double density;
    int64_t count;
  };
  // The product of these is more than a double holds, but for the last.
  std::vector<int64_t> huge(20, int64_t{1} << 60);
  huge.push_back(0);
  const Case cases[] = {{{100, 100}, 0.01, 100},
                        {{100, 100}, 0.5, 5000},
                        {{30, 40}, 1, 1200},
                        {{1000, 1000}, 0, 0},
                        {{0, 5}, 0.5, 0},
                        {{huge.begin(), huge.end() - 1}, 0, 0},
                        {huge, 0.5, 0},
                        {{50, 60, 70}, 0.001, 210},
                        {{1 << 20, 1 << 20, 1 << 20, 1 << 20, 1 << 20}, 1e-27, 1268}};
  for (const Case &c : cases) {
    Result<Coordinates> list = generateRandom({.sizes = c.sizes, .density = c.density, .seed = 3});
    ASSERT_TRUE(list.ok());
    EXPECT_EQ(list->count(), c.count);
    EXPECT_TRUE(list->isSorted());
    for (int64_t e = 0; e < list->count(); ++e) {
      EXPECT_NE(list->value(e).real(), 0);
      EXPECT_LT(std::abs(list->value(e).real()), 1);
      for (int d = 0; d < list->order(); ++d)
        ASSERT_LT(list->coordinate(d, e), c.sizes[static_cast<size_t>(d)]);
    }
    Result<Coordinates> again = generateRandom({.sizes = c.sizes, .density = c.density, .seed = 3});
    EXPECT_EQ(entriesOf(*list), entriesOf(*again));
    EXPECT_EQ(*list->sumDuplicates(), 0);
    if (c.count > 10) {
      Result<Coordinates> other =
          generateRandom({.sizes = c.sizes, .density = c.density, .seed = 4});
      EXPECT_NE(entriesOf(*list), entriesOf(*other));
    }
  }
  EXPECT_FALSE(generateRandom({.sizes = {10}, .density = 1.5}).ok());
  EXPECT_FALSE(generateRandom({.sizes = {10}, .density = NAN}).ok());
  huge.pop_back();
  EXPECT_FALSE(generateRandom({.sizes = huge, .density = 1e-300}).ok());
  EXPECT_FALSE(generateRandom({.sizes = {int64_t{1} << 40, 1 << 20}, .density = 0.5}).ok());
}

TEST(GenerateTest, RandomEntriesAreSpreadEvenly) {
  Result<Coordinates> list = generateRandom({.sizes = {10, 1000}, .density = 0.02});
  std::array<int64_t, 10> perRow = {};
  for (int64_t e = 0; e < list->count(); ++e)
    ++perRow[static_cast<size_t>(list->coordinate(0, e))];
  for (int64_t count : perRow)
    EXPECT_NEAR(static_cast<double>(count), 20, 15);
}

TEST(GenerateTest, StencilIsTheMatrixOfTheGrid) {
  for (int64_t n : {1, 2, 3, 5}) {
    Result<Coordinates> list = generateStencil27(n);
    ASSERT_TRUE(list.ok());
    EXPECT_EQ(list->count(), (3 * n - 2) * (3 * n - 2) * (3 * n - 2));
    EXPECT_EQ(list->sizes(), (std::vector<int64_t>{n * n * n, n * n * n}));
    EXPECT_TRUE(list->isSorted());
    for (int64_t e = 0; e < list->count(); ++e) {
      int64_t row = list->coordinate(0, e), column = list->coordinate(1, e);
      EXPECT_EQ(list->value(e).real(), row == column ? 26 : -1);
      for (int k = 0; k < 3; ++k, row /= n, column /= n)
        EXPECT_LE(std::abs(row % n - column % n), 1);
    }
    EXPECT_EQ(*list->sumDuplicates(), 0);
  }
  EXPECT_EQ(generateStencil27()->count(), 1000000);
  EXPECT_FALSE(generateStencil27(0).ok());
  EXPECT_FALSE(generateStencil27(1000000).ok());
}

} // namespace
