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
#define STRATA_MASKS __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,bmi2,popcnt")))

bool hasMasks() {
  static const bool answer =
      __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
  return answer;
}

#define STRATA_AVX2 __attribute__((target("avx2")))

bool hasAvx2() {
  static const bool answer = __builtin_cpu_supports("avx2");
  return answer;
}

// Element k is the sum of the elements of row k.
STRATA_AVX2 __m256d addAcross(const __m256d *rows) {
  const __m256d left = _mm256_hadd_pd(rows[0], rows[1]), right = _mm256_hadd_pd(rows[2], rows[3]);
  return _mm256_add_pd(_mm256_permute2f128_pd(left, right, 0x20),
                       _mm256_permute2f128_pd(left, right, 0x31));
}

STRATA_MASKS __m512d load(__mmask8 mask, const double *at) {
  return _mm512_maskz_loadu_pd(mask, at);
}

// Elements 2k and 2k + 1 are sums of pairs of the left and the right row.
STRATA_MASKS __m512d addPairs(__m512d left, __m512d right) {
  return _mm512_add_pd(_mm512_unpacklo_pd(left, right), _mm512_unpackhi_pd(left, right));
}

// Element k is the sum of the elements of row k. No sum is a negative zero, as none is that begins
// with zero.
STRATA_MASKS __m512d addAcross(const __m512d *rows) {
  __m512d pairs[4], fours[2];
  for (int at = 0; at < 4; ++at)
    pairs[at] = addPairs(rows[2 * at], rows[2 * at + 1]);
  for (int at = 0; at < 2; ++at)
    fours[at] = _mm512_add_pd(_mm512_shuffle_f64x2(pairs[2 * at], pairs[2 * at + 1], 0x88),
                              _mm512_shuffle_f64x2(pairs[2 * at], pairs[2 * at + 1], 0xdd));
  const __m512d sums = _mm512_add_pd(_mm512_shuffle_f64x2(fours[0], fours[1], 0x88),
                                     _mm512_shuffle_f64x2(fours[0], fours[1], 0xdd));
  return _mm512_add_pd(sums, _mm512_setzero_pd());
}

STRATA_MASKS double addAcross(__m512d row) {
  row = _mm512_add_pd(row, _mm512_permute_pd(row, 0x55));
  row = _mm512_add_pd(row, _mm512_shuffle_f64x2(row, row, 0xb1));
  row = _mm512_add_pd(row, _mm512_shuffle_f64x2(row, row, 0x4e));
  return _mm512_cvtsd_f64(row) + 0.0;
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
  return addAcross(parts);
}

