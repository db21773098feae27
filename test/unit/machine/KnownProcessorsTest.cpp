// What is expected of machines that nobody has measured.
#include "strata/machine/KnownProcessors.h"
#include "strata/machine/Choices.h"

#include <gtest/gtest.h>

namespace strata::machine {
namespace {

constexpr std::array<bool, 3> allWidths{true, true, true};

Machine described(const std::string &processor) {
  Machine machine{.processor = processor, .threads = 4};
  machine.levels = {{.name = "L1", .bytes = 1 << 15, .threads = 1, .usable = 1 << 15},
                    {.name = "L2", .bytes = 1 << 20, .threads = 1, .usable = 1 << 20},
                    {.name = "L3", .bytes = 1 << 25, .threads = 4, .usable = 1 << 25},
                    {.name = "memory", .bytes = int64_t{1} << 34, .threads = 4}};
  return machine;
}

std::string kindOf(int family, int model) {
  return expectedMachine(described("A processor, family " + std::to_string(family) + ", model " +
                                   std::to_string(model) + ", microcode 0x1"),
                         allWidths)
      .kind;
}

TEST(KnownProcessors, areKnownByFamilyAndModel) {
  EXPECT_EQ(kindOf(23, 49), "Zen 2");
  EXPECT_EQ(kindOf(25, 1), "Zen 3");
  EXPECT_EQ(kindOf(25, 17), "Zen 4");
  EXPECT_EQ(kindOf(25, 33), "Zen 3");
  EXPECT_EQ(kindOf(6, 85), "Skylake-X");
  EXPECT_EQ(kindOf(6, 106), "Ice Lake");
  EXPECT_EQ(kindOf(6, 143), "Sapphire Rapids");
  EXPECT_EQ(kindOf(23, 1), "") << "the first Zen";
  EXPECT_EQ(kindOf(6, 84), "");
  EXPECT_EQ(expectedMachine(described("unknown processor"), allWidths).kind, "");
}

TEST(KnownProcessors, areKnownByImplementerAndPart) {
  const auto arm = [](const std::string &name) {
    return expectedMachine(described("ARM64, " + name + ", variant 3, revision 1"),
                           {true, false, false});
  };
  EXPECT_EQ(arm("implementer 0x41, part 0xd0c").kind, "Neoverse N1");
  EXPECT_EQ(arm("implementer 0x41, part 0xd40").kind, "Neoverse V1");
  EXPECT_EQ(arm("implementer 0x41, part 0xd49").kind, "Neoverse N2");
  EXPECT_EQ(arm("implementer 0x41, part 0xd4f").kind, "Neoverse V2");
  EXPECT_EQ(arm("implementer 0x61, part 0x22").kind, "Apple M1");
  EXPECT_EQ(arm("implementer 0x61, part 0xd0c").kind, "") << "another's part";
  EXPECT_EQ(arm("implementer 0x41, part 0xd03").kind, "");
  for (const char *name : {"implementer 0x41, part 0xd0c", "implementer 0x61, part 0x22"}) {
    const Machine machine = arm(name).machine;
    EXPECT_GT(machine.multiplyAdd[0], 0) << name;
    EXPECT_EQ(machine.multiplyAdd[1], 0) << name;
    EXPECT_EQ(machine.gatheredLoad, 0) << name;
    for (double figure :
         {machine.multiplyAddAll, machine.cycle, machine.scalarLoad, machine.mispredictedBranch,
          machine.rememberedBranches, machine.missedLine, machine.wakingThread})
      EXPECT_GT(figure, 0) << name;
    for (size_t at = 1; at < machine.levels.size(); ++at)
      EXPECT_LT(machine.levels[at].readOne, machine.levels[at - 1].readOne) << name;
    EXPECT_FALSE(choicesFor(machine).gathers) << name;
  }
}

TEST(KnownProcessors, areExpectedToHaveAllFigures) {
  for (const char *name : {"Zen, family 25, model 17", "Xeon, family 6, model 85", "unknown"}) {
    const Machine machine = expectedMachine(described(name), allWidths).machine;
    EXPECT_FALSE(machine.isMeasured());
    for (double figure : {machine.multiplyAdd[2], machine.multiplyAddAll, machine.cycle,
                          machine.gatheredLoad, machine.scalarLoad, machine.mispredictedBranch,
                          machine.rememberedBranches, machine.missedLine, machine.wakingThread})
      EXPECT_GT(figure, 0) << name;
    for (size_t at = 0; at < machine.levels.size(); ++at) {
      const MemoryLevel &level = machine.levels[at];
      EXPECT_GE(level.readAll, level.readOne) << name << ", " << level.name;
      EXPECT_GT(level.jump, 0) << name << ", " << level.name;
      if (at > 0) {
        EXPECT_LT(level.readOne, machine.levels[at - 1].readOne) << name << ", " << level.name;
        EXPECT_GE(level.jump, machine.levels[at - 1].jump) << name << ", " << level.name;
      }
    }
  }
}

TEST(KnownProcessors, haveNoInstructionsThatTheMachineHasNot) {
  const Machine old =
      expectedMachine(described("Zen, family 25, model 17"), {true, false, false}).machine;
  EXPECT_GT(old.multiplyAdd[0], 0);
  EXPECT_EQ(old.multiplyAdd[1], 0);
  EXPECT_EQ(old.gatheredLoad, 0);
}

TEST(KnownProcessors, sayWhichFiguresAreTheirOwn) {
  const ExpectedMachine zen = expectedMachine(described("Zen, family 25, model 17"), allWidths);
  EXPECT_EQ(zen.ofKind.cycle, zen.machine.cycle);
  EXPECT_EQ(zen.ofKind.wakingThread, 0) << "that is the system's";
  EXPECT_EQ(expectedMachine(described("unknown"), allWidths).ofKind.cycle, 0);
}

TEST(KnownProcessors, chooseAsTheyDoWhereTheyAreMeasured) {
  const Choices zen =
      choicesFor(expectedMachine(described("Zen, family 25, model 17"), allWidths).machine);
  EXPECT_EQ(zen.thresholds.rememberedRows, 8192);
  EXPECT_EQ(zen.thresholds.unevenRows, 40);
  EXPECT_FALSE(zen.gathers);
  const Choices other = choicesFor(expectedMachine(described("unknown"), allWidths).machine);
  const runtime::Thresholds usual;
  EXPECT_EQ(other.thresholds.leastSteps, usual.leastSteps);
  EXPECT_EQ(other.thresholds.rememberedRows, usual.rememberedRows);
  EXPECT_EQ(other.thresholds.unevenRows, usual.unevenRows);
  EXPECT_FALSE(other.gathers);
}

} // namespace
} // namespace strata::machine
