// Integer functions against their definitions, number by number.
#include "strata/host/Affine.h"
#include "strata/host/Reindex.h"

#include <gtest/gtest.h>
#include <random>

using namespace strata::host;
using Kind = Affine::Kind;

namespace {

// (2 * i - j + 3) floordiv 4 and the same mod 4.
Affine example(Kind last) {
  return Affine({{Kind::Input, 0},
                 {Kind::Constant, 2},
                 {Kind::Multiply},
                 {Kind::Input, 1},
                 {Kind::Constant, -1},
                 {Kind::Multiply},
                 {Kind::Add},
                 {Kind::Constant, 3},
                 {Kind::Add},
                 {Kind::Constant, 4},
                 {last}});
}

TEST(Affine, RoundsDown) {
  for (int64_t a = -9; a <= 9; ++a)
    for (int64_t b : {1, 2, 3, 4}) {
      EXPECT_EQ(divideFloor(a, b), int64_t(std::floor(double(a) / double(b))));
      EXPECT_EQ(divideCeil(a, b), int64_t(std::ceil(double(a) / double(b))));
    }
}

TEST(Affine, EvaluatesNumbersBlocksAndIntervals) {
  for (Kind kind : {Kind::FloorDivide, Kind::Modulo}) {
    Affine affine = example(kind);
    for (int64_t i = 0; i < 7; ++i)
      for (int64_t j = 0; j < 9; ++j) {
        int64_t inner = 2 * i - j + 3, floor = divideFloor(inner, 4);
        int64_t expected = kind == Kind::FloorDivide ? floor : inner - 4 * floor;
        EXPECT_EQ(affine.evaluate(std::vector<int64_t>{i, j}), expected);
        Block block(3);
        affine.evaluate(
            [&](int64_t input, Block &out) { out.assign(out.size(), input == 0 ? i : j); }, block);
        EXPECT_EQ(block, Block(3, expected));
        std::vector<Interval> ranges{{0, i}, {0, j}};
        Interval values = affine.values(ranges);
        EXPECT_LE(values.least, expected);
        EXPECT_GE(values.most, expected);
      }
  }
}

TEST(Affine, IntervalsOutOfRangeLieInNoDimension) {
  constexpr int64_t step = int64_t(1) << 62;
  Affine affine({{Kind::Input, 0},
                 {Kind::Constant, step},
                 {Kind::Multiply},
                 {Kind::Input, 1},
                 {Kind::Constant, -step},
                 {Kind::Multiply},
                 {Kind::Add}});
  std::vector<Interval> ranges{{0, 4}, {0, 0}};
  EXPECT_EQ(affine.values(ranges).least, 0);
  EXPECT_EQ(affine.values(ranges).most, INT64_MAX);
  ranges = {{0, 0}, {0, 4}};
  EXPECT_EQ(affine.values(ranges).least, INT64_MIN);
  EXPECT_EQ(affine.values(ranges).most, 0);
}

TEST(Affine, ExtentsHoldAllCoordinates) {
  Affine diagonal(
      {{Kind::Input, 1}, {Kind::Input, 0}, {Kind::Constant, -1}, {Kind::Multiply}, {Kind::Add}});
  Extent extent = diagonal.extent(std::vector<int64_t>{4, 6});
  EXPECT_EQ(extent.first, -3);
  EXPECT_EQ(extent.extent, 9);
  EXPECT_EQ(diagonal.extent(std::vector<int64_t>{0, 6}).extent, 5);
  Affine large({{Kind::Input, 0}, {Kind::Constant, 4}, {Kind::Multiply}});
  EXPECT_EQ(large.extent(std::vector<int64_t>{INT64_MAX}).extent, INT64_MAX); // saturates
}

// Every way to reach every coordinate, tried one by one, against the solver.
TEST(Reindex, FindsAllWays) {
  Affine i({{Kind::Input, 0}}),
      period(
          {{Kind::Input, 0}, {Kind::Input, 1}, {Kind::Add}, {Kind::Constant, 3}, {Kind::Modulo}}),
      quotient({{Kind::Input, 1}, {Kind::Constant, 2}, {Kind::FloorDivide}});
  std::vector<Place> places{{{period, quotient}, {}},
                            {{quotient, i}, {{0, 1, 1, Affine({{Kind::Constant, 0}})}}}};
  std::vector<int64_t> extents{4, 5}, sizes{5, 4};
  for (const Place &place : places) {
    auto list = strata::runtime::Coordinates::create(sizes, STRATA_F64, 20);
    ASSERT_TRUE(list);
    for (int64_t at = 0; at < 20; ++at) {
      list->column(0).as<int32_t>()[at] = int32_t(at / 4);
      list->column(1).as<int32_t>()[at] = int32_t(at % 4);
      list->values().as<double>()[at] = double(at);
    }
    auto found = reindexed(*list, place, extents);
    ASSERT_TRUE(found);
    ASSERT_EQ(found->count(), 20); // each variable reaches one place
    for (int64_t entry = 0; entry < 20; ++entry) {
      std::vector<int64_t> variables{found->coordinate(0, entry), found->coordinate(1, entry)};
      int64_t at =
          place.coordinates[0].evaluate(variables) * 4 + place.coordinates[1].evaluate(variables);
      EXPECT_EQ(found->value(entry).real(), double(at));
    }
  }
}

// What lies on a diagonal, whatever stands between its dimensions.
TEST(Reindex, FindsDiagonals) {
  Affine i({{Kind::Input, 0}}), j({{Kind::Input, 1}}), none({{Kind::Constant, 0}});
  Place place{{i, j, i}, {{0, 0, 1, none}, {1, 1, 1, none}}};
  for (strata_type width : {STRATA_I32, STRATA_I64}) {
    auto list = strata::runtime::Coordinates::create({3, 2, 3}, width, STRATA_F64, 18);
    ASSERT_TRUE(list);
    strata::runtime::withCoordinateType(width, [&](auto *tag) {
      using Coordinate = std::remove_pointer_t<decltype(tag)>;
      for (int64_t at = 0; at < 18; ++at) {
        list->column(0).as<Coordinate>()[at] = Coordinate(at / 6);
        list->column(1).as<Coordinate>()[at] = Coordinate(at / 3 % 2);
        list->column(2).as<Coordinate>()[at] = Coordinate(at % 3);
        list->values().as<double>()[at] = double(at);
      }
    });
    auto found = reindexed(*list, place, {3, 2});
    ASSERT_TRUE(found);
    ASSERT_EQ(found->count(), 6);
    for (int64_t entry = 0; entry < 6; ++entry)
      EXPECT_EQ(found->value(entry).real(),
                double(found->coordinate(0, entry) * 7 + found->coordinate(1, entry) * 3));
  }
}

} // namespace
