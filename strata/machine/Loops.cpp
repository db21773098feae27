// Each loop is written in vectors of each length; the processor decides which one runs. Results go
// through `keep`, or the compiler would leave the loops out.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/machine/Loops.h"

#include <bit>
#include <cstring>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace strata::machine {

namespace {

template <typename T> inline __attribute__((always_inline)) void keep(T &value) {
  asm volatile("" : "+m"(value) : : "memory");
}

typedef double Doubles2 __attribute__((vector_size(16)));
typedef double Doubles4 __attribute__((vector_size(32)));
typedef double Doubles8 __attribute__((vector_size(64)));

template <typename V>
inline __attribute__((always_inline)) void readBy(const double *from, int64_t count) {
  constexpr int64_t lanes = sizeof(V) / sizeof(double);
  constexpr int64_t registers = 8;
  V sums[registers] = {};
  for (int64_t at = 0; at + registers * lanes <= count; at += registers * lanes)
    for (int64_t k = 0; k < registers; ++k) {
      V next;
      std::memcpy(&next, from + at + k * lanes, sizeof next);
      sums[k] += next;
    }
  for (V &sum : sums)
    keep(sum);
}

template <typename V> inline __attribute__((always_inline)) double multiplyAddBy(int64_t steps) {
#if defined(__aarch64__)
  constexpr int64_t registers = 24; // four units, of which each takes four cycles, want 16
#else
  constexpr int64_t registers = 12;
#endif
  V sums[registers] = {}, factor = V{} + 0.5, term = V{} + 1.0;
  for (int64_t step = 0; step < steps; ++step)
    for (V &sum : sums)
      sum = __builtin_elementwise_fma(sum, factor, term);
  for (V &sum : sums)
    keep(sum);
  return 2.0 * registers * static_cast<double>(sizeof(V) / sizeof(double)) *
         static_cast<double>(steps);
}

template <typename V>
inline __attribute__((always_inline)) void sumLoadedBy(const double *values, const int32_t *places,
                                                       int64_t count) {
  constexpr int64_t lanes = sizeof(V) / sizeof(double);
  V first = {}, second = {};
  for (int64_t at = 0; at + 2 * lanes <= count; at += 2 * lanes) {
    V a, b;
    for (int64_t k = 0; k < lanes; ++k) {
      a[k] = values[places[at + k]];
      b[k] = values[places[at + lanes + k]];
    }
    first += a;
    second += b;
  }
  keep(first);
  keep(second);
}

#if defined(__x86_64__)
#define WITH_AVX2 __attribute__((target("avx2,fma")))
#define WITH_AVX512 __attribute__((target("avx512f,avx512vl,avx512dq")))
#define WITH_FMA __attribute__((target("fma")))

WITH_AVX2 void read4(const double *from, int64_t count) { readBy<Doubles4>(from, count); }
WITH_AVX512 void read8(const double *from, int64_t count) { readBy<Doubles8>(from, count); }
WITH_FMA double multiplyAdd2(int64_t steps) { return multiplyAddBy<Doubles2>(steps); }
WITH_AVX2 double multiplyAdd4(int64_t steps) { return multiplyAddBy<Doubles4>(steps); }
WITH_AVX512 double multiplyAdd8(int64_t steps) { return multiplyAddBy<Doubles8>(steps); }
WITH_AVX2 void sumLoaded4(const double *values, const int32_t *places, int64_t count) {
  sumLoadedBy<Doubles4>(values, places, count);
}

WITH_AVX2 void sumGathered4(const double *values, const int32_t *places, int64_t count) {
  Doubles4 first = {}, second = {};
  for (int64_t at = 0; at + 8 <= count; at += 8) {
    const auto *place = reinterpret_cast<const __m128i *>(places + at);
    first += reinterpret_cast<Doubles4>(_mm256_i32gather_pd(values, _mm_loadu_si128(place), 8));
    second +=
        reinterpret_cast<Doubles4>(_mm256_i32gather_pd(values, _mm_loadu_si128(place + 1), 8));
  }
  keep(first);
  keep(second);
}

WITH_AVX512 void sumLoaded8(const double *values, const int32_t *places, int64_t count) {
  sumLoadedBy<Doubles8>(values, places, count);
}

WITH_AVX512 void sumGathered8(const double *values, const int32_t *places, int64_t count) {
  Doubles8 first = {}, second = {};
  for (int64_t at = 0; at + 16 <= count; at += 16) {
    const auto *place = reinterpret_cast<const __m256i *>(places + at);
    first += reinterpret_cast<Doubles8>(_mm512_i32gather_pd(_mm256_loadu_si256(place), values, 8));
    second +=
        reinterpret_cast<Doubles8>(_mm512_i32gather_pd(_mm256_loadu_si256(place + 1), values, 8));
  }
  keep(first);
  keep(second);
}
#endif

} // namespace

