// Counts of kernels against counts by hand.
#include "Kernels.h"

#include <gmock/gmock.h>

namespace {

using namespace strata::cost;
using namespace strata::test;

const AccessCounts *accessOf(const KernelCounts &counts, const std::string &array) {
  for (const AccessCounts &access : counts.accesses)
    if (access.array == array)
      return &access;
  return nullptr;
}

TEST(CountKernel, MatrixTimesVector) {
  Kernel kernel(spmv);
  TensorStatistics tensors[] = {dense("y", {100}), csr(100, 200, 700), dense("x", {200})};
  std::optional<KernelCounts> counts = countKernel(kernel.function(), tensors, {100, 200});
  ASSERT_TRUE(counts);
  ASSERT_EQ(counts->loops.size(), 2U);
  EXPECT_EQ(counts->loops[0].iterations, 100);
  EXPECT_TRUE(counts->loops[0].parallel);
  EXPECT_EQ(counts->loops[1].begins, 100);
  EXPECT_EQ(counts->loops[1].iterations, 700);
  EXPECT_EQ(counts->operations(), 1400); // a product and a sum for each entry

  const AccessCounts *values = accessOf(*counts, "A"), *vector = accessOf(*counts, "x");
  ASSERT_TRUE(values && vector);
  EXPECT_EQ(values->count, 700);
  EXPECT_EQ(values->size, 5600);
  EXPECT_FALSE(values->driver);
  EXPECT_EQ(vector->count, 700);
  ASSERT_TRUE(vector->driver) << "A's columns decide where x is read";
  EXPECT_EQ(vector->driver->tensor, 1U);
  EXPECT_EQ(vector->driver->level, 1U);
  // The sum of a row is stored once.
  const AccessCounts *result = accessOf(*counts, "y");
  ASSERT_TRUE(result);
  EXPECT_EQ(result->count, 100);
  EXPECT_TRUE(result->writes);
}

TEST(CountKernel, RowsOfADenseOperandAreReadOneAfterTheOther) {
  Kernel kernel(spmm);
  TensorStatistics tensors[] = {dense("C", {100, 32}), csr(100, 200, 700), dense("B", {200, 32})};
  std::optional<KernelCounts> counts = countKernel(kernel.function(), tensors, {100, 32, 200});
  ASSERT_TRUE(counts);
  ASSERT_EQ(counts->loops.size(), 3U);
  EXPECT_EQ(counts->loops[2].iterations, 700 * 32);
  EXPECT_EQ(counts->operations(), 2 * 700 * 32);
  const AccessCounts *rows = accessOf(*counts, "B");
  ASSERT_TRUE(rows && rows->driver);
  EXPECT_EQ(rows->count, 700 * 32);
  EXPECT_EQ(rows->jumps, 700);
  EXPECT_EQ(rows->bytesPerCoordinate, 32 * 8);
  EXPECT_EQ(rows->stride, 8);
  EXPECT_EQ(accessOf(*counts, "A")->count, 700) << "an entry is loaded once for all columns";
}

TEST(CountKernel, AListThatIsFarLongerIsSearched) {
  auto count = [](double entries, const std::string &text) {
    Kernel kernel(text);
    TensorStatistics x{.name = "x"};
    x.levels = {{.positions = entries, .extent = 1e6, .bytesPerPosition = 4}};
    x.values = entries;
    TensorStatistics tensors[] = {dense("y", {100}), csr(100, 1e6, 1000), x};
    std::optional<KernelCounts> counts = countKernel(kernel.function(), tensors, {100, 1000000});
    return counts && counts->loops.size() == 2 ? counts->loops[1] : LoopCounts();
  };
  // Rows of ten entries, and ten to walk beside each.
  EXPECT_NEAR(count(10, spmspv).iterations, 2000, 1);
  EXPECT_EQ(count(10, spmspv).body.searches, 0);
  // Each of the ten is searched for in 100,000.
  EXPECT_EQ(count(1e5, spmspv).iterations, 1000);
  EXPECT_NEAR(count(1e5, spmspv).body.searches, 1000 * 2 * 13.3, 100);

  std::string merged = spmspv;
  size_t at = merged.find(" case [0, 1]");
  std::string searched = merged;
  merged.insert(at, " attributes {gallop = false}");
  searched.insert(at, " attributes {gallop = true}");
  EXPECT_GT(count(1e5, merged).iterations, 1e6) << "as the schedule says";
  EXPECT_GT(count(10, searched).body.searches, 1000);
}

TEST(CountKernel, PositionsWithOneCoordinateAreVisitedTogether) {
  auto count = [](double rows, double entries) {
    Kernel kernel(gramOfPairs);
    TensorStatistics list{.name = "A"};
    list.levels = {{.positions = entries, .extent = rows, .bytesPerPosition = 4},
                   {.positions = entries, .extent = 1e4, .bytesPerPosition = 4}};
    list.values = entries;
    TensorStatistics tensors[] = {dense("R", {1e4, 1e4}), list};
    std::optional<KernelCounts> counts =
        countKernel(kernel.function(), tensors, {int64_t(rows), 10000});
    std::vector<double> iterations;
    if (counts)
      for (const LoopCounts &loop : counts->loops)
        iterations.push_back(loop.iterations);
    return iterations;
  };
  // Ten entries in each of 1,000 rows.
  EXPECT_THAT(count(1e3, 1e4),
              testing::ElementsAre(testing::DoubleNear(1e3, 1), testing::DoubleNear(1e4, 50),
                                   testing::DoubleNear(1e5, 1000)));
  // Few rows have any; a row is met in both, since both are the same.
  EXPECT_THAT(count(1e6, 100),
              testing::ElementsAre(testing::DoubleNear(100, 1), testing::DoubleNear(100, 1),
                                   testing::DoubleNear(100, 1)));
}

TEST(CountKernel, BlocksAreAsLongAsThereAreValues) {
  auto iterations = [](double size) {
    Kernel kernel(scaledInBlocks);
    TensorStatistics tensors[] = {dense("y", {size}), dense("x", {size})};
    std::optional<KernelCounts> counts = countKernel(kernel.function(), tensors, {int64_t(size)});
    return counts && counts->loops.size() == 2 ? counts->loops[1].iterations : 0;
  };
  EXPECT_NEAR(iterations(16), 16, 1e-6) << "one block, which is not full";
  EXPECT_NEAR(iterations(1500), 1500, 1e-6);
  EXPECT_NEAR(iterations(4096), 4096, 1e-6);
}

TEST(CountKernel, NothingIsSaidOfALoopWhoseLengthIsNotKnown) {
  std::string unknown = spmv;
  size_t at = unknown.find("  %4 = lvl.coiterate");
  unknown.insert(at, "  %first, %last = lvl.position %2\n");
  at = unknown.find("universe %n", at);
  unknown.replace(at, std::string("universe %n").size(), "universe %last");
  Kernel kernel(unknown);
  TensorStatistics tensors[] = {dense("y", {100}), csr(100, 200, 700), dense("x", {200})};
  EXPECT_FALSE(countKernel(kernel.function(), tensors, {100, 200}));
}

} // namespace
