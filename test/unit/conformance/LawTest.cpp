// What each level format promises: what was built is iterated, and what iteration yields, locating
// finds, at the same position. Positions are told apart by values: all are different.
#include "Stacks.h"
#include "generator/Workbench.h"

#include <gtest/gtest.h>

namespace {

using namespace strata;
using namespace strata::test;

TensorData distinct(unsigned order, unsigned which) {
  TensorData data = dataOf(order, which);
  double value = 1;
  for (Entry &entry : data.entries)
    entry.value = value++;
  return data;
}

class Laws : public testing::TestWithParam<unsigned> {};

// What was built is iterated, nothing else.
TEST_P(Laws, BuiltIsIterated) {
  Workbench &bench = Workbench::instance();
  int cases = 0;
  for (const NamedFormat &format : chosenOf(GetParam()))
    for (unsigned which : {0, 1}) {
      SCOPED_TRACE(format.text);
      for (TensorData data : {dataOf(GetParam(), which), distinct(GetParam(), which),
                              TensorData{dataOf(GetParam(), which).sizes, STRATA_F64, {}}}) {
        mlir::RankedTensorType type = bench.type(format, GetParam(), STRATA_F64);
        auto packed = pack(bench.compiler, toCoordinates(data), type);
        ASSERT_TRUE(packed.ok()) << packed.error().text();
        auto unpacked = unpack(bench.compiler, *packed);
        ASSERT_TRUE(unpacked.ok()) << unpacked.error().text();
        EXPECT_EQ(text(contentOf(*unpacked)), text(contentOf(data, keepsZeros(type))));
        ++cases;
      }
    }
  std::cout << "built and iterated: " << cases << "\n";
}

// A compressed list of all coordinates, worth 1, times the tensor: what can be located is.
TEST_P(Laws, LocatedIsIterated) {
  CaseRunner runner;
  Tally tally("located");
  unsigned order = GetParam();
  TensorData ones = distinct(order, 0);
  ones.entries.clear();
  int64_t places = 1;
  for (int64_t size : ones.sizes)
    places *= size;
  for (int64_t place = 0; place < places; ++place) {
    Coordinate at(order, 0);
    int64_t rest = place;
    for (size_t d = order; d-- > 0; rest /= ones.sizes[d])
      at[d] = rest % ones.sizes[d];
    ones.entries.push_back({at, 1.0});
  }
  std::string dims, levels;
  std::vector<unsigned> variables;
  for (unsigned dim = 0; dim < order; ++dim) {
    std::string name(1, static_cast<char>('i' + dim));
    dims += (dim ? ", " : "") + name;
    levels += (dim ? ", " : "") + name + " : compressed";
    variables.push_back(dim);
  }
  NamedFormat list{"compressed", "#ta.format<(" + dims + ") -> (" + levels + ")>"};
  for (const NamedFormat &format : chosenOf(order)) {
    Case c = caseOf({{"A", list, ones, {}}, {"B", format, distinct(order, 1), {}}}, list);
    c.value = combined("*", accessTo(0, variables), accessTo(1, variables));
    tally.add(c, runner.run(c));
  }
  EXPECT_GT(tally.agreeing(), 0);
}

INSTANTIATE_TEST_SUITE_P(Orders, Laws, testing::Values(1u, 2u, 3u));

} // namespace