#if defined(__x86_64__)
bool hasVectors(size_t width) {
  return width == 0   ? __builtin_cpu_supports("fma")
         : width == 1 ? __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
                      : __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                            __builtin_cpu_supports("avx512dq");
}
bool hasGathers() { return hasVectors(1); }

void readDoubles(const double *from, int64_t count) {
  return hasVectors(2)   ? read8(from, count)
         : hasVectors(1) ? read4(from, count)
                         : readBy<Doubles2>(from, count);
}
double multiplyAdd(size_t width, int64_t steps) {
  return width == 0 ? multiplyAdd2(steps) : width == 1 ? multiplyAdd4(steps) : multiplyAdd8(steps);
}
void sumGathered(const double *values, const int32_t *places, int64_t count) {
  return hasVectors(2) ? sumGathered8(values, places, count) : sumGathered4(values, places, count);
}
void sumLoaded(const double *values, const int32_t *places, int64_t count) {
  return hasVectors(2)   ? sumLoaded8(values, places, count)
         : hasVectors(1) ? sumLoaded4(values, places, count)
                         : sumLoadedBy<Doubles2>(values, places, count);
}
#else
bool hasVectors(size_t width) { return width == 0; }
bool hasGathers() { return false; }
void readDoubles(const double *from, int64_t count) { readBy<Doubles2>(from, count); }
double multiplyAdd(size_t, int64_t steps) { return multiplyAddBy<Doubles2>(steps); }
void sumGathered(const double *, const int32_t *, int64_t) {}
void sumLoaded(const double *values, const int32_t *places, int64_t count) {
  sumLoadedBy<Doubles2>(values, places, count);
}
#endif

uint64_t jumpAmongLines(const double *from, uint64_t lines, uint64_t seed, int64_t jumps) {
  constexpr uint64_t line = 64 / sizeof(double);
  double sum = 0;
  for (int64_t jump = 0; jump < jumps; ++jump) {
    seed = seed * 6364136223846793005 + 1442695040888963407; // Knuth's generator for 64 bits
    sum += from[(seed >> 20 & (lines - 1)) * line];
  }
  keep(sum);
  return seed;
}

void rotateInTurn(int64_t steps) {
  uint64_t bits = 1;
  for (int64_t step = 0; step < steps; ++step) {
    bits = std::rotl(bits, 1) ^ 0x5555;
    asm volatile("" : "+r"(bits)); // or several steps would become one
  }
  keep(bits);
}

uint32_t followLinks(const uint32_t *next, size_t line, uint32_t first, int64_t steps) {
  uint32_t at = first;
  for (int64_t step = 0; step < steps; ++step)
    at = next[at * line];
  keep(at);
  return at;
}

void countChoices(const uint8_t *choices, int64_t count) {
  int64_t chosen = 0, others = 0;
  for (int64_t at = 0; at < count; ++at) // the statements of assembly keep the branch a branch
    if (choices[at] != 0) {
      ++chosen;
      asm volatile("" : "+r"(chosen));
    } else {
      ++others;
      asm volatile("" : "+r"(others));
    }
  keep(chosen);
  keep(others);
}

} // namespace strata::machine
