// Two single-threaded contestants measured in turns, A B A B, so that both see the same machine.
#ifndef STRATA_BENCHMARK_CONTEST_H
#define STRATA_BENCHMARK_CONTEST_H

#include <functional>

namespace strata::benchmark {

/// How long a contest goes on: at least `rounds` rounds, and until `seconds` have passed.
struct Effort {
  int rounds = 15;
  double seconds = 1;
  double sample = 2e-3; ///< the shortest time that is measured: calls are repeated to fill it
};

/// Seconds per call, and the ratio of the times of one round, `ours` by `theirs`: above 1, we are
/// slower.
struct Outcome {
  int rounds = 0;
  double ours = 0, theirs = 0;               ///< medians
  double ratio = 0, lowest = 0, highest = 0; ///< median and extremes over the rounds
};

Outcome compare(const std::function<void()> &ours, const std::function<void()> &theirs,
                const Effort &effort);

} // namespace strata::benchmark

#endif // STRATA_BENCHMARK_CONTEST_H