// The first of sixteen positions, or of fewer, in 32 bits: of these, differences are the same.
STRATA_MASKS __m512i loadWords(__mmask16 mask, const uint8_t *at) {
  return _mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8(mask, at));
}
STRATA_MASKS __m512i loadWords(__mmask16 mask, const uint16_t *at) {
  return _mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(mask, at));
}
STRATA_MASKS __m512i loadWords(__mmask16 mask, const uint32_t *at) {
  return _mm512_maskz_loadu_epi32(mask, at);
}
STRATA_MASKS __m512i loadWords(__mmask16 mask, const uint64_t *at) {
  const __m256i low = _mm512_cvtepi64_epi32(_mm512_maskz_loadu_epi64(__mmask8(mask), at));
  const __m256i high =
      _mm512_cvtepi64_epi32(_mm512_maskz_loadu_epi64(__mmask8(mask >> 8), at + lanes));
  return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

/// Some of the rows of a block.
struct Rows {
  uint64_t words[rowsAtOnce / 64] = {};

  STRATA_MASKS int64_t count() const {
    return __builtin_popcountll(words[0]) + __builtin_popcountll(words[1]);
  }
  /// Calls `work` with each, by a loop that has one branch.
  template <typename Work> STRATA_MASKS void each(Work work) const {
    uint64_t first = words[0], second = words[1];
    for (int64_t left = count(); left > 0; --left) {
      const uint64_t word = first ? first : second;
      const int64_t begin = first ? 0 : 64;
      work(begin + __builtin_ctzll(word));
      second = first ? second : second & (second - 1);
      first &= first - 1;
    }
  }
};

/// What is known of the rows of a block before their terms are read.
struct Block {
  alignas(64) uint8_t masks[rowsAtOnce]; ///< bit k tells whether the row has more than k
  Rows middle;                           ///< of more than four terms, but no more than eight
  Rows longer;                           ///< of more than eight terms
};

template <typename Position>
STRATA_MASKS void lookAt(const Position *positions, int64_t count, Block &block) {
  const __m512i masks = _mm512_broadcast_i32x4(
      _mm_setr_epi8(0, 1, 3, 7, 15, 31, 63, 127, -1, -1, -1, -1, -1, -1, -1, -1));
  for (int64_t word = 0; 64 * word < count; ++word) {
    __m128i lengths[4];
    for (int64_t k = 0; k < 4; ++k) {
      const int64_t row = 64 * word + 16 * k,
                    left = std::clamp(count - row, int64_t{0}, int64_t{16});
      const auto mask = static_cast<__mmask16>(_bzhi_u32(0xffff, unsigned(left)));
      const __m512i length =
          _mm512_sub_epi32(loadWords(mask, positions + row + 1), loadWords(mask, positions + row));
      lengths[k] = _mm512_cvtusepi32_epi8(_mm512_min_epu32(length, _mm512_set1_epi32(15)));
    }
    __m512i all = _mm512_castsi128_si512(lengths[0]);
    all = _mm512_inserti32x4(all, lengths[1], 1);
    all = _mm512_inserti32x4(all, lengths[2], 2);
    all = _mm512_inserti32x4(all, lengths[3], 3);
    _mm512_store_si512(block.masks + 64 * word, _mm512_shuffle_epi8(masks, all));
    block.longer.words[word] = _mm512_cmpgt_epu8_mask(all, _mm512_set1_epi8(lanes));
    block.middle.words[word] =
        _mm512_cmpgt_epu8_mask(all, _mm512_set1_epi8(lanes / 2)) & ~block.longer.words[word];
  }
}

// Eight rows at once, without a branch at the end of each. Longer rows are noted, and added up
// afterwards: as many as a graph has, a branch for those of each eight rows would seldom be
// foreseen. Where few rows have more than four terms, vectors of four are read, of which two fit
// where one of eight does.
template <typename Position>
STRATA_MASKS void addRowsByMasks(const double *terms, const Position *positions, int64_t count,
                                 double *sums) {
  constexpr int64_t half = lanes / 2, fewInMiddle = 8;
  const double *origin = terms - positions[0]; // of a row at position 0
  Block block;
  lookAt(positions, count, block);
  const bool halves = block.middle.count() * fewInMiddle <= count;
  int64_t row = 0;
  if (halves) {
    for (; row + lanes <= count; row += lanes) {
      __m256d parts[lanes];
      for (int64_t k = 0; k < lanes; ++k)
        parts[k] = _mm256_maskz_loadu_pd(block.masks[row + k], origin + positions[row + k]);
      for (int64_t k = 0; k < lanes; k += half)
        _mm256_storeu_pd(sums + row + k, _mm256_add_pd(addAcross(parts + k), _mm256_setzero_pd()));
    }
    block.middle.each([&](int64_t at) STRATA_MASKS {
      sums[at] = addAcross(load(block.masks[at], origin + positions[at]));
    });
  } else {
    for (; row + lanes <= count; row += lanes) {
      __m512d parts[lanes];
      for (int64_t k = 0; k < lanes; ++k)
        parts[k] = load(block.masks[row + k], origin + positions[row + k]);
      _mm512_storeu_pd(sums + row, addAcross(parts));
    }
  }
  block.longer.each([&](int64_t at) STRATA_MASKS {
    const Position *ends = positions + at;
    sums[at] = addLongRow(origin + ends[0], static_cast<int64_t>(ends[1] - ends[0]));
  });
  addRows(origin + positions[row], positions + row, count - row, sums + row);
}
#undef STRATA_MASKS

// All of the lanes from `first` to `first` + 3 that come before `length`, of eight.
STRATA_AVX2 __m256i maskOf(int64_t first, int64_t length) {
  alignas(64) static const int64_t words[2 * lanes] = {-1, -1, -1, -1, -1, -1, -1, -1};
  return _mm256_loadu_si256(reinterpret_cast<const __m256i *>(words + lanes - length + first));
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
                            int64_t count, int64_t bytes, double *sums, int64_t place) {
  const char *at = static_cast<const char *>(positions) + first * bytes;
  sums += place;
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
