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

} // namespace

Choices choicesFor(const Machine &machine) {
  const bool measured = machine.gatheredLoad > 0 && machine.scalarLoad > 0;
  const bool gathers = measured && rounded(machine.scalarLoad / machine.gatheredLoad) > 1;
  return {.thresholds = {.leastSteps = leastSteps(machine),
                         .lastCache = lastCache(machine),
                         .rememberedRows = rememberedRows(machine),
                         .unevenRows = unevenRows(machine),
                         .longestMaskedRows = longestMaskedRows(gathers)},
          .gathers = gathers};
}

} // namespace strata::machine
