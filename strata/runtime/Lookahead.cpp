// Tells how far ahead a kernel should ask for the lines of an operand that it reads at coordinates.
#include "strata/runtime/Caches.h"
#include "strata/runtime/assembly.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

namespace {

constexpr int64_t line = 64;
// Of fewer coordinates looking at a sample would take too large a part of the time.
std::atomic<int64_t> worthSampling = int64_t{1} << 20;

// Of the cache that is nearest to memory.
int64_t lastCache() {
  const std::vector<strata::runtime::Cache> caches =
      strata::runtime::findCaches(strata::runtime::visibleProcessors());
  return caches.empty() ? int64_t{1} << 24 : caches.back().bytes;
}

int64_t coordinateAt(const void *coordinates, int64_t at, int64_t bytes) {
  uint64_t value = 0; // little-endian
  std::memcpy(&value, static_cast<const char *>(coordinates) + at * bytes, size_t(bytes));
  return static_cast<int64_t>(value);
}

// The share of reads whose line is in no small cache: some stretches of the coordinates are
// followed with a table of the lines that were met last. Rows that resemble their neighbours meet
// the same.
double shareOfMisses(const void *coordinates, int64_t count, int64_t bytes, int64_t stride) {
  constexpr int64_t stretches = 4, longest = 1024, places = 1024;
  std::array<int64_t, places> lines;
  const int64_t length = std::min(longest, count / stretches);
  int64_t misses = 0, reads = 0;
  for (int64_t stretch = 0; stretch < stretches; ++stretch) {
    lines.fill(-1);
    const int64_t begin = count / stretches * stretch;
    for (int64_t at = 0; at < length; ++at) {
      const int64_t crd = coordinateAt(coordinates, begin + at, bytes);
      const int64_t wanted = stride < line ? crd * stride / line : crd;
      int64_t &place = lines[size_t(wanted) % places];
      if (at >= length / 2) { // until then the table is being filled
        misses += place != wanted;
        ++reads;
      }
      place = wanted;
    }
  }
  return reads ? double(misses) / double(reads) : 0;
}

} // namespace

int64_t strata_kernel_lookahead(strata_context *, const void *coordinates, int64_t count,
                                int64_t bytes, int64_t stride, int64_t total) {
  static const int64_t last = lastCache();
  constexpr int64_t far = 128, near = 8, bytesAhead = 16384;
  const int64_t ahead = std::clamp(bytesAhead / std::max<int64_t>(stride, 1), near, far);
  const int64_t least = worthSampling.load(std::memory_order_relaxed);
  if (least == 0)
    return std::min<int64_t>(ahead, 2);
  if (count < least || total <= last)
    return 0;
  constexpr double worth = 0.2; // asking for a line takes a part of the time in which it comes
  return shareOfMisses(coordinates, count, bytes, stride) > worth ? ahead : 0;
}

void strata_look_ahead_from(int64_t coordinates) { worthSampling = coordinates; }
