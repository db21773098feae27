// Loops on several threads whose bodies are called through a pointer, once for each part.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/Parallel.h"

namespace strata::runtime {

void inParts(const tbb::blocked_range<int64_t> &range,
             const std::function<void(int64_t begin, int64_t end)> &body) {
  if (range.begin() >= range.end())
    return;
  withHelp(partsToShare(range), [&] {
    tbb::parallel_for(
        range, [&](const tbb::blocked_range<int64_t> &part) { body(part.begin(), part.end()); });
  });
}

} // namespace strata::runtime
