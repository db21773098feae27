// An empty parallel region, and a product of a matrix in CSR with a vector, on two threads of TBB
// (with WITH_TBB) or of OpenMP (with -fopenmp). Without either: the plain loop, and the clock that
// all contestants of regions.py are timed by.
#include <cstdint>
#include <ctime>
#ifdef WITH_TBB
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#endif

namespace {

template <typename Body> void forAll(int64_t count, Body body) {
#ifdef WITH_TBB
  tbb::parallel_for(tbb::blocked_range<int64_t>(0, count), [&](const auto &range) {
    for (int64_t at = range.begin(); at < range.end(); ++at)
      body(at);
  });
#elif defined(_OPENMP)
#pragma omp parallel for schedule(static) num_threads(2)
  for (int64_t at = 0; at < count; ++at)
    body(at);
#else
  for (int64_t at = 0; at < count; ++at)
    body(at);
#endif
}

double now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

} // namespace

extern "C" {

/// TBB has one thread for each processor otherwise.
void regions_limit() {
#ifdef WITH_TBB
  static tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 2);
#endif
}

void regions_empty() {
  forAll(2, [](int64_t) { asm volatile(""); });
}

/// A piece of an empty loop calls this.
void regions_nothing() {}

void regions_product(int64_t rows, const int32_t *positions, const int32_t *coordinates,
                     const double *values, const double *x, double *y) {
  forAll(rows, [=](int64_t row) {
    double sum = 0;
    for (int32_t at = positions[row]; at < positions[row + 1]; ++at)
      sum += values[at] * x[coordinates[at]];
    y[row] = sum;
  });
}

/// The seconds of each of so many calls, before each of which there is a pause, in seconds. A
/// function takes at most six words.
void regions_time(void (*call)(void *, void *, void *, void *, void *, void *), void *const *words,
                  int64_t calls, double pause, double *seconds) {
  const timespec wait = {0, static_cast<long>(pause * 1e9)};
  for (int64_t at = 0; at < calls; ++at) {
    if (pause > 0)
      nanosleep(&wait, nullptr);
    const double begin = now();
    call(words[0], words[1], words[2], words[3], words[4], words[5]);
    seconds[at] = now() - begin;
  }
}

} // extern "C"
