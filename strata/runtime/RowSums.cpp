// Sums of short rows of terms that lie one behind the other.
//
// Term k of a row is added to lane k modulo 8; then the lanes are added by pairs, pairs of these,
// and so on. The same order is kept whatever instructions there are.
#include "strata/runtime/assembly.h"

#include <algorithm>
#include <cstdint>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace {

constexpr int64_t lanes = 8;

template <typename Position>
void addRows(const double *terms, const Position *positions, int64_t count, double *sums) {
  for (int64_t row = 0; row < count; ++row) {
    const double *term = terms + (positions[row] - positions[0]);
    const int64_t length = static_cast<int64_t>(positions[row + 1] - positions[row]);
    double parts[lanes] = {};
    for (int64_t at = 0; at < length; ++at)
      parts[at % lanes] += term[at];
    for (int64_t step = 1; step < lanes; step *= 2)
      for (int64_t lane = 0; lane < lanes; lane += 2 * step)
        parts[lane] += parts[lane + step];
    sums[row] = parts[0];
  }
}

#if defined(__x86_64__)
#define STRATA_MASKS __attribute__((target("avx512f,avx512vl,avx512dq,bmi2")))

bool hasMasks() {
  static const bool answer = __builtin_cpu_supports("avx512f") &&
                             __builtin_cpu_supports("avx512vl") &&
                             __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("bmi2");
  return answer;
}

STRATA_MASKS __m512d load(__mmask8 mask, const double *at) {
  return _mm512_maskz_loadu_pd(mask, at);
}

// Element k is the sum of the elements of row k.
STRATA_MASKS __m512d addAcross(const __m512d *rows) {
  __m512d pairs[4], fours[2];
  for (int at = 0; at < 4; ++at)
    pairs[at] = _mm512_add_pd(_mm512_unpacklo_pd(rows[2 * at], rows[2 * at + 1]),
                              _mm512_unpackhi_pd(rows[2 * at], rows[2 * at + 1]));
  for (int at = 0; at < 2; ++at)
    fours[at] = _mm512_add_pd(_mm512_shuffle_f64x2(pairs[2 * at], pairs[2 * at + 1], 0x88),
                              _mm512_shuffle_f64x2(pairs[2 * at], pairs[2 * at + 1], 0xdd));
  return _mm512_add_pd(_mm512_shuffle_f64x2(fours[0], fours[1], 0x88),
                       _mm512_shuffle_f64x2(fours[0], fours[1], 0xdd));
}

// Eight rows at once, without a branch at the end of each.
template <typename Position>
STRATA_MASKS void addRowsByMasks(const double *terms, const Position *positions, int64_t count,
                                 double *sums) {
  const Position first = positions[0];
  int64_t row = 0;
  for (; row + lanes <= count; row += lanes) {
    __m512d parts[lanes];
    int64_t longest = 0;
    for (int64_t k = 0; k < lanes; ++k) {
      const int64_t length = static_cast<int64_t>(positions[row + k + 1] - positions[row + k]);
      longest = std::max(longest, length);
      const auto mask = static_cast<__mmask8>(_bzhi_u32(0xff, unsigned(std::min(length, lanes))));
      parts[k] = load(mask, terms + (positions[row + k] - first));
    }
    for (int64_t done = lanes; done < longest; done += lanes)
      for (int64_t k = 0; k < lanes; ++k) {
        const int64_t left =
            static_cast<int64_t>(positions[row + k + 1] - positions[row + k]) - done;
        const auto mask =
            static_cast<__mmask8>(_bzhi_u32(0xff, unsigned(std::clamp(left, int64_t{0}, lanes))));
        parts[k] = _mm512_add_pd(parts[k], load(mask, terms + (positions[row + k] - first) + done));
      }
    // No sum is a negative zero, as none is that begins with zero.
    _mm512_storeu_pd(sums + row, _mm512_add_pd(addAcross(parts), _mm512_setzero_pd()));
  }
  addRows(terms + (positions[row] - first), positions + row, count - row, sums + row);
}
#else
bool hasMasks() { return false; }
#endif

template <typename Position>
void dispatch(const double *terms, const void *positions, int64_t count, double *sums) {
  const auto *at = static_cast<const Position *>(positions);
#if defined(__x86_64__)
  if (hasMasks())
    return addRowsByMasks(terms, at, count, sums);
#endif
  addRows(terms, at, count, sums);
}

} // namespace

int32_t strata_adds_rows_by_masks(void) { return hasMasks(); }

void strata_kernel_add_rows(const double *terms, const void *positions, int64_t first,
                            int64_t count, int64_t bytes, double *sums) {
  const char *at = static_cast<const char *>(positions) + first * bytes;
  switch (bytes) {
  case 1:
    return dispatch<uint8_t>(terms, at, count, sums);
  case 2:
    return dispatch<uint16_t>(terms, at, count, sums);
  case 4:
    return dispatch<uint32_t>(terms, at, count, sums);
  default:
    return dispatch<uint64_t>(terms, at, count, sums);
  }
}
