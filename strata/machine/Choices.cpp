// Chooses by the speeds of a machine.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/machine/Choices.h"

#include <algorithm>
#include <cmath>

namespace strata::machine {

namespace {

/// The nearest half power of two: 1, 1.41, 2, 2.83, 4.
double rounded(double value) { return std::exp2(std::round(2 * std::log2(value)) / 2); }

/// As many steps as another thread takes to begin.
int64_t leastSteps(const Machine &machine) {
  constexpr double fewest = 1 << 14, most = 1 << 17;
  if (machine.wakingThread <= 0)
    return runtime::Thresholds{}.leastSteps;
  const double steps = rounded(machine.wakingThread / secondsOfStep);
  return std::llround(std::clamp(steps, fewest, most));
}

/// What is usable of the cache before the memory, at least a part of it.
int64_t lastCache(const Machine &machine) {
  constexpr int64_t leastPart = 8;
  if (machine.levels.size() < 2)
    return runtime::Thresholds{}.lastCache;
  const MemoryLevel &last = machine.levels[machine.levels.size() - 2];
  return std::clamp(last.usable, last.bytes / leastPart, last.bytes);
}

/// A short row has a branch for each of its entries, and one at its end.
int64_t rememberedRows(const Machine &machine) {
  constexpr double branchesOfRow = 4, fewest = 1 << 12, most = 1 << 17;
  if (machine.rememberedBranches <= 0)
    return runtime::Thresholds{}.rememberedRows;
  return std::llround(std::clamp(machine.rememberedBranches / branchesOfRow, fewest, most));
}

/// Masks take so many cycles more for each row than a loop whose branches are all foreseen.
int64_t unevenRows(const Machine &machine) {
  constexpr double cyclesOfMasks = 9, fewest = 30, most = 60;
  if (machine.mispredictedBranch <= 0 || machine.cycle <= 0)
    return runtime::Thresholds{}.unevenRows;
  const double cycles = rounded(machine.mispredictedBranch / machine.cycle);
  return std::llround(std::clamp(100 * cyclesOfMasks / cycles, fewest, most));
}

/// Gathering makes the other way faster: the vectors of one row.
int64_t longestMaskedRows(bool gathers) {
  return gathers ? 4 : runtime::Thresholds{}.longestMaskedRows;
}

/// Seconds in which the cache before the memory gives an entry of a row, its coordinate and the
/// element that is looked up, if these follow the entry before; 0 where that is not known.
double secondsOfEntry(const Machine &machine) {
  constexpr double bytesOfEntry = 20;
  if (machine.levels.size() < 2)
    return 0;
  const MemoryLevel &last = machine.levels[machine.levels.size() - 2];
  return last.readOne > 0 ? bytesOfEntry / last.readOne : 0;
}

/// How many entries take so long, within the bounds that were tried.
int64_t entriesOf(double seconds, const Machine &machine, int64_t unknown) {
  constexpr double fewest = 1, most = 16;
  const double entry = secondsOfEntry(machine);
  if (entry <= 0 || seconds <= 0)
    return unknown;
  return std::llround(std::clamp(rounded(seconds / entry), fewest, most));
}

/// A lookup in the cache before the memory.
int64_t entriesOfJump(const Machine &machine) {
  const int64_t unknown = runtime::Thresholds{}.entriesOfJump;
  if (machine.levels.size() < 2)
    return unknown;
  return entriesOf(machine.levels[machine.levels.size() - 2].jump, machine, unknown);
}

/// What is asked at each row whether it goes on in the next part, and where it begins.
int64_t entriesOfCutRow(const Machine &machine) {
  constexpr double cyclesOfCut = 10;
  return entriesOf(cyclesOfCut * machine.cycle, machine, runtime::Thresholds{}.entriesOfCutRow);
}

} // namespace

Choices choicesFor(const Machine &machine) {
  const bool measured = machine.gatheredLoad > 0 && machine.scalarLoad > 0;
  const bool gathers = measured && rounded(machine.scalarLoad / machine.gatheredLoad) > 1;
  return {.thresholds = {.leastSteps = leastSteps(machine),
                         .lastCache = lastCache(machine),
                         .rememberedRows = rememberedRows(machine),
                         .unevenRows = unevenRows(machine),
                         .longestMaskedRows = longestMaskedRows(gathers),
                         .entriesOfJump = entriesOfJump(machine),
                         .entriesOfCutRow = entriesOfCutRow(machine)},
          .gathers = gathers};
}

} // namespace strata::machine
