// Times on a machine that is made up.
#include "Kernels.h"

#include "strata/cost/Prediction.h"
#include "strata/machine/Machine.h"

#include <gmock/gmock.h>

namespace {

using namespace strata::cost;
using namespace strata::test;

strata::machine::Machine aMachine() {
  strata::machine::Machine machine;
  machine.measured = "2026-01-02";
  machine.threads = 2;
  machine.levels = {{"L1", 32 << 10, 1, 32 << 10, 1e11, 2e11, 1e-9},
                    {"L2", 1 << 20, 1, 1 << 20, 5e10, 1e11, 2e-9},
                    {"memory", int64_t(16) << 30, 2, int64_t(16) << 30, 1e10, 1.5e10, 20e-9}};
  machine.multiplyAdd = {16e9, 32e9, 0};
  machine.multiplyAddAll = 64e9;
  machine.cycle = 0.25e-9;
  machine.mispredictedBranch = 5e-9;
  machine.missedLine = 100e-9;
  machine.wakingThread = 10e-6;
  return machine;
}

Prediction predicted(const char *text, std::vector<TensorStatistics> tensors,
                     std::vector<int64_t> extents, int64_t threads = 1) {
  Kernel kernel(text);
  std::optional<KernelCounts> counts = countKernel(kernel.function(), tensors, extents);
  return predict(*counts, tensors, aMachine(), threads);
}

Prediction ofVector(double rows, double entries, double uneven = 0, int64_t threads = 1) {
  return predicted(spmv, {dense("y", {rows}), csr(rows, rows, entries, uneven), dense("x", {rows})},
                   {int64_t(rows), int64_t(rows)}, threads);
}

TEST(Prediction, WhatIsLargeComesFromMemoryOnce) {
  Prediction one = ofVector(1e6, 1e8);
  double compulsory = 1e8 * 12 + 1e6 * 4; // entries and the rows' begins
  EXPECT_GE(one.bytes.back(), compulsory);
  EXPECT_GE(one.memory, compulsory / 1e10);
  EXPECT_EQ(one.seconds, std::max(one.instructions, one.memory));
}

TEST(Prediction, WhatFitsACacheDoesNotComeFromMemory) {
  Prediction one = ofVector(1e3, 1e4);
  EXPECT_EQ(one.bytes.back(), 0);
  EXPECT_GT(one.bytes[1], 0);
}

TEST(Prediction, RowsOfUnevenLengthsEndUnforeseen) {
  Prediction even = ofVector(1e4, 5e4), uneven = ofVector(1e4, 5e4, 1);
  EXPECT_NEAR(uneven.instructions - even.instructions, 1e4 * 5e-9, 1e-9);
}

TEST(Prediction, ThreadsShareLargeLoops) {
  Prediction small = ofVector(100, 500, 0, 2), large = ofVector(1e5, 1e6, 0, 2);
  EXPECT_FALSE(small.allThreads);
  EXPECT_TRUE(large.allThreads);
  EXPECT_NEAR(large.instructions, ofVector(1e5, 1e6).instructions / 2, 1e-9);
  EXPECT_EQ(large.waking, 10e-6);
}

TEST(Prediction, VectorsTakeSeveralColumnsAtOnce) {
  auto ofColumns = [](double columns) {
    return predicted(spmm,
                     {dense("C", {1e3, columns}), csr(1e3, 1e3, 1e5), dense("B", {1e3, columns})},
                     {1000, int64_t(columns), 1000});
  };
  double perColumn = (ofColumns(128).instructions - ofColumns(64).instructions) / 64;
  // Two loads of four doubles a cycle, if a row of the result stays in registers.
  EXPECT_NEAR(perColumn, 1e5 / 8 * 0.25e-9, 1e5 / 8 * 0.05e-9);
}

// 2 * 10^9 operations, of which one thread makes 32 * 10^9 in a second; blocks reach nine tenths.
TEST(Prediction, DenseProductsRunInBlocksBesideWhatIsAdded) {
  auto instructionsOf = [](const std::string &text, double bytes) {
    auto matrix = [&](const char *name) {
      TensorStatistics tensor = dense(name, {1000, 1000});
      tensor.valueBytes = bytes;
      return tensor;
    };
    return predicted(text.c_str(), {matrix("R"), matrix("C"), matrix("A"), matrix("B")},
                     {1000, 1000, 1000})
        .instructions;
  };
  const double blocked = 2e9 / 32e9 / 0.9;
  EXPECT_NEAR(instructionsOf(biasedProduct, 8), blocked, 0.02 * blocked);
  EXPECT_NEAR(instructionsOf(biasedProduct, 4), blocked / 2, 0.02 * blocked) << "twice the lanes";
  std::string marked = biasedProduct;
  marked.insert(marked.find(" case [] (%j, %sum)"), " attributes {mark = #ta.mark<vector by 2>}");
  EXPECT_GT(instructionsOf(marked, 8), 2 * blocked) << "loops run as the schedule says";
}

TEST(Prediction, DenseProductsThatNoScheduleContractsRunByLoops) {
  std::vector<TensorStatistics> tensors = {dense("R", {1000, 1000}), dense("C", {1000, 1000}),
                                           dense("A", {1000, 1000}), dense("B", {1000, 1000})};
  Kernel kernel(biasedProduct);
  std::optional<KernelCounts> counts = countKernel(kernel.function(), tensors, {1000, 1000, 1000});
  ASSERT_TRUE(counts);
  double blocked = predict(*counts, tensors, aMachine(), 1).instructions;
  counts->contracts = false;
  EXPECT_GT(predict(*counts, tensors, aMachine(), 1).instructions, 2 * blocked);
}

} // namespace
