// Keeps the process's thresholds.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/Thresholds.h"

#include "strata/runtime/Caches.h"
#include "strata/runtime/assembly.h"

#include <algorithm>
#include <atomic>

namespace strata::runtime {

namespace {

// Threads may read what another one sets.
struct Kept {
  std::atomic<int64_t> leastSteps = Thresholds{}.leastSteps, lastCache = Thresholds{}.lastCache,
                       ownCache = Thresholds{}.ownCache,
                       rememberedRows = Thresholds{}.rememberedRows,
                       unevenRows = Thresholds{}.unevenRows,
                       longestMaskedRows = Thresholds{}.longestMaskedRows,
                       entriesOfJump = Thresholds{}.entriesOfJump,
                       entriesOfCutRow = Thresholds{}.entriesOfCutRow;
};
Kept kept;

struct SystemCaches {
  int64_t own = int64_t{1} << 19, last = int64_t{1} << 24; ///< where it does not tell
};

const SystemCaches &systemCaches() {
  static const SystemCaches sizes = [] {
    SystemCaches found;
    for (const Cache &cache : findCaches(visibleProcessors())) {
      if (cache.level <= 2)
        found.own = cache.bytes;
      found.last = cache.bytes;
    }
    return found;
  }();
  return sizes;
}

} // namespace

int64_t leastSteps() {
  constexpr int64_t more = int64_t{1} << 60; // than any loop has; multiples are numbers, too
  return std::min<int64_t>(kept.leastSteps, more);
}

Thresholds thresholds() {
  const int64_t last = kept.lastCache, own = kept.ownCache;
  return {.leastSteps = kept.leastSteps,
          .lastCache = last > 0 ? last : systemCaches().last,
          .ownCache = own > 0 ? own : systemCaches().own,
          .rememberedRows = kept.rememberedRows,
          .unevenRows = kept.unevenRows,
          .longestMaskedRows = kept.longestMaskedRows,
          .entriesOfJump = kept.entriesOfJump,
          .entriesOfCutRow = kept.entriesOfCutRow};
}

void setThresholds(const Thresholds &wanted) {
  kept.leastSteps = wanted.leastSteps;
  kept.lastCache = wanted.lastCache;
  kept.ownCache = wanted.ownCache;
  kept.rememberedRows = wanted.rememberedRows;
  kept.unevenRows = wanted.unevenRows;
  kept.longestMaskedRows = wanted.longestMaskedRows;
  kept.entriesOfJump = wanted.entriesOfJump;
  kept.entriesOfCutRow = wanted.entriesOfCutRow;
}

} // namespace strata::runtime

void strata_cut_loops_from(int64_t steps) { strata::runtime::kept.leastSteps = steps; }
