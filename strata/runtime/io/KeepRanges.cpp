// Dropping the entries outside of ranges, one dimension after the other.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/KeepRanges.h"

#include "strata/runtime/Counted.h"

#include <algorithm>

namespace strata::runtime {
namespace {

/// Moves the entries that are kept forward in a buffer.
template <typename T> void compact(Buffer &buffer, const std::vector<int64_t> &kept) {
  T *elements = buffer.as<T>();
  for (size_t at = 0; at < kept.size(); ++at)
    elements[at] = elements[kept[at]];
}

/// Finds the entries in the range; nothing if all are.
std::optional<std::vector<int64_t>> entriesIn(const Coordinates &list, int dimension,
                                              IndexRange range) {
  if (range.begin == 0 && range.end == list.sizes()[static_cast<size_t>(dimension)])
    return std::nullopt;
  std::vector<int64_t> kept;
  withCoordinateType(list.coordinateType(), [&]<typename C>(C *) {
    const C *column = list.column(dimension).as<C>();
    for (int64_t e = 0; e < list.count(); ++e)
      if (column[e] >= range.begin && column[e] < range.end)
        kept.push_back(e);
  });
  return kept;
}

Status keepRange(Coordinates &list, int dimension, IndexRange range) {
  std::optional<std::vector<int64_t>> kept = entriesIn(list, dimension, range);
  if (!kept)
    return {};
  withCoordinateType(list.coordinateType(), [&]<typename C>(C *) {
    for (int d = 0; d < list.order(); ++d)
      compact<C>(list.column(d), *kept);
    C *column = list.column(dimension).as<C>();
    for (size_t at = 0; at < kept->size(); ++at)
      column[at] -= static_cast<C>(range.begin);
  });
  withValueType(list.valueType(), [&]<typename V>(V *) { compact<V>(list.values(), *kept); });
  return list.resize(static_cast<int64_t>(kept->size()));
}

} // namespace

Error tooManyRanges(size_t ranges, size_t order) {
  return {Error::FileOption,
          "there are ranges of " + counted(static_cast<int64_t>(ranges), "dimension"),
          order == 0 ? "none: the tensor has no dimension"
                     : "at most " + std::to_string(order) + ", as the tensor has"};
}

Result<Coordinates> keepRanges(Coordinates list, std::span<const IndexRange> ranges) {
  if (static_cast<int>(ranges.size()) > list.order())
    return tooManyRanges(ranges.size(), static_cast<size_t>(list.order()));
  std::vector<int64_t> sizes = list.sizes();
  for (size_t d = 0; d < ranges.size(); ++d) {
    const IndexRange range = ranges[d].of(sizes[d]);
    if (Status done = keepRange(list, static_cast<int>(d), range); !done.ok())
      return done;
    sizes[d] = range.count();
  }
  std::vector<Buffer> columns;
  for (int d = 0; d < list.order(); ++d)
    columns.push_back(std::move(list.column(d)));
  return Coordinates::assemble(std::move(sizes), std::move(columns), std::move(list.values()));
}

} // namespace strata::runtime
