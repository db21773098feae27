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
constexpr int64_t rowsAtOnce = 128; // of which longer ones are noted

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

bool hasAvx2() {
  static const bool answer = __builtin_cpu_supports("avx2");
  return answer;
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

STRATA_MASKS __mmask8 firstLanes(int64_t length) {
  return static_cast<__mmask8>(_bzhi_u32(0xff, unsigned(std::clamp(length, int64_t{0}, lanes))));
}

// The sum of a row of more than eight terms. Up to 32, there is no branch that depends on how many.
STRATA_MASKS double addLongRow(const double *term, int64_t length) {
  constexpr int64_t few = 4 * lanes;
  __m512d parts = _mm512_loadu_pd(term);
  for (int64_t done = lanes; done < few; done += lanes)
    parts = _mm512_add_pd(parts, load(firstLanes(length - done), term + done));
  for (int64_t done = few; done < length; done += lanes)
    parts = _mm512_add_pd(parts, load(firstLanes(length - done), term + done));
  parts = _mm512_add_pd(parts, _mm512_permute_pd(parts, 0x55));
  parts = _mm512_add_pd(parts, _mm512_shuffle_f64x2(parts, parts, 0xb1));
  parts = _mm512_add_pd(parts, _mm512_shuffle_f64x2(parts, parts, 0x4e));
  return _mm512_cvtsd_f64(parts) + 0.0;
}

// Eight rows at once, without a branch at the end of each. Longer rows are noted, and added up
// afterwards: as many as a graph has, a branch for those of each eight rows would seldom be
// foreseen.
template <typename Position>
STRATA_MASKS void addRowsByMasks(const double *terms, const Position *positions, int64_t count,
                                 double *sums) {
  const Position first = positions[0];
  int64_t longer[rowsAtOnce], noted = 0, row = 0;
  for (; row + lanes <= count; row += lanes) {
    __m512d parts[lanes];
    for (int64_t k = 0; k < lanes; ++k) {
      const int64_t length = static_cast<int64_t>(positions[row + k + 1] - positions[row + k]);
      parts[k] = load(firstLanes(length), terms + (positions[row + k] - first));
      longer[noted] = row + k;
      noted += length > lanes;
    }
    // No sum is a negative zero, as none is that begins with zero.
    _mm512_storeu_pd(sums + row, _mm512_add_pd(addAcross(parts), _mm512_setzero_pd()));
  }
  for (int64_t at = 0; at < noted; ++at) {
    const Position *ends = positions + longer[at];
    sums[longer[at]] =
        addLongRow(terms + (ends[0] - first), static_cast<int64_t>(ends[1] - ends[0]));
  }
  addRows(terms + (positions[row] - first), positions + row, count - row, sums + row);
}
#undef STRATA_MASKS
#define STRATA_AVX2 __attribute__((target("avx2")))

// All of the lanes from `first` to `first` + 3 that come before `length`, of eight.
STRATA_AVX2 __m256i maskOf(int64_t first, int64_t length) {
  alignas(64) static const int64_t words[2 * lanes] = {-1, -1, -1, -1, -1, -1, -1, -1};
  return _mm256_loadu_si256(reinterpret_cast<const __m256i *>(words + lanes - length + first));
}

// Element k is the sum of the elements of row k.
STRATA_AVX2 __m256d addAcross(const __m256d *rows) {
  const __m256d left = _mm256_hadd_pd(rows[0], rows[1]), right = _mm256_hadd_pd(rows[2], rows[3]);
  return _mm256_add_pd(_mm256_permute2f128_pd(left, right, 0x20),
                       _mm256_permute2f128_pd(left, right, 0x31));
}

// Four rows at once. Most have no more than four terms; a branch that asks for more is foreseen.
template <typename Position>
STRATA_AVX2 void addRowsByHalves(const double *terms, const Position *positions, int64_t count,
                                 double *sums) {
  constexpr int64_t half = lanes / 2;
  const Position first = positions[0];
  int64_t row = 0;
  for (; row + half <= count; row += half) {
    const double *from[half];
    int64_t lengths[half], longest = 0;
    __m256d low[half], high[half];
    for (int64_t k = 0; k < half; ++k) {
      from[k] = terms + (positions[row + k] - first);
      lengths[k] = static_cast<int64_t>(positions[row + k + 1] - positions[row + k]);
      longest = std::max(longest, lengths[k]);
      low[k] = _mm256_maskload_pd(from[k], maskOf(0, std::min(lengths[k], lanes)));
    }
    __m256d sum = addAcross(low);
    if (longest > half) {
      for (int64_t k = 0; k < half; ++k)
        high[k] = _mm256_maskload_pd(from[k] + half, maskOf(half, std::min(lengths[k], lanes)));
      for (int64_t done = lanes; done < longest; done += lanes)
        for (int64_t k = 0; k < half; ++k) {
          const int64_t left = std::clamp(lengths[k] - done, int64_t{0}, lanes);
          low[k] = _mm256_add_pd(low[k], _mm256_maskload_pd(from[k] + done, maskOf(0, left)));
          high[k] =
              _mm256_add_pd(high[k], _mm256_maskload_pd(from[k] + done + half, maskOf(half, left)));
        }
      sum = _mm256_add_pd(addAcross(low), addAcross(high));
    }
    // No sum is a negative zero, as none is that begins with zero.
    _mm256_storeu_pd(sums + row, _mm256_add_pd(sum, _mm256_setzero_pd()));
  }
  addRows(terms + (positions[row] - first), positions + row, count - row, sums + row);
}
#undef STRATA_AVX2
#endif

template <typename Position>
void dispatch(const double *terms, const void *positions, int64_t count, double *sums) {
  const auto *at = static_cast<const Position *>(positions);
#if defined(__x86_64__)
  if (hasMasks()) {
    for (int64_t row = 0; row < count; row += rowsAtOnce)
      addRowsByMasks(terms + (at[row] - at[0]), at + row, std::min(count - row, rowsAtOnce),
                     sums + row);
    return;
  }
  if (hasAvx2())
    return addRowsByHalves(terms, at, count, sums);
#endif
  addRows(terms, at, count, sums);
}

} // namespace

int64_t strata_longest_masked_rows(void) {
#if defined(__x86_64__)
  if (hasMasks())
    return lanes;
  if (hasAvx2())
    return lanes / 2;
#endif
  return 0;
}

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
