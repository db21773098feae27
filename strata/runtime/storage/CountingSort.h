// Sorting entries by counting how many have each coordinate of one dimension.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_STORAGE_COUNTINGSORT_H
#define STRATA_RUNTIME_STORAGE_COUNTINGSORT_H

#include "strata/runtime/storage/Buffer.h"

#include <bit>
#include <span>
#include <vector>

namespace strata::runtime {

/// How many bits the coordinates of a dimension take.
inline int bitsFor(int64_t size) {
  return size <= 1 ? 0 : std::bit_width(static_cast<uint64_t>(size - 1));
}

/// Can so many entries be sorted that way: has the first dimension of `order` no more coordinates
/// than entries, and do those of the others fit one word?
bool canSortByCounting(std::span<const int64_t> sizes, std::span<const int> order, int64_t count);

/// Sorts entries, stably, by the dimensions of `order`, where canSortByCounting says so. Each entry
/// moves once, to its place among those with its first coordinate; then these are put in order
/// where they are not (entries that come by diagonals, or by columns, are). Takes the memory of the
/// entries once more, and of a count for each coordinate and thread; false if there is none, and
/// nothing is done.
bool sortByCounting(std::vector<Buffer> &columns, Buffer &values, std::span<const int64_t> sizes,
                    std::span<const int> order);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_STORAGE_COUNTINGSORT_H
