// Puts in order what a workspace has gathered.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/abi.h"

#include <algorithm>
#include <bit>
#include <cstring>

// Scanning costs a step for eight marks, sorting some for every entry and each of its bits.
static bool scanningIsFaster(int64_t count, int64_t extent) {
  return extent / 8 <
         4 * count * static_cast<int64_t>(std::bit_width(static_cast<uint64_t>(count)));
}

void strata_kernel_sort(int64_t *list, int64_t count, const uint8_t *marks, int64_t extent) {
  if (!scanningIsFaster(count, extent)) {
    std::sort(list, list + count);
    return;
  }
  int64_t found = 0, at = 0;
  for (; at + 8 <= extent && found < count; at += 8) {
    uint64_t eight;
    std::memcpy(&eight, marks + at, sizeof eight);
    if (eight == 0)
      continue;
    for (int64_t k = at; k < at + 8; ++k)
      if (marks[k])
        list[found++] = k;
  }
  for (; at < extent && found < count; ++at)
    if (marks[at])
      list[found++] = at;
}
