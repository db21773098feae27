// Widths of positions and coordinates: chosen by sizes, forced, mixed, and too narrow.
#include "generator/Workbench.h"

namespace {

using namespace strata;
using namespace strata::test;

// The widths of the levels of a packed tensor, "pos/crd" for each.
std::string widthsOf(ta::FormatAttr format) {
  std::string text;
  for (ta::LevelAttr level : format.getLevels())
    text += (text.empty() ? "" : " ") + std::to_string(level.getPosWidth()) + "/" +
            std::to_string(level.getCrdWidth());
  return text;
}

// Packs and unpacks; the widths, or the error.
std::string roundTrip(const TensorData &data, const std::string &format) {
  Workbench &bench = Workbench::instance();
  auto order = static_cast<unsigned>(data.sizes.size());
  mlir::RankedTensorType type = bench.type({"", "#ta.format<" + format + ">"}, order, STRATA_F64);
  auto packed = pack(bench.compiler, toCoordinates(data), type);
  if (!packed.ok())
    return packed.error().message;
  auto unpacked = unpack(bench.compiler, *packed);
  EXPECT_TRUE(unpacked.ok()) << unpacked.error().text();
  EXPECT_EQ(text(contentOf(*unpacked)), text(expectedContent(data, type))) << format;
  return widthsOf(packed->format());
}

constexpr const char *dcsr = "(i, j) -> (i : compressed, j : compressed)";
constexpr const char *vector = "(i) -> (i : compressed)";

TEST(Widths, AreChosenPerLevel) {
  auto corner = [](std::vector<int64_t> sizes) {
    return TensorData{sizes, STRATA_F64, {{{sizes[0] - 1, sizes[1] - 1}, 2}, {{0, 0}, 3}}};
  };
  EXPECT_EQ(roundTrip(corner({10, 10}), dcsr), "8/8 8/8");
  EXPECT_EQ(roundTrip(corner({256, 257}), dcsr), "8/8 8/16");
  EXPECT_EQ(roundTrip(corner({65537, 65536}), dcsr), "8/32 8/16");
  EXPECT_EQ(roundTrip(corner({int64_t(1) << 31, 3}), dcsr), "8/32 8/8");
  EXPECT_EQ(roundTrip(corner({3, (int64_t(1) << 31) + 1}), dcsr), "8/8 8/64");
  EXPECT_EQ(roundTrip(corner({int64_t(1) << 62, 3}), dcsr), "8/64 8/8");
  // Few rows need few positions, whatever the number of entries.
  Random random(8);
  TensorData data = drawData(random, {20, 40}, STRATA_F64, {.density = 1});
  EXPECT_EQ(roundTrip(data, dcsr), "8/8 16/8");
  EXPECT_EQ(roundTrip(data, "(i, j) -> (i : compressed(nonunique), j : singleton)"), "16/8 0/8");
  EXPECT_EQ(roundTrip(data, "(i, j) -> (i : compressed(pos = 64), j : compressed(crd = 32))"),
            "64/8 16/32");
  EXPECT_EQ(
      roundTrip(data, "(i, j) -> (i : compressed, j : compressed(crd = 32)), pos = 32, crd = 16"),
      "32/16 32/32");
}

// Coordinates of 8 and 16 bits go up to 2^w - 1, and from -2^(w-1) to 2^(w-1) - 1 where some are
// negative; those of 32 bits are always signed.
TEST(Widths, BoundsOfCoordinates) {
  for (unsigned width : {8u, 16u, 32u}) {
    std::string crd = "crd = " + std::to_string(width), chosen = "8/" + std::to_string(width);
    int64_t limit = int64_t(1) << (width == 32 ? 31 : width), half = limit / 2;
    for (int64_t size : {half - 1, half, half + 1, limit - 1, limit, limit + 1}) {
      TensorData data{{size}, STRATA_F64, {{{0}, 1}, {{half - 2}, 2}, {{size - 1}, 3}}};
      std::string last = std::to_string(size - 1);
      EXPECT_EQ(roundTrip(data, std::string(vector) + ", " + crd),
                size <= limit ? chosen
                              : "coordinates from 0 to " + last + " do not fit the " +
                                    std::to_string(width) + " bits that the format has for them");
      std::string automatic = roundTrip(data, vector);
      EXPECT_EQ(automatic == chosen, size <= limit && size > limit >> width / 2) << automatic;
    }
    // Diagonals of an n x 3 matrix: from 1 - n to 2.
    if (width == 32)
      continue; // a place for each of 2^31 rows
    for (int64_t rows : {half, half + 1, half + 2}) {
      TensorData data{{rows, 3}, STRATA_F64, {{{0, 2}, 1}, {{rows - 1, 0}, 2}, {{1, 1}, 3}}};
      std::string got =
          roundTrip(data, "(i, j) -> (j - i : compressed, i : range, j : offset), crd = " +
                              std::to_string(width));
      EXPECT_EQ(got, rows <= half + 1 ? "8/" + std::to_string(width) + " 0/0 0/0"
                                      : "coordinates from " + std::to_string(1 - rows) +
                                            " to 2 do not fit the " + std::to_string(width) +
                                            " bits that the format has for them");
    }
  }
}

TEST(Widths, BoundsOfPositions) {
  for (unsigned width : {8u, 16u}) {
    int64_t limit = int64_t(1) << width;
    for (int64_t entries : {limit / 2 - 1, limit / 2, limit - 1, limit}) {
      TensorData data{{entries + 7}, STRATA_F64, {}};
      for (int64_t at = 0; at < entries; ++at)
        data.entries.push_back({{at + 7}, 1});
      std::string pos = ", pos = " + std::to_string(width) + ", crd = 32";
      std::string refused = "positions up to " + std::to_string(entries) + " do not fit the " +
                            std::to_string(width) + " bits that the format has for them";
      EXPECT_EQ(roundTrip(data, vector + pos),
                entries < limit ? std::to_string(width) + "/32" : refused);
      EXPECT_EQ(roundTrip(data, std::string(vector) + ", crd = 32"),
                (entries < limit ? std::to_string(width)
                 : width == 8    ? "16"
                                 : "32") +
                    "/32");
      // As rows of one entry: below, the last level counts them all, the first does too.
      TensorData rows{{entries + 7, 2}, STRATA_F64, {}};
      for (int64_t at = 0; at < entries; ++at)
        rows.entries.push_back({{at + 7, 1}, 1});
      std::string first = "(i, j) -> (i : compressed(pos = " + std::to_string(width) +
                          "), j : compressed(pos = 64)), crd = 32";
      EXPECT_EQ(roundTrip(rows, first),
                entries < limit ? std::to_string(width) + "/32 64/32"
                                : "a position or size does not fit the width of its buffer");
    }
  }
}

class ForcedWidths : public testing::TestWithParam<std::tuple<unsigned, unsigned>> {};

// Levels that make more positions than there are entries, or fewer; and coordinates up to the last
// that a width holds.
TEST(Widths, PositionsWithoutEntries) {
  TensorData ends{{20, 300}, STRATA_F64, {}}, slope{{40, 256}, STRATA_F64, {}};
  for (int64_t row = 0; row < 20; ++row)
    for (int64_t column : {int64_t(0), int64_t(299)})
      ends.entries.push_back({{row, column}, 1.0 + double(row)});
  for (int64_t row = 0; row < 40; ++row)
    for (int64_t column = 256 - row; column < 256; ++column)
      slope.entries.push_back({{row, column}, 2.0});
  EXPECT_EQ(roundTrip(ends, "(i, j) -> (i : dense, j : band)"), "0/0 16/16");
  EXPECT_EQ(roundTrip(ends, "(i, j) -> (i : dense, j : ragged)"), "0/0 16/0");
  EXPECT_EQ(roundTrip(ends, "(i, j) -> (i : band, j : band)"), "8/8 16/16");
  EXPECT_EQ(roundTrip(ends, "(i, j) -> (j : ragged, i : compressed)"), "16/0 8/8");
  EXPECT_EQ(roundTrip(ends, "(i, j) -> (i : dense, slot(i) : ragged, j : padded)"), "0/0 8/0 0/16");
  EXPECT_EQ(roundTrip(slope, "(i, j) -> (i : dense, j : run_length)"), "0/0 16/8");
  EXPECT_EQ(roundTrip(slope, "(i, j) -> (i : dense, j : block_list)"), "0/0 16/8");
  TensorData last{{256}, STRATA_F64, {{{254}, 3}, {{255}, 3}}};
  EXPECT_EQ(roundTrip(last, "(i) -> (i : run_length)"), "8/8");
  EXPECT_EQ(roundTrip(last, "(i) -> (i : block_list)"), "8/8");
}

TEST_P(ForcedWidths, RoundTrip) {
  Workbench &bench = Workbench::instance();
  auto [pos, crd] = GetParam();
  Random random(5);
  for (unsigned order : {1u, 2u, 3u})
    for (const NamedFormat &plain : namedFormats(order)) {
      NamedFormat format = withWidths(plain, pos, crd);
      SCOPED_TRACE(format.name + " " + format.text);
      for (double density : {0.0, 0.4}) {
        std::vector<int64_t> sizes(order, 6);
        TensorData data = drawData(random, sizes, STRATA_F64, {.density = density, .zeros = 10});
        mlir::RankedTensorType type = bench.type(format, order, STRATA_F64);
        auto packed = pack(bench.compiler, toCoordinates(data), type);
        ASSERT_TRUE(packed.ok()) << packed.error().text();
        if (!format.text.empty()) {
          for (const TensorValue *storage : storagesOf(*packed))
            for (ta::LevelAttr level : storage->format().getLevels()) {
              llvm::StringRef name = level.getName();
              EXPECT_EQ(level.getPosWidth(), storesPositions(name) ? pos ? pos : 8 : 0);
              EXPECT_EQ(level.getCrdWidth(), storesCoordinates(name) ? crd ? crd : 8 : 0);
            }
        }
        auto unpacked = unpack(bench.compiler, *packed);
        ASSERT_TRUE(unpacked.ok()) << unpacked.error().text();
        ASSERT_EQ(text(contentOf(*unpacked)), text(expectedContent(data, type)));
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Pairs, ForcedWidths,
                         testing::Combine(testing::Values(0u, 8u, 16u, 32u, 64u),
                                          testing::Values(0u, 8u, 16u, 32u, 64u)));

// What does not fit the widths that were asked for is refused, or comes back whole.
TEST(Widths, TooNarrow) {
  Workbench &bench = Workbench::instance();
  Random random(6);
  for (const char *widths : {"pos = 8, crd = 32", "pos = 32, crd = 8", "pos = 8, crd = 8"})
    for (std::vector<int64_t> sizes :
         {std::vector<int64_t>{20, 20}, {1000, 3}, {3, 1000}, {300, 300}})
      for (const char *levels :
           {"i : dense, j : compressed", "i : compressed, j : compressed",
            "i : compressed(nonunique), j : singleton",
            "i floordiv 4 : dense, j floordiv 4 : compressed, i mod 4 : dense, j mod 4 : dense",
            "j - i : compressed, i : range, j : offset"}) {
        NamedFormat format{"",
                           std::string("#ta.format<(i, j) -> (") + levels + "), " + widths + ">"};
        SCOPED_TRACE(format.text + ", sizes " + testing::PrintToString(sizes));
        TensorData data = drawData(random, sizes, STRATA_F64, {.density = 0.8});
        mlir::RankedTensorType type = bench.type(format, 2, STRATA_F64);
        auto packed = pack(bench.compiler, toCoordinates(data), type);
        if (!packed.ok())
          continue;
        auto unpacked = unpack(bench.compiler, *packed);
        ASSERT_TRUE(unpacked.ok()) << unpacked.error().text();
        EXPECT_EQ(text(contentOf(*unpacked)), text(expectedContent(data, type)));
      }
}

} // namespace
