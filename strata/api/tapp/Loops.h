// Nests of loops over the elements of several strided tensors.
#ifndef STRATA_API_TAPP_LOOPS_H
#define STRATA_API_TAPP_LOOPS_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace strata::tapp {

/// A loop, and how far apart its elements are in each of N tensors.
template <size_t N> struct Loop {
  int64_t extent = 1;
  std::array<int64_t, N> strides = {};
};

/// Sorts loops so that the elements of the last one lie closest in tensor `by`, drops those that
/// run once, and makes one of two that are one in all tensors.
template <size_t N> void arrange(std::vector<Loop<N>> &loops, size_t by) {
  auto distance = [by](const Loop<N> &loop) {
    return loop.strides[by] < 0 ? -loop.strides[by] : loop.strides[by];
  };
  std::erase_if(loops, [](const Loop<N> &loop) { return loop.extent == 1; });
  std::sort(loops.begin(), loops.end(),
            [&](const Loop<N> &a, const Loop<N> &b) { return distance(a) > distance(b); });
  std::vector<Loop<N>> made;
  for (const Loop<N> &loop : loops) {
    int64_t values = 0;
    bool one = !made.empty() && !__builtin_mul_overflow(made.back().extent, loop.extent, &values);
    for (size_t tensor = 0; one && tensor < N; ++tensor)
      one = made.back().strides[tensor] == loop.strides[tensor] * loop.extent;
    if (!one)
      made.push_back(loop);
    else
      made.back() = {values, loop.strides};
  }
  loops = std::move(made);
}

/// Calls `row` with the offsets at which each run of the last loop begins.
template <size_t N, typename Row>
void forEachRow(const std::vector<Loop<N>> &loops, const Row &row) {
  for (const Loop<N> &loop : loops)
    if (loop.extent == 0)
      return;
  std::array<int64_t, N> offsets = {};
  const size_t outer = loops.empty() ? 0 : loops.size() - 1;
  std::vector<int64_t> at(outer, 0);
  while (true) {
    row(offsets);
    size_t loop = outer;
    while (loop > 0) {
      --loop;
      const Loop<N> &moved = loops[loop];
      const bool again = ++at[loop] < moved.extent;
      for (size_t tensor = 0; tensor < N; ++tensor)
        offsets[tensor] +=
            again ? moved.strides[tensor] : -moved.strides[tensor] * (moved.extent - 1);
      if (again)
        break;
      at[loop] = 0;
      if (loop == 0)
        return;
    }
    if (outer == 0)
      return;
  }
}

} // namespace strata::tapp

#endif // STRATA_API_TAPP_LOOPS_H
