// Tests of products on accelerators.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/accelerator/Offload.h"

#include "Designs.h"

#include "gtest/gtest.h"

using namespace strata::accelerator;

namespace {

strata::machine::Machine machineWith(double bytesPerSecond) {
  strata::machine::Machine machine;
  machine.measured = "2026-01-02";
  machine.levels = {{.name = "memory",
                     .bytes = 1LL << 40,
                     .readOne = bytesPerSecond,
                     .readAll = 2 * bytesPerSecond}};
  return machine;
}

// 100 x 70 by 65 values: 2 x 2 x 2 tiles of 64, of which none is full.
TEST(Offload, CountsTilesAndBytes) {
  const Design design = designOf(*parseAccelerator("", "a"));
  const Product product{.batch = 3, .rows = 100, .columns = 70, .depth = 65};
  const Offload found = offload(design, product, {});
  EXPECT_EQ(found.microKernels, 3 * 8);
  EXPECT_DOUBLE_EQ(found.computeSeconds, 24 * design.seconds());
  EXPECT_DOUBLE_EQ(found.transferBytes, 3 * (100 * 65 * 2 + 65 * 70 * 2) + 3 * 2 * 100 * 70 * 4);
  // The connection: 64 bytes in each of 100 million cycles a second; the host's 10 GB/s are more.
  EXPECT_DOUBLE_EQ(found.transferSeconds, found.transferBytes / 6.4e9);
  const double packed = 3 * ((100 * 65 + 65 * 70) * 9.0 + 100 * 70 * 12.0);
  EXPECT_DOUBLE_EQ(found.packingSeconds, packed / 10e9);
  EXPECT_DOUBLE_EQ(found.seconds,
                   found.computeSeconds + found.transferSeconds + found.packingSeconds);
  EXPECT_DOUBLE_EQ(found.utilization, 3.0 * 100 * 70 * 65 / (found.computeSeconds * 1e8 * 256));
  EXPECT_GT(found.joules, 24 * design.switchingEnergy());
}

TEST(Offload, SharesTilesAndOverlaps) {
  Accelerator accelerator = *parseAccelerator("", "a");
  const Product product{.rows = 320, .columns = 64, .depth = 64}; // five tiles
  const Offload one = offload(designOf(accelerator), product, {});
  accelerator.count = 2;
  const Offload two = offload(designOf(accelerator), product, {});
  EXPECT_DOUBLE_EQ(two.computeSeconds, one.computeSeconds * 3 / 5);
  EXPECT_LT(two.transferSeconds, one.transferSeconds);
  accelerator.count = 1;
  accelerator.buffers = 2;
  const Offload overlapped = offload(designOf(accelerator), product, {});
  EXPECT_DOUBLE_EQ(overlapped.seconds,
                   std::max(overlapped.computeSeconds, overlapped.transferSeconds) +
                       overlapped.packingSeconds);
}

// Large accelerators at a high clock wait for a slow memory.
TEST(Offload, WaitsForMemory) {
  Accelerator accelerator = *parseAccelerator("", "a");
  accelerator.megahertz = 1000;
  const Product product{.rows = 4096, .columns = 4096, .depth = 4096};
  const auto slow = machineWith(1e9), fast = machineWith(1e12);
  EXPECT_TRUE(offload(designOf(accelerator), product, {.machine = &slow}).waitsForMemory());
  EXPECT_FALSE(offload(designOf(accelerator), product, {.machine = &fast}).waitsForMemory());
  const Host one{.machine = &slow}, all{.machine = &slow, .allThreads = true};
  EXPECT_DOUBLE_EQ(offload(designOf(accelerator), product, one).packingSeconds,
                   2 * offload(designOf(accelerator), product, all).packingSeconds);
}

} // namespace
