// Widths of positions and coordinates: chosen by sizes, forced, mixed, and too narrow.
#include "Workbench.h"

namespace {

using namespace strata;
using namespace strata::test;

TEST(Widths, AreChosenBySizes) {
  Workbench &bench = Workbench::instance();
  NamedFormat format{"DCSR", "#ta.format<(i, j) -> (i : compressed, j : compressed)>"};
  auto widthOf = [&](std::vector<int64_t> sizes) {
    TensorData data{sizes, STRATA_F64, {{{sizes[0] - 1, sizes[1] - 1}, 2}}};
    auto packed = pack(bench.compiler, toCoordinates(data), bench.type(format, 2, STRATA_F64));
    EXPECT_TRUE(packed.ok());
    auto unpacked = unpack(bench.compiler, *packed);
    EXPECT_TRUE(unpacked.ok());
    EXPECT_EQ(text(contentOf(*unpacked)), text(contentOf(data, true)));
    EXPECT_EQ(packed->format().getPosWidth(), 32u);
    return packed->format().getCrdWidth();
  };
  EXPECT_EQ(widthOf({10, 10}), 32u);
  EXPECT_EQ(widthOf({2147483647, 2147483647}), 32u);
  EXPECT_EQ(widthOf({10, 2147483649}), 64u);
  EXPECT_EQ(widthOf({int64_t(1) << 62, 3}), 64u);
}

class ForcedWidths : public testing::TestWithParam<std::tuple<unsigned, unsigned>> {};

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
          EXPECT_EQ(packed->format().getPosWidth(), pos ? pos : 32);
          EXPECT_EQ(packed->format().getCrdWidth(), crd ? crd : 32);
        }
        auto unpacked = unpack(bench.compiler, *packed);
        ASSERT_TRUE(unpacked.ok()) << unpacked.error().text();
        ASSERT_EQ(text(contentOf(*unpacked)), text(expectedContent(data, ta::formatOf(type))));
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
    for (std::vector<int64_t> sizes : {std::vector<int64_t>{20, 20}, {1000, 3}, {3, 1000}, {300, 300}})
      for (const char *levels :
           {"i : dense, j : compressed", "i : compressed, j : compressed",
            "i : compressed(nonunique), j : singleton",
            "i floordiv 4 : dense, j floordiv 4 : compressed, i mod 4 : dense, j mod 4 : dense",
            "j - i : compressed, i : range, j : offset"}) {
        NamedFormat format{"", std::string("#ta.format<(i, j) -> (") + levels + "), " + widths + ">"};
        SCOPED_TRACE(format.text + ", sizes " + testing::PrintToString(sizes));
        TensorData data = drawData(random, sizes, STRATA_F64, {.density = 0.8});
        mlir::RankedTensorType type = bench.type(format, 2, STRATA_F64);
        auto packed = pack(bench.compiler, toCoordinates(data), type);
        if (!packed.ok())
          continue;
        auto unpacked = unpack(bench.compiler, *packed);
        ASSERT_TRUE(unpacked.ok()) << unpacked.error().text();
        EXPECT_EQ(text(contentOf(*unpacked)), text(expectedContent(data, ta::formatOf(type))));
      }
}

} // namespace
