// Keeps the process's thresholds.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/Thresholds.h"

#include "strata/runtime/Caches.h"
#include "strata/runtime/assembly.h"

#include <atomic>

namespace strata::runtime {

namespace {

// Threads may read what another one sets.
std::atomic<int64_t> leastSteps = Thresholds{}.leastSteps;
std::atomic<int64_t> lastCache = Thresholds{}.lastCache;
std::atomic<int64_t> ownCache = Thresholds{}.ownCache;
std::atomic<int64_t> rememberedRows = Thresholds{}.rememberedRows;
std::atomic<int64_t> unevenRows = Thresholds{}.unevenRows;

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

Thresholds thresholds() {
  const int64_t last = lastCache, own = ownCache;
  return {.leastSteps = leastSteps,
          .lastCache = last > 0 ? last : systemCaches().last,
          .ownCache = own > 0 ? own : systemCaches().own,
          .rememberedRows = rememberedRows,
          .unevenRows = unevenRows};
}

void setThresholds(const Thresholds &wanted) {
  leastSteps = wanted.leastSteps;
  lastCache = wanted.lastCache;
  ownCache = wanted.ownCache;
  rememberedRows = wanted.rememberedRows;
  unevenRows = wanted.unevenRows;
}

} // namespace strata::runtime

void strata_cut_loops_from(int64_t steps) { strata::runtime::leastSteps = steps; }
