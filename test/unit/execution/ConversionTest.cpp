// Conversions between all pairs of formats keep the tensor.
#include "Workbench.h"

namespace {

using namespace strata;
using namespace strata::test;

class Conversion : public testing::TestWithParam<unsigned> {
protected:
  std::vector<int64_t> sizes() const {
    switch (GetParam()) {
    case 1:
      return {13};
    case 2:
      return {9, 14};
    case 3:
      return {4, 5, 3};
    default:
      return std::vector<int64_t>(GetParam(), 3);
    }
  }
};

TEST_P(Conversion, AllPairs) {
  Workbench &bench = Workbench::instance();
  Random random(GetParam());
  int pairs = 0;
  std::vector<NamedFormat> formats =
      GetParam() <= 3 ? allFormats(GetParam()) : namedFormats(GetParam());
  for (const NamedFormat &from : formats) {
    TensorData data = drawData(random, sizes(), STRATA_F64,
                               {.density = 0.3, .zeros = 20, .duplicates = 10});
    mlir::RankedTensorType type = bench.type(from, GetParam(), STRATA_F64);
    auto packed = pack(bench.compiler, toCoordinates(data), type);
    ASSERT_TRUE(packed.ok()) << packed.error().text();
    for (const NamedFormat &to : formats) {
      SCOPED_TRACE("from " + from.name + " to " + to.name);
      mlir::RankedTensorType target = bench.type(to, GetParam(), STRATA_F64);
      auto converted = convert(bench.compiler, *packed, target);
      ASSERT_TRUE(converted.ok()) << converted.error().text();
      auto unpacked = unpack(bench.compiler, *converted);
      ASSERT_TRUE(unpacked.ok()) << unpacked.error().text();
      bool zeros = keepsZeros(ta::formatOf(type)) && keepsZeros(ta::formatOf(target));
      ASSERT_EQ(text(contentOf(*unpacked)), text(contentOf(data, zeros)));
      ++pairs;
    }
  }
  RecordProperty("pairs", pairs);
}

INSTANTIATE_TEST_SUITE_P(Orders, Conversion, testing::Range(1u, 6u));

TEST(ConversionOfTypes, AllPairs) {
  Workbench &bench = Workbench::instance();
  Random random(7);
  NamedFormat format{"CSR", "#ta.format<(i, j) -> (i : dense, j : compressed)>"};
  for (strata_type from : {STRATA_F64, STRATA_F32, STRATA_I8, STRATA_I16, STRATA_I32, STRATA_I64, STRATA_C128})
    for (strata_type to : {STRATA_F64, STRATA_F32, STRATA_I8, STRATA_I16, STRATA_I32, STRATA_I64, STRATA_C128}) {
      SCOPED_TRACE(std::string(runtime::typeName(from)) + " to " + runtime::typeName(to));
      TensorData data = drawData(random, {6, 7}, STRATA_I32, {.density = 0.3, .zeros = 10});
      data.type = from;
      auto packed = pack(bench.compiler, toCoordinates(data), bench.type(format, 2, from));
      ASSERT_TRUE(packed.ok()) << packed.error().text();
      auto converted = convert(bench.compiler, *packed, bench.type(format, 2, to));
      ASSERT_TRUE(converted.ok()) << converted.error().text();
      auto unpacked = unpack(bench.compiler, *converted);
      ASSERT_TRUE(unpacked.ok()) << unpacked.error().text();
      EXPECT_EQ(unpacked->valueType(), to);
      EXPECT_EQ(text(contentOf(*unpacked)), text(contentOf(data, true)));
    }
}

} // namespace
