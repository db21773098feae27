// Lists of numbers: of entries or rows, one list for each process or cell.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_STORAGE_NUMBERLISTS_H
#define STRATA_RUNTIME_STORAGE_NUMBERLISTS_H

#include "strata/runtime/storage/Array.h"

#include <vector>

namespace strata::runtime {

/// Lists whose lengths are known before they are written, one behind the other in one array.
class NumberLists {
public:
  NumberLists() = default;
  /// Makes lists of these lengths, whose numbers are undefined.
  static Result<NumberLists> make(std::span<const int64_t> lengths);
  static Result<NumberLists> copyOf(std::span<const std::vector<int64_t>> lists);

  /// Returns how many lists there are.
  size_t size() const { return begins.size() - 1; }
  std::span<int64_t> operator[](size_t list) {
    return {numbers.begin() + begins[list], length(list)};
  }
  std::span<const int64_t> operator[](size_t list) const {
    return {numbers.begin() + begins[list], length(list)};
  }
  /// Returns the numbers of all lists, one list behind the other.
  std::span<const int64_t> all() const { return numbers; }
  /// Returns where the first number of each list is to be written, and of what is written one by
  /// one the next.
  std::vector<int64_t *> places();
  bool operator==(const NumberLists &other) const {
    return begins == other.begins && std::ranges::equal(all(), other.all());
  }

private:
  size_t length(size_t list) const { return size_t(begins[list + 1] - begins[list]); }

  std::vector<int64_t> begins = {0}; ///< of each list, and behind the last one
  Array<int64_t> numbers;
};

} // namespace strata::runtime
#endif // STRATA_RUNTIME_STORAGE_NUMBERLISTS_H
