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
std::atomic<int64_t> rememberedRows = Thresholds{}.rememberedRows;
std::atomic<int64_t> unevenRows = Thresholds{}.unevenRows;

int64_t lastCacheOfSystem() {
  static const int64_t bytes = [] {
    constexpr int64_t otherwise = int64_t{1} << 24;
    const std::vector<Cache> caches = findCaches(visibleProcessors());
    return caches.empty() ? otherwise : caches.back().bytes;
  }();
  return bytes;
}

} // namespace

Thresholds thresholds() {
  const int64_t set = lastCache;
  return {.leastSteps = leastSteps,
          .lastCache = set > 0 ? set : lastCacheOfSystem(),
          .rememberedRows = rememberedRows,
          .unevenRows = unevenRows};
}

void setThresholds(const Thresholds &wanted) {
  leastSteps = wanted.leastSteps;
  lastCache = wanted.lastCache;
  rememberedRows = wanted.rememberedRows;
  unevenRows = wanted.unevenRows;
}

} // namespace strata::runtime

void strata_cut_loops_from(int64_t steps) { strata::runtime::leastSteps = steps; }
