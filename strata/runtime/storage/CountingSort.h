// Sorting entries by counting how many have each coordinate of one dimension.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_STORAGE_COUNTINGSORT_H
#define STRATA_RUNTIME_STORAGE_COUNTINGSORT_H

#include "strata/runtime/storage/Buffer.h"

#include <algorithm>
#include <bit>
#include <span>
#include <vector>

namespace strata::runtime {

/// Entries that one task of a sort works on at least.
inline constexpr int64_t sortGrain = int64_t{1} << 15;

/// How many bits the coordinates of a dimension take.
inline int bitsFor(int64_t size) {
  return size <= 1 ? 0 : std::bit_width(static_cast<uint64_t>(size - 1));
}

/// Sorts words: short runs by insertion, and others unless they are in order.
template <typename Word> void sortWords(Word *begin, Word *end) {
  constexpr int64_t few = 24;
  if (end - begin > few) {
    if (!std::is_sorted(begin, end))
      std::sort(begin, end);
    return;
  }
  for (Word *at = begin; at < end; ++at) {
    const Word word = *at;
    Word *to = at;
    for (; to > begin && to[-1] > word; --to)
      *to = to[-1];
    *to = word;
  }
}

/// Can so many entries be sorted that way: has the first dimension of `order` no more coordinates
/// than entries, and do those of the others fit one word?
bool canSortByCounting(std::span<const int64_t> sizes, std::span<const int> order, int64_t count);

/// Sorts entries, stably, by the dimensions of `order`, where canSortByCounting says so. Takes
/// the memory of the entries once more; false if there is none, and nothing is done.
bool sortByCounting(std::vector<Buffer> &columns, Buffer &values, std::span<const int64_t> sizes,
                    std::span<const int> order);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_STORAGE_COUNTINGSORT_H
