// Runs the program twice, and calls its function.
#include "scaled-sums.h"

#include <cstdio>
#include <string>

static strata_storage dense(std::int32_t order, std::int64_t *size, strata_buffer *buffer) {
  return {order, 1, size, buffer};
}

int main(int, char **arguments) {
  std::string matrix = std::string("matrix=") + arguments[1];
  for (const char *factor : {"factor=2", "factor=-0.5"}) {
    const char *parameters[] = {matrix.c_str(), factor};
    if (scaled_sums_run(2, parameters))
      return 1;
  }
  std::int64_t size = 3;
  double values[] = {1, 2, 3}, by[] = {10};
  strata_buffer buffers[] = {{values, 3, 3, STRATA_F64, 0}, {by, 1, 1, STRATA_F64, 0}};
  strata_storage x = dense(1, &size, &buffers[0]), factor = dense(0, nullptr, &buffers[1]);
  const strata_storage *given[] = {&x, &factor};
  strata_returned *y = nullptr;
  if (scaled_sums_scaled(given, &y))
    return 1;
  const strata_buffer &result = strata_returned_storage(y)->buffers[0];
  for (std::int64_t at = 0; at < result.count; ++at)
    std::printf("%g\n", static_cast<const double *>(result.data)[at]);
  strata_returned_release(y);
  return 0;
}
