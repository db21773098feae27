// Clocks of the process.
#include "ProcessClock.h"

#include <ctime>

namespace strata::tool {

static double beforeMain = 0, mainBegan = 0;

static double secondsOf(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return double(now.tv_sec) + double(now.tv_nsec) * 1e-9;
}

void startProcessClock() {
  beforeMain = secondsOf(CLOCK_PROCESS_CPUTIME_ID);
  mainBegan = secondsOf(CLOCK_MONOTONIC);
}

double secondsBeforeMain() { return beforeMain; }
double secondsSinceMain() { return secondsOf(CLOCK_MONOTONIC) - mainBegan; }

} // namespace strata::tool
