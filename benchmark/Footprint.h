// The memory of this process that is its own: not the pages of mapped files.
#ifndef STRATA_BENCHMARK_FOOTPRINT_H
#define STRATA_BENCHMARK_FOOTPRINT_H

#include <atomic>
#include <cstdint>
#include <thread>

namespace strata::benchmark {

/// Resident anonymous bytes now (RssAnon of /proc/self/status); 0 where that is not known.
int64_t residentBytes();

/// Watches residentBytes from its construction on, a few thousand times a second.
class FootprintWatch {
public:
  FootprintWatch();
  ~FootprintWatch();
  /// The most that was seen since the last call, or the construction.
  int64_t peak();

private:
  void look();

  std::atomic<int64_t> most{0};
  std::atomic<bool> ended{false};
  std::thread watcher;
};

} // namespace strata::benchmark

#endif // STRATA_BENCHMARK_FOOTPRINT_H
