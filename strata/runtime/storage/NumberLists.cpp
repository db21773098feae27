// Makes room for lists of numbers.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/storage/NumberLists.h"

namespace strata::runtime {

Result<NumberLists> NumberLists::make(std::span<const int64_t> lengths) {
  NumberLists lists;
  for (int64_t length : lengths)
    lists.begins.push_back(lists.begins.back() + length);
  Result<Array<int64_t>> numbers = Array<int64_t>::make(lists.begins.back());
  if (!numbers)
    return numbers.takeStatus();
  lists.numbers = std::move(*numbers);
  return lists;
}

Result<NumberLists> NumberLists::copyOf(std::span<const std::vector<int64_t>> lists) {
  std::vector<int64_t> lengths;
  for (const std::vector<int64_t> &list : lists)
    lengths.push_back(int64_t(list.size()));
  Result<NumberLists> copy = make(lengths);
  for (size_t list = 0; copy && list < lists.size(); ++list)
    std::ranges::copy(lists[list], (*copy)[list].begin());
  return copy;
}

std::vector<int64_t *> NumberLists::places() {
  std::vector<int64_t *> next;
  for (size_t list = 0; list < size(); ++list)
    next.push_back(numbers.begin() + begins[list]);
  return next;
}

} // namespace strata::runtime
