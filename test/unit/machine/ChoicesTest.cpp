// What the speeds of a machine decide.
#include "strata/machine/Choices.h"

#include <gtest/gtest.h>

namespace strata::machine {
namespace {

TEST(Choices, areUsualWhereNothingIsMeasured) {
  const Choices choices = choicesFor({});
  const runtime::Thresholds usual;
  EXPECT_EQ(choices.thresholds.leastSteps, usual.leastSteps);
  EXPECT_EQ(choices.thresholds.lastCache, usual.lastCache);
  EXPECT_EQ(choices.thresholds.rememberedRows, usual.rememberedRows);
  EXPECT_EQ(choices.thresholds.unevenRows, usual.unevenRows);
  EXPECT_EQ(choices.thresholds.entriesOfJump, usual.entriesOfJump);
  EXPECT_EQ(choices.thresholds.entriesOfCutRow, usual.entriesOfCutRow);
  EXPECT_FALSE(choices.gathers);
}

TEST(Choices, gatherWhereThatIsFaster) {
  EXPECT_TRUE(choicesFor({.gatheredLoad = 2e-10, .scalarLoad = 4e-10}).gathers);
  EXPECT_FALSE(choicesFor({.gatheredLoad = 2e-9, .scalarLoad = 4e-10}).gathers);
  EXPECT_FALSE(choicesFor({.gatheredLoad = 0, .scalarLoad = 4e-10}).gathers) << "it cannot gather";
  EXPECT_FALSE(choicesFor({.gatheredLoad = 3.9e-10, .scalarLoad = 4e-10}).gathers)
      << "one measurement is as good as the other";
}

TEST(Choices, cutLoopsWhereThreadsWakeInTime) {
  const auto steps = [](double waking) {
    return choicesFor({.wakingThread = waking}).thresholds.leastSteps;
  };
  EXPECT_EQ(steps(1e-6), 1 << 14) << "the least that was tried";
  EXPECT_EQ(steps(15e-6), steps(17e-6)) << "two measurements agree";
  EXPECT_LT(steps(8e-6), steps(16e-6));
  EXPECT_EQ(steps(1e-2), 1 << 17) << "the most that was tried";
}

TEST(Choices, countOnWhatIsUsableOfACache) {
  const auto cache = [](int64_t usable) {
    Machine machine;
    machine.levels = {{.name = "L1", .bytes = 1 << 15, .usable = 1 << 15},
                      {.name = "L3", .bytes = 1 << 25, .usable = usable},
                      {.name = "memory", .bytes = int64_t{1} << 34, .usable = int64_t{1} << 34}};
    return choicesFor(machine).thresholds.lastCache;
  };
  EXPECT_EQ(cache(1 << 25), 1 << 25);
  EXPECT_EQ(cache(1 << 23), 1 << 23);
  EXPECT_EQ(cache(0), 1 << 22) << "a part of it in any case";
}

TEST(Choices, takeMasksWhereBranchesAreNotForeseen) {
  const auto limits = [](double remembered, double cycles) {
    return choicesFor({.cycle = 2.5e-10,
                       .mispredictedBranch = cycles * 2.5e-10,
                       .rememberedBranches = remembered})
        .thresholds;
  };
  EXPECT_EQ(limits(65536, 20).rememberedRows, 16384);
  EXPECT_EQ(limits(1024, 20).rememberedRows, 4096) << "the fewest that were tried";
  EXPECT_LT(limits(65536, 24).unevenRows, limits(65536, 18).unevenRows);
  EXPECT_EQ(limits(65536, 1000).unevenRows, 30);
}

TEST(Choices, weighJumpsAndRowsByEntriesThatFollowEachOther) {
  const auto limits = [](double rate, double jump, double cycle) {
    Machine machine{.cycle = cycle};
    machine.levels = {{.name = "L3", .readOne = rate, .jump = jump}, {.name = "memory"}};
    return choicesFor(machine).thresholds;
  };
  // An entry of 20 bytes takes 1 ns.
  EXPECT_EQ(limits(20e9, 4e-9, 4e-10).entriesOfJump, 4);
  EXPECT_EQ(limits(20e9, 8e-9, 4e-10).entriesOfJump, 8);
  EXPECT_EQ(limits(20e9, 8.4e-9, 4e-10).entriesOfJump, 8) << "two measurements agree";
  EXPECT_EQ(limits(20e9, 4e-9, 4e-10).entriesOfCutRow, 4);
  EXPECT_EQ(limits(20e9, 1e-6, 1e-12).entriesOfJump, 16) << "the most that was tried";
  EXPECT_EQ(limits(20e9, 4e-9, 1e-12).entriesOfCutRow, 1) << "the fewest";
  EXPECT_EQ(limits(0, 4e-9, 4e-10).entriesOfJump, runtime::Thresholds{}.entriesOfJump);
}

TEST(Choices, takeMasksOfSeveralRowsForShorterOnesWhereElementsAreGathered) {
  const Choices gathers = choicesFor({.gatheredLoad = 0.9e-9, .scalarLoad = 1.3e-9});
  const Choices loads = choicesFor({.gatheredLoad = 1.3e-9, .scalarLoad = 0.9e-9});
  EXPECT_TRUE(gathers.gathers);
  EXPECT_FALSE(loads.gathers);
  EXPECT_LT(gathers.thresholds.longestMaskedRows, loads.thresholds.longestMaskedRows);
}

} // namespace
} // namespace strata::machine
