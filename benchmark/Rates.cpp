// Measures what two threads bring where nothing but the machine decides: reading memory in order,
// and multiply-adds in registers. Pieces are shared among TBB's threads, as Strata's are.
#include <cstdint>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>

namespace {

#ifdef __AVX512F__
constexpr int vectorBytes = 64;
#else
constexpr int vectorBytes = 32;
#endif
using Vector = double __attribute__((vector_size(vectorBytes)));
constexpr int64_t lanes = vectorBytes / sizeof(double), chains = 12, pieces = 16;

double sumOf(const Vector (&sums)[chains]) {
  Vector sum = sums[0];
  for (int64_t at = 1; at < chains; ++at)
    sum += sums[at];
  double total = 0;
  for (int64_t lane = 0; lane < lanes; ++lane)
    total += sum[lane];
  return total;
}

double sumOfValues(const double *values, int64_t count) {
  const auto *vectors = reinterpret_cast<const Vector *>(values);
  const int64_t whole = count / lanes / chains * chains;
  Vector sums[chains] = {};
  for (int64_t at = 0; at < whole; at += chains)
    for (int64_t chain = 0; chain < chains; ++chain)
      sums[chain] += vectors[at + chain];
  double total = sumOf(sums);
  for (int64_t at = whole * lanes; at < count; ++at)
    total += values[at];
  return total;
}

double multipliedAndAdded(int64_t rounds) {
  Vector sums[chains], factor, addend;
  for (int64_t lane = 0; lane < lanes; ++lane) {
    factor[lane] = 0.999;
    addend[lane] = 0.5;
  }
  for (Vector &sum : sums)
    sum = addend;
  for (int64_t round = 0; round < rounds; ++round)
    for (Vector &sum : sums)
      sum = sum * factor + addend;
  return sumOf(sums);
}

/// The sum of what the pieces give.
template <typename Piece> double ofPieces(Piece piece) {
  double totals[pieces] = {};
  tbb::parallel_for(
      tbb::blocked_range<int64_t>(0, pieces, 1),
      [&](const auto &range) {
        for (int64_t at = range.begin(); at < range.end(); ++at)
          totals[at] = piece(at);
      },
      tbb::simple_partitioner());
  double total = 0;
  for (const double one : totals)
    total += one;
  return total;
}

} // namespace

extern "C" {

/// The sum of values at a multiple of 64 bytes.
double rates_read(const double *values, int64_t count) {
  const int64_t unit = 64 * chains, length = count / pieces / unit * unit;
  return ofPieces([=](int64_t piece) {
    const int64_t end = piece == pieces - 1 ? count : (piece + 1) * length;
    return sumOfValues(values + piece * length, end - piece * length);
  });
}

/// How many multiply-adds of doubles a call with so many rounds makes.
int64_t rates_count(int64_t rounds) { return rounds / pieces * pieces * chains * lanes; }

double rates_multiply_add(int64_t rounds) {
  return ofPieces([=](int64_t) { return multipliedAndAdded(rounds / pieces); });
}

} // extern "C"
