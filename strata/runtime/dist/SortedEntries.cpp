// Numbers the boxes by their intervals of each dimension: an entry lies in those whose number its
// own intervals make.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/dist/SortedEntries.h"

#include "strata/runtime/dist/BoxExchange.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace strata::runtime::dist {
namespace {

using CoordinateInterval = std::pair<int64_t, int64_t>; // from the first to before the second

/// Boxes by their numbers.
class NumberedBoxes {
public:
  explicit NumberedBoxes(std::span<const TakenBox> boxes) {
    for (const TakenBox &one : boxes) {
      intervals.resize(one.box->lo.size());
      for (size_t dim = 0; dim < intervals.size() && !isEmpty(*one.box); ++dim)
        intervals[dim].emplace_back(one.box->lo[dim], one.box->hi[dim]);
    }
    for (std::vector<CoordinateInterval> &own : intervals) {
      std::ranges::sort(own);
      const auto [begin, end] = std::ranges::unique(own);
      own.erase(begin, end);
    }
    for (const TakenBox &one : boxes)
      if (!isEmpty(*one.box))
        takers.push_back({*numberOf([&](size_t dim) { return one.box->lo[dim]; }), one.taker});
    std::ranges::sort(takers);
    const auto [begin, end] = std::ranges::unique(takers);
    takers.erase(begin, end);
  }

  /// Returns the intervals of a dimension, ascending.
  std::span<const CoordinateInterval> of(size_t dim) const { return intervals[dim]; }
  /// Numbers the intervals in which coordinates lie, in row-major order; nothing if one lies in
  /// none. (Each cut of an axis is of one dimension, and rounds cut one more: there are no more
  /// numbers than pairs of cells.)
  template <typename CoordinateOf>
  std::optional<int64_t> numberOf(CoordinateOf coordinateOf) const {
    int64_t number = 0;
    for (size_t dim = 0; dim < intervals.size(); ++dim) {
      const std::vector<CoordinateInterval> &own = intervals[dim];
      const int64_t coordinate = coordinateOf(dim);
      const auto found = std::ranges::partition_point(
          own, [&](const CoordinateInterval &one) { return one.second <= coordinate; });
      if (found == own.end() || coordinate < found->first)
        return std::nullopt;
      number = number * int64_t(own.size()) + (found - own.begin());
    }
    return number;
  }
  /// Calls `body` with each taker of the boxes with a number, each once.
  template <typename Body> void forTakers(int64_t number, Body body) const {
    for (auto at = std::ranges::lower_bound(takers, std::pair(number, int64_t(0)));
         at != takers.end() && at->first == number; ++at)
      body(size_t(at->second));
  }

private:
  std::vector<std::vector<CoordinateInterval>> intervals; // of each dimension
  std::vector<std::pair<int64_t, int64_t>> takers;        // by the numbers of their boxes
};

} // namespace

Result<SortedEntries> SortedEntries::make(Coordinates list, int64_t dim) {
  const int order[] = {int(dim)};
  if (Status sorted = list.sort(order); !sorted.ok())
    return sorted;
  SortedEntries made;
  made.entries = std::move(list);
  made.sortedDim = dim;
  return made;
}

Result<NumberLists> SortedEntries::inside(std::span<const TakenBox> boxes, int64_t takers) const {
  const NumberedBoxes numbered(boxes);
  auto forEach = [&](auto body) {
    withCoordinateType(entries.coordinateType(), [&]<typename C>(C *) {
      std::vector<const C *> columns;
      for (int dim = 0; dim < entries.order(); ++dim)
        columns.push_back(entries.column(dim).as<C>());
      const C *sorted = columns[size_t(sortedDim)], *end = sorted + entries.count();
      for (const auto &[lo, hi] : numbered.of(size_t(sortedDim)))
        for (int64_t entry = std::lower_bound(sorted, end, lo) - sorted,
                     last = std::lower_bound(sorted, end, hi) - sorted;
             entry < last; ++entry)
          if (const std::optional<int64_t> number =
                  numbered.numberOf([&](size_t dim) { return int64_t(columns[dim][entry]); }))
            numbered.forTakers(*number, [&](size_t taker) { body(taker, entry); });
    });
  };
  std::vector<int64_t> counts(static_cast<size_t>(takers));
  if (!boxes.empty())
    forEach([&](size_t taker, int64_t) { ++counts[taker]; });
  Result<NumberLists> lists = NumberLists::make(counts);
  if (!lists || boxes.empty())
    return lists;
  std::vector<int64_t *> next = lists->places();
  forEach([&](size_t taker, int64_t entry) { *next[taker]++ = entry; });
  return lists;
}

} // namespace strata::runtime::dist
