// A table of kinds of processors. docs/rationale/Costs.md says where its figures come from.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/machine/KnownProcessors.h"

#include "strata/machine/Loops.h"

#include <algorithm>
#include <cstdlib>

namespace strata::machine {

namespace {

struct Models {
  int family = 0, first = 0, last = 0;
};

/// Of ARM64.
struct Part {
  int implementer = 0, part = 0;
};

/// Figures as strata machine --measure finds them, which are less than what manuals promise. 0:
/// nothing is known.
struct Kind {
  const char *name;
  std::array<Models, 4> models = {};
  std::array<Part, 6> parts = {};
  double gigahertz = 0;                   ///< to which a server's cores go with all of them at work
  std::array<double, 3> multiplyAdd = {}; ///< operations on doubles in a cycle, by width
  std::array<double, 3> cacheBytes = {};  ///< that one thread reads of L1, L2, L3 in a cycle
  double memoryOne = 0;                   ///< billions of bytes in a second, of one thread
  double memoryAll = 0;                   ///< and of a socket
  std::array<double, 3> jumpCycles = {};  ///< to a line of L1, L2, L3, among many
  double memoryJump = 0, missedLine = 0;  ///< nanoseconds
  double scalarLoad = 0, gatheredLoad = 0, mispredictedBranch = 0; ///< cycles
  double rememberedBranches = 0;
};

/// Fills in what is alike on ARM64's servers; a kind that differs says so.
constexpr Kind ofArm(Kind kind) {
  kind.jumpCycles = {4.5, 4.5, 7};
  kind.memoryJump = 9;
  kind.missedLine = kind.missedLine > 0 ? kind.missedLine : 110;
  kind.scalarLoad = 0.9;
  kind.mispredictedBranch = 13;
  return kind;
}

constexpr Kind kinds[] = {
    {.name = "Zen 2",
     .models = {{{23, 0x30, 0x3f}, {23, 0x60, 0x7f}, {23, 0x90, 0xaf}}},
     .gigahertz = 3.3,
     .multiplyAdd = {8, 16, 0},
     .cacheBytes = {38, 28, 18},
     .memoryOne = 20,
     .memoryAll = 140,
     .jumpCycles = {4.5, 4.5, 5},
     .memoryJump = 9,
     .missedLine = 110,
     .scalarLoad = 0.9,
     .gatheredLoad = 2.3,
     .mispredictedBranch = 22,
     .rememberedBranches = 0},
    {.name = "Zen 3",
     .models = {{{25, 0x00, 0x0f}, {25, 0x20, 0x5f}}},
     .gigahertz = 3.4,
     .multiplyAdd = {8, 16, 0},
     .cacheBytes = {38, 30, 24},
     .memoryOne = 21,
     .memoryAll = 140,
     .jumpCycles = {4.5, 4.5, 5},
     .memoryJump = 9,
     .missedLine = 110,
     .scalarLoad = 0.9,
     .gatheredLoad = 2,
     .mispredictedBranch = 22,
     .rememberedBranches = 0},
    {.name = "Zen 4",
     .models = {{{25, 0x10, 0x1f}, {25, 0x60, 0x7f}, {25, 0xa0, 0xaf}}},
     .gigahertz = 3.6,
     .multiplyAdd = {8, 16, 16},
     .cacheBytes = {38, 31, 27},
     .memoryOne = 21,
     .memoryAll = 300,
     .jumpCycles = {4.5, 4.5, 5},
     .memoryJump = 9,
     .missedLine = 120,
     .scalarLoad = 0.87,
     .gatheredLoad = 1.35,
     .mispredictedBranch = 22,
     .rememberedBranches = 32768},
    {.name = "Skylake-X",
     .models = {{{6, 85, 85}}},
     .gigahertz = 2.8,
     .multiplyAdd = {8, 16, 32},
     .cacheBytes = {77, 48, 10},
     .memoryOne = 12,
     .memoryAll = 85,
     .jumpCycles = {4.5, 4.5, 7},
     .memoryJump = 9,
     .missedLine = 90,
     .scalarLoad = 0.9,
     .gatheredLoad = 3.6,
     .mispredictedBranch = 20,
     .rememberedBranches = 0},
    {.name = "Ice Lake",
     .models = {{{6, 106, 106}, {6, 108, 108}, {6, 125, 126}}},
     .gigahertz = 3.0,
     .multiplyAdd = {8, 16, 32},
     .cacheBytes = {77, 48, 10},
     .memoryOne = 12,
     .memoryAll = 140,
     .jumpCycles = {4.5, 4.5, 7},
     .memoryJump = 8,
     .missedLine = 90,
     .scalarLoad = 0.9,
     .gatheredLoad = 3.6,
     .mispredictedBranch = 20,
     .rememberedBranches = 0},
    {.name = "Sapphire Rapids",
     .models = {{{6, 143, 143}, {6, 207, 207}}},
     .gigahertz = 2.8,
     .multiplyAdd = {8, 15, 26},
     .cacheBytes = {43, 22, 9.7},
     .memoryOne = 13.5,
     .memoryAll = 280,
     .jumpCycles = {4.4, 4.4, 8.8},
     .memoryJump = 10,
     .missedLine = 140,
     .scalarLoad = 1.3,
     .gatheredLoad = 0.94,
     .mispredictedBranch = 31,
     .rememberedBranches = 16384},
    ofArm({.name = "Neoverse N1",
           .parts = {{{0x41, 0xd0c}}},
           .gigahertz = 2.6,
           .multiplyAdd = {8, 0, 0},
           .cacheBytes = {19, 16, 10},
           .memoryOne = 15,
           .memoryAll = 136}),
    ofArm({.name = "Neoverse N2",
           .parts = {{{0x41, 0xd49}}},
           .gigahertz = 2.7,
           .multiplyAdd = {8, 0, 0},
           .cacheBytes = {29, 24, 12},
           .memoryOne = 15,
           .memoryAll = 205}),
    ofArm({.name = "Neoverse V1",
           .parts = {{{0x41, 0xd40}}},
           .gigahertz = 2.6,
           .multiplyAdd = {16, 0, 0},
           .cacheBytes = {29, 24, 12},
           .memoryOne = 15,
           .memoryAll = 205}),
    ofArm({.name = "Neoverse V2",
           .parts = {{{0x41, 0xd4f}}},
           .gigahertz = 2.8,
           .multiplyAdd = {16, 0, 0},
           .cacheBytes = {29, 24, 12},
           .memoryOne = 18,
           .memoryAll = 358}),
    ofArm(
        {.name = "Apple M1",
         .parts =
             {{{0x61, 0x22}, {0x61, 0x23}, {0x61, 0x24}, {0x61, 0x25}, {0x61, 0x28}, {0x61, 0x29}}},
         .gigahertz = 3.2,
         .multiplyAdd = {16, 0, 0},
         .cacheBytes = {29, 24, 18},
         .memoryOne = 45,
         .memoryAll = 45,
         .missedLine = 100}),
};

/// A usual processor: about the middle of the kinds above.
constexpr Kind usual{.name = "",
                     .gigahertz = 3.0,
                     .multiplyAdd = {8, 16, 16},
                     .cacheBytes = {38, 28, 18},
                     .memoryOne = 15,
                     .memoryAll = 100,
                     .jumpCycles = {4.5, 4.5, 6},
                     .memoryJump = 9,
                     .missedLine = 110,
                     .scalarLoad = 0.9,
                     .gatheredLoad = 2,
                     .mispredictedBranch = 21,
                     .rememberedBranches = 65536};
/// No processor's, but of the system that runs on it.
constexpr double usualWaking = 8e-6;

/// The number behind a word in the name of a processor; -1 where there is none.
int numberAfter(const std::string &text, const std::string &word) {
  const size_t at = text.find(", " + word + " ");
  return at == std::string::npos
             ? -1
             : static_cast<int>(std::strtol(text.c_str() + at + word.size() + 3, nullptr, 0));
}

const Kind *kindOf(const std::string &processor) {
  const int family = numberAfter(processor, "family"), model = numberAfter(processor, "model");
  const int implementer = numberAfter(processor, "implementer"),
            part = numberAfter(processor, "part");
  const auto holds = [&](const Models &one) {
    return one.family != 0 && one.family == family && one.first <= model && model <= one.last;
  };
  const auto is = [&](const Part &one) {
    return one.implementer != 0 && one.implementer == implementer && one.part == part;
  };
  const auto *found = std::ranges::find_if(kinds, [&](const Kind &kind) {
    return std::ranges::any_of(kind.models, holds) || std::ranges::any_of(kind.parts, is);
  });
  return found == std::end(kinds) ? nullptr : found;
}

/// The last level is the memory; a cache beyond the third is as fast as the third.
void fillIn(MemoryLevel &level, size_t number, bool isMemory, const Machine &machine,
            const Kind &kind) {
  const double threads = static_cast<double>(machine.threads), billion = 1e9;
  if (isMemory) {
    level.readOne = kind.memoryOne * billion;
    level.readAll = std::min(threads * kind.memoryOne, kind.memoryAll) * billion;
    level.jump = kind.memoryJump / billion;
    return;
  }
  const size_t cache = std::min(number, kind.cacheBytes.size() - 1);
  level.readOne = kind.cacheBytes[cache] * kind.gigahertz * billion;
  level.readAll = threads * level.readOne;
  level.jump = kind.jumpCycles[cache] / kind.gigahertz / billion;
}

Machine withFigures(const Machine &described, const Kind &kind, const std::array<bool, 3> &widths) {
  Machine machine = described;
  const double billion = 1e9, cycle = 1 / kind.gigahertz / billion;
  for (size_t at = 0; at < machine.levels.size(); ++at)
    fillIn(machine.levels[at], at, at + 1 == machine.levels.size(), machine, kind);
  for (size_t width = 0; width < widths.size(); ++width)
    if (widths[width])
      machine.multiplyAdd[width] = kind.multiplyAdd[width] / cycle;
  machine.multiplyAddAll =
      static_cast<double>(machine.threads) * std::ranges::max(machine.multiplyAdd);
  machine.cycle = cycle;
  machine.scalarLoad = kind.scalarLoad * cycle;
  machine.gatheredLoad = widths[1] ? kind.gatheredLoad * cycle : 0;
  machine.mispredictedBranch = kind.mispredictedBranch * cycle;
  machine.rememberedBranches = kind.rememberedBranches;
  machine.missedLine = kind.missedLine / billion;
  return machine;
}

} // namespace

ExpectedMachine expectedMachine(const Machine &described, const std::array<bool, 3> &widths) {
  const Kind *kind = kindOf(described.processor);
  ExpectedMachine expected;
  if (kind) {
    expected.kind = kind->name;
    expected.ofKind = withFigures(described, *kind, widths);
  }
  expected.machine = kind ? expected.ofKind : withFigures(described, usual, widths);
  if (expected.machine.rememberedBranches == 0)
    expected.machine.rememberedBranches = usual.rememberedBranches;
  if (described.threads > 1)
    expected.machine.wakingThread = usualWaking;
  return expected;
}

ExpectedMachine expectedHere() {
  return expectedMachine(describeMachine(), {hasVectors(0), hasVectors(1), hasVectors(2)});
}

} // namespace strata::machine
