// Tests of cycles, power and area.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/accelerator/Design.h"
#include "strata/accelerator/Technology.h"

#include "Designs.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace strata::accelerator;

namespace {

// Table 2 of COMET: cycles within 5 %, power and area within a factor of two.
TEST(Design, AgreesWithPublishedAccelerators) {
  struct Published {
    int64_t size;
    double cycles, milliwatts, area;
  };
  for (const Published &one :
       {Published{16, 131, 5.077, 55827}, Published{64, 1026, 13.639, 224068},
        Published{256, 32770, 73.7972, 4.097e6}}) {
    auto accelerator =
        readAccelerator(STRATA_ACCELERATORS "/gemm" + std::to_string(one.size) + ".toml");
    ASSERT_TRUE(accelerator.ok()) << accelerator.error().sentence();
    const Design design = designOf(*accelerator);
    EXPECT_NEAR(double(design.activity.cycles), one.cycles, 0.05 * one.cycles);
    EXPECT_GT(design.power() * 1e3, one.milliwatts / 2);
    EXPECT_LT(design.power() * 1e3, one.milliwatts * 2);
    EXPECT_GT(design.area(), one.area / 2);
    EXPECT_LT(design.area(), one.area * 2);
  }
}

// By hand: 512 products and sums of single precision, for each a register of 32 bits.
TEST(Design, AddsUpPublishedFigures) {
  Accelerator accelerator;
  accelerator.rows = accelerator.columns = accelerator.depth = 8;
  accelerator.arrayRows = accelerator.arrayColumns = 2;
  accelerator.banks = {2, 2, 2};
  accelerator.type = Type::float32;
  const Design design = designOf(accelerator);
  EXPECT_DOUBLE_EQ(design.unitsArea, 4 * (7700.0 + 4184.0));
  EXPECT_DOUBLE_EQ(design.unitsEnergy, 512 * (3.7 + 0.9) * 1e-12);
  // 8 sums, 4 products, 4 factors.
  EXPECT_DOUBLE_EQ(design.registersArea, 16 * 32 * 5.98);
  // 256 loads of A, as many of B, 64 of C.
  EXPECT_DOUBLE_EQ(design.registersEnergy, (512 + 512 + 256 + 256 + 64) * 32 * 9.0e-3 * 1e-12);
  // Six banks of 128 bytes.
  EXPECT_NEAR(design.scratchpadsArea, 6 * 1308, 1e-6);
  EXPECT_NEAR(design.scratchpadsEnergy, ((512 + 64) * 0.648 + 64 * 1.217) * 1e-12, 1e-18);
  EXPECT_DOUBLE_EQ(design.power(),
                   design.switchingEnergy() / (double(design.activity.cycles) / 1e8) +
                       design.leakage);
}

TEST(Design, FollowsClockTechnologyAndType) {
  const Accelerator accelerator = *parseAccelerator("", "a");
  const Design design = designOf(accelerator);
  Accelerator other = accelerator;
  other.megahertz = 200;
  EXPECT_NEAR(designOf(other).power() - design.leakage, 2 * (design.power() - design.leakage),
              1e-9);
  other = accelerator;
  other.nanometers = 16;
  EXPECT_DOUBLE_EQ(designOf(other).area(), 0.19 * design.area());
  EXPECT_LT(designOf(other).power(), 0.2 * design.power());
  double before = 0;
  for (const Type type : {Type::int8, Type::float16, Type::float32, Type::float64}) {
    other = accelerator;
    other.type = type;
    const Design wider = designOf(other);
    EXPECT_EQ(wider.activity.cycles, design.activity.cycles);
    EXPECT_GT(wider.area(), before);
    before = wider.area();
  }
}

TEST(Technology, GoesBetweenAndBeyondRows) {
  EXPECT_DOUBLE_EQ(bankFigures(1024, 1, 1, 45).area, 6769);
  EXPECT_DOUBLE_EQ(bankFigures(16, 1, 1, 45).area, 785); // as the smallest
  const double middle = bankFigures(1448, 1, 1, 45).area;
  EXPECT_NEAR(middle, std::sqrt(6769.0 * 14425.0), 10);
  const double doubled = 853259.0 / 461085.0; // from 64 KB to 128 KB, and so on to 1 MB
  EXPECT_NEAR(bankFigures(1 << 20, 8, 1, 45).area / (853259 * std::pow(doubled, 3)), 1, 1e-9);
  EXPECT_GT(bankFigures(1024, 1, 2, 45).area, bankFigures(1024, 1, 1, 45).area);
  EXPECT_TRUE(knowsTechnology(7));
  EXPECT_FALSE(knowsTechnology(28));
}

} // namespace
