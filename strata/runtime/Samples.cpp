// What kernels ask about their operands when they begin: how far ahead to look, and how rows are
// added up.
#include "strata/runtime/Thresholds.h"
#include "strata/runtime/assembly.h"

#include <algorithm>
#include <array>
#include <atomic>

namespace {

constexpr int64_t line = 64;
// Of fewer coordinates looking at a sample would take too large a part of the time.
constexpr int64_t worthSampling = int64_t{1} << 20;
std::atomic<bool> samplesNothing = false;

int64_t coordinateAt(const void *coordinates, int64_t at, int64_t bytes) {
  switch (bytes) {
  case 1:
    return static_cast<const uint8_t *>(coordinates)[at];
  case 2:
    return static_cast<const uint16_t *>(coordinates)[at];
  case 4:
    return static_cast<const uint32_t *>(coordinates)[at];
  default:
    return static_cast<const int64_t *>(coordinates)[at];
  }
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
  constexpr int64_t far = 128, near = 8, bytesAhead = 16384;
  const int64_t ahead = std::clamp(bytesAhead / std::max<int64_t>(stride, 1), near, far);
  if (samplesNothing)
    return 2;
  if (count < worthSampling || total <= strata::runtime::thresholds().lastCache)
    return 0;
  constexpr double worth = 0.2; // asking for a line takes a part of the time in which it comes
  return shareOfMisses(coordinates, count, bytes, stride) > worth ? ahead : 0;
}

namespace {

// Longer rows are alike: each has a branch at its end, in many steps.
constexpr int64_t longestSampled = 16;

// What a sample tells of the lengths of rows.
struct Lengths {
  double changes = 0; ///< the share of rows that have another length than the one before
  double mean = 0;
};

Lengths sampleLengths(const void *positions, int64_t rows, int64_t bytes) {
  constexpr int64_t stretches = 4, most = 64;
  const int64_t sampled = std::min(most, rows / stretches);
  int64_t changes = 0, sum = 0;
  for (int64_t stretch = 0; stretch < stretches; ++stretch) {
    const int64_t begin = rows / stretches * stretch;
    int64_t before = -1;
    for (int64_t row = begin; row < begin + sampled; ++row) {
      const int64_t length = std::min(longestSampled, coordinateAt(positions, row + 1, bytes) -
                                                          coordinateAt(positions, row, bytes));
      changes += before >= 0 && length != before;
      sum += length;
      before = length;
    }
  }
  const auto all = static_cast<double>(std::max<int64_t>(stretches * sampled, 1));
  return {static_cast<double>(changes) / all, static_cast<double>(sum) / all};
}

} // namespace

int64_t strata_kernel_short_rows(strata_context *, const void *positions, int64_t count,
                                 int64_t bytes, int64_t total) {
  constexpr int64_t fewerThanVector = 8;
  const int64_t rows = count - 1;
  if (samplesNothing)
    return 1 + count % STRATA_ROWS_IN_ONE_LOOP;
  const strata::runtime::Thresholds limits = strata::runtime::thresholds();
  if (rows <= 0 || total > limits.lastCache)
    return STRATA_ROWS_BY_VECTORS;
  if (rows > limits.rememberedRows) {
    const Lengths lengths = sampleLengths(positions, rows, bytes);
    const bool uneven = 100 * lengths.changes > static_cast<double>(limits.unevenRows);
    const int64_t longest = std::min(limits.longestMaskedRows, strata_longest_masked_rows());
    if (uneven && total <= limits.ownCache && lengths.mean <= static_cast<double>(longest))
      return STRATA_ROWS_BY_MASKS;
    if (uneven && lengths.mean < longestSampled - 2)
      return STRATA_ROWS_IN_ONE_LOOP;
  }
  const int64_t terms = coordinateAt(positions, rows, bytes) - coordinateAt(positions, 0, bytes);
  return terms < fewerThanVector * rows ? STRATA_ROWS_ONE_BY_ONE : STRATA_ROWS_BY_VECTORS;
}

int64_t strata_kernel_scatters_singly(strata_context *, const void *positions, int64_t count,
                                      int64_t bytes, int64_t total) {
  constexpr int64_t branchesOfRow = 4; // of those that are remembered: here a row has about one
  const int64_t rows = count - 1;
  if (samplesNothing)
    return count % 2;
  const strata::runtime::Thresholds limits = strata::runtime::thresholds();
  if (rows <= 0 || total > limits.lastCache)
    return 0;
  if (total > limits.ownCache)
    return 1;
  return rows > branchesOfRow * limits.rememberedRows &&
         100 * sampleLengths(positions, rows, bytes).changes >
             static_cast<double>(limits.unevenRows);
}

void strata_sample_nothing(int32_t all) { samplesNothing = all != 0; }
