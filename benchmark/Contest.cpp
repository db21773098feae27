// Rounds of two contestants, and the statistics over them.
#include "Contest.h"

#include <algorithm>
#include <ctime>
#include <vector>

namespace strata::benchmark {

// Time on the processor of this thread alone: what else runs on the machine does not count.
static double now() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

static double median(std::vector<double> values) {
  auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

static double secondsPerCall(const std::function<void()> &run, int calls) {
  double begin = now();
  for (int call = 0; call < calls; ++call)
    run();
  return (now() - begin) / calls;
}

// How many calls fill a sample; warms caches up as it finds out.
static int callsPerSample(const std::function<void()> &run, double sample) {
  int calls = 1;
  while (calls < 1 << 20 && secondsPerCall(run, calls) * calls < sample)
    calls *= 2;
  return calls;
}

Outcome compare(const std::function<void()> &ours, const std::function<void()> &theirs,
                const Effort &effort) {
  int calls = std::max(callsPerSample(ours, effort.sample), callsPerSample(theirs, effort.sample));
  std::vector<double> ourTimes, theirTimes, ratios;
  double begin = now();
  while (static_cast<int>(ratios.size()) < effort.rounds || now() - begin < effort.seconds) {
    ourTimes.push_back(secondsPerCall(ours, calls));
    theirTimes.push_back(secondsPerCall(theirs, calls));
    ratios.push_back(ourTimes.back() / theirTimes.back());
  }
  auto [lowest, highest] = std::minmax_element(ratios.begin(), ratios.end());
  return {static_cast<int>(ratios.size()),
          median(ourTimes),
          median(theirTimes),
          median(ratios),
          *lowest,
          *highest};
}

} // namespace strata::benchmark
