// Measures seconds of wall-clock time, lap by lap.
#ifndef STRATA_RUNTIME_STOPWATCH_H
#define STRATA_RUNTIME_STOPWATCH_H

#include <chrono>

namespace strata {

class Stopwatch {
public:
  /// Seconds since the last lap, or since the beginning.
  double lap() {
    auto now = std::chrono::steady_clock::now();
    double seconds = std::chrono::duration<double>(now - last).count();
    last = now;
    return seconds;
  }

private:
  std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();
};

} // namespace strata

#endif // STRATA_RUNTIME_STOPWATCH_H
