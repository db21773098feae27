// What is packed into any format comes back when unpacked.
#include "generator/Workbench.h"

namespace {

using namespace strata;
using namespace strata::test;

struct Shape {
  std::vector<int64_t> sizes;
  DrawData how;
};

// Sizes 0 and 1, sizes that no block size divides, tall and wide, nothing, everything.
std::vector<Shape> shapesOf(unsigned order) {
  std::vector<std::vector<int64_t>> sizes;
  switch (order) {
  case 1:
    sizes = {{0}, {1}, {4}, {13}, {200}};
    break;
  case 2:
    sizes = {{0, 0}, {0, 5}, {5, 0}, {1, 1}, {1, 7}, {7, 1}, {8, 8}, {9, 14}, {14, 9}, {30, 3}};
    break;
  case 3:
    sizes = {{0, 2, 3}, {2, 3, 0}, {1, 1, 1}, {4, 5, 6}, {7, 1, 3}};
    break;
  case 4:
    sizes = {{2, 0, 2, 2}, {1, 1, 1, 1}, {3, 4, 2, 5}};
    break;
  default:
    sizes = {{2, 3, 1, 2, 4}};
  }
  std::vector<Shape> shapes;
  for (const std::vector<int64_t> &size : sizes)
    for (const DrawData &how :
         {DrawData{.density = 0}, DrawData{.density = 0.05, .zeros = 20, .duplicates = 30},
          DrawData{.density = 0.3, .zeros = 20, .duplicates = 20}, DrawData{.density = 1}})
      shapes.push_back({size, how});
  return shapes;
}

// Empty if the tensor comes back, else what is wrong.
std::string roundTrip(const NamedFormat &format, const TensorData &data) {
  Workbench &bench = Workbench::instance();
  auto order = static_cast<unsigned>(data.sizes.size());
  mlir::RankedTensorType type = bench.type(format, order, data.type);
  auto packed = pack(bench.compiler, toCoordinates(data), type);
  if (!packed.ok())
    return "not packed: " + packed.error().text();
  if (packed->sizes() != data.sizes)
    return "packed with other sizes";
  Content expected = expectedContent(data, type);
  auto count = static_cast<int64_t>(expected.size());
  if (storesEntriesOnly(type) && packed->storedCount() != count)
    return std::to_string(packed->storedCount()) + " stored, not " + std::to_string(count);
  auto unpacked = unpack(bench.compiler, *packed);
  if (!unpacked.ok())
    return "not unpacked: " + unpacked.error().text();
  if (!unpacked->isSorted())
    return "not sorted";
  if (unpacked->sizes() != data.sizes || unpacked->valueType() != data.type)
    return "unpacked with other sizes or another type";
  Content actual = contentOf(*unpacked);
  if (static_cast<int64_t>(actual.size()) != unpacked->count())
    return "a coordinate comes twice";
  if (actual != expected)
    return "expected\n" + text(expected) + "found\n" + text(actual);
  return "";
}

void roundTrips(unsigned order, const NamedFormat &format, strata_type type) {
  Random random(order);
  for (const Shape &shape : shapesOf(order)) {
    std::string wrong = roundTrip(format, drawData(random, shape.sizes, type, shape.how));
    EXPECT_EQ(wrong, "") << format.name << " " << format.text << " of " << runtime::typeName(type)
                         << ", sizes " << testing::PrintToString(shape.sizes) << ", density "
                         << shape.how.density;
    if (!wrong.empty())
      return; // the others of this format fail alike
  }
}

class Packing : public testing::TestWithParam<unsigned> {};

TEST_P(Packing, AllFormats) {
  for (const NamedFormat &format : allFormats(GetParam()))
    roundTrips(GetParam(), format, STRATA_F64);
}

TEST_P(Packing, AllElementTypes) {
  // Every type in some of the formats, every format with some of the types.
  size_t turn = GetParam();
  for (const NamedFormat &format : namedFormats(GetParam()))
    for (int count = 0; count < 6; ++count)
      roundTrips(GetParam(), format, allTypes[turn++ % std::size(allTypes)]);
}

TEST_P(Packing, LevelsDrawn) {
  Random random(100 + GetParam());
  for (int count = 0; count < 20; ++count)
    roundTrips(GetParam(), drawFormat(random, GetParam()), STRATA_F64);
}

INSTANTIATE_TEST_SUITE_P(Orders, Packing, testing::Range(1u, 6u));

// Blocks, slots and hybrids of many entries are made from rows of them.
TEST(PackingLongLists, AllFormats) {
  Random random(11);
  TensorData data = drawData(random, {410, 390}, STRATA_F64, {.density = 0.9, .duplicates = 1});
  ASSERT_GT(data.entries.size(), size_t(1 << 17));
  for (const NamedFormat &format : namedFormats(2))
    EXPECT_EQ(roundTrip(format, data).substr(0, 500), "") << format.name;
}

TEST(PackingScalars, EveryType) {
  for (strata_type type : allTypes) {
    EXPECT_EQ(roundTrip({"scalar", ""}, {{}, type, {}}), "");
    EXPECT_EQ(roundTrip({"scalar", ""}, {{}, type, {{{}, 3}}}), "");
    EXPECT_EQ(roundTrip({"scalar", ""}, {{}, type, {{{}, 3}, {{}, 4}}}), "");
  }
}

// Two entries make more positions than can be counted in a byte.
TEST(PackingWidths, GapsThatAreFilled) {
  TensorData data{{3, 1000}, STRATA_F64, {{{0, 2}, 1}, {{0, 999}, 2}}};
  for (const std::string word : {"band", "block_list", "run_length", "bitmap"})
    EXPECT_EQ(roundTrip({word, "#ta.format<(i, j) -> (i : dense, j : " + word + ")>"}, data), "");
}

TEST(PackingErrors, SumsThatOverflow) {
  Workbench &bench = Workbench::instance();
  TensorData data{{4}, STRATA_I32, {{{2}, 2147483647}, {{2}, 1}}};
  auto packed = pack(bench.compiler, toCoordinates(data),
                     bench.type({"CSF", "#ta.format<(i) -> (i : compressed)>"}, 1, STRATA_I32));
  ASSERT_FALSE(packed.ok());
}

// Also where the entries come in another order than that of the levels.
TEST(PackingErrors, MoreEntriesThanPlaces) {
  Workbench &bench = Workbench::instance();
  const std::string map = "#ta.format<(i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : ";
  for (bool byColumns : {false, true}) {
    TensorData data{{2, 8}, STRATA_F64, {{{0, 0}, 1}, {{1, 0}, 4}, {{0, 2}, 2}, {{0, 3}, 3}}};
    if (!byColumns)
      std::swap(data.entries[1], data.entries[3]);
    auto two = pack(bench.compiler, toCoordinates(data),
                    bench.type({"2:4", map + "structured(2))>"}, 2, STRATA_F64));
    ASSERT_FALSE(two.ok());
    EXPECT_NE(two.error().text().find("has room for 2 coordinates"), std::string::npos);
    EXPECT_EQ(roundTrip({"3:4", map + "structured(3))>"}, data), "");
  }
  TensorData full{{2, 2}, STRATA_F64, {{{0, 0}, 1}, {{1, 0}, 2}, {{0, 1}, 3}}};
  auto one =
      pack(bench.compiler, toCoordinates(full),
           bench.type({"one", "#ta.format<(i, j) -> (i : dense, j : padded)>"}, 2, STRATA_F64));
  ASSERT_FALSE(one.ok());
  EXPECT_NE(one.error().text().find("has room for 1 coordinate"), std::string::npos);
}

TEST(PackingErrors, PlacesBeyondReason) {
  Workbench &bench = Workbench::instance();
  for (const NamedFormat &format : namedFormats(2)) {
    SCOPED_TRACE(format.name);
    TensorData data{
        {1'000'000'000'000, 1'000'000'000'000}, STRATA_F64, {{{7, 999'999'999'999}, 1}}};
    auto packed = pack(bench.compiler, toCoordinates(data), bench.type(format, 2, STRATA_F64));
    if (!packed.ok()) {
      EXPECT_NE(packed.error().text(), "");
      continue;
    }
    auto unpacked = unpack(bench.compiler, *packed);
    ASSERT_TRUE(unpacked.ok()) << unpacked.error().text();
    EXPECT_EQ(text(contentOf(*unpacked)), text(contentOf(data, true)));
  }
}

} // namespace
