// Finds the indices that have entries, with a table of the dimension where that is not much larger
// than the list, else by sorting.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/storage/UsedIndices.h"
#include "strata/runtime/InternalError.h"
#include "strata/runtime/Parallel.h"

#include <algorithm>

namespace strata::runtime {
namespace {

/// Is a table with an element for each index small beside the entries?
bool allowsTable(int64_t size, int64_t entries) { return size / 4 <= entries; }

template <typename C>
std::vector<int64_t> usedOf(const Coordinates &list, std::span<const int> dimensions) {
  const int64_t size = list.sizes()[static_cast<size_t>(dimensions.front())];
  std::vector<int64_t> used;
  if (allowsTable(size, list.count())) {
    std::vector<bool> occurs(static_cast<size_t>(size));
    for (int d : dimensions)
      for (const C *at = list.column(d).as<C>(), *end = at + list.count(); at < end; ++at)
        occurs[static_cast<size_t>(*at)] = true;
    for (int64_t index = 0; index < size; ++index)
      if (occurs[static_cast<size_t>(index)])
        used.push_back(index);
    return used;
  }
  for (int d : dimensions)
    used.insert(used.end(), list.column(d).as<C>(), list.column(d).as<C>() + list.count());
  parallelSort(used.begin(), used.end());
  used.erase(std::ranges::unique(used).begin(), used.end());
  return used;
}

/// Writes the number of each entry's index.
template <typename From, typename To>
void number(const From *from, To *to, int64_t count, int64_t size,
            const std::vector<int64_t> &used) {
  auto forEachEntry = [&](auto numberOf) {
    parallelFor(tbb::blocked_range<int64_t>(0, count, int64_t{1} << 15), [&](const auto &r) {
      for (int64_t e = r.begin(); e < r.end(); ++e)
        to[e] = static_cast<To>(numberOf(from[e]));
    });
  };
  if (!allowsTable(size, count))
    return forEachEntry(
        [&](int64_t index) { return std::ranges::lower_bound(used, index) - used.begin(); });
  std::vector<To> numbers(static_cast<size_t>(size));
  for (size_t n = 0; n < used.size(); ++n)
    numbers[static_cast<size_t>(used[n])] = static_cast<To>(n);
  forEachEntry([&](int64_t index) { return numbers[static_cast<size_t>(index)]; });
}

Result<UsedIndices> numbered(const Coordinates &list, std::vector<std::vector<int64_t>> indices) {
  std::vector<int64_t> sizes;
  for (const std::vector<int64_t> &used : indices)
    sizes.push_back(static_cast<int64_t>(used.size()));
  Result<Coordinates> pattern = Coordinates::create(std::move(sizes), STRATA_I8, list.count());
  if (!pattern)
    return pattern.takeStatus();
  std::fill_n(pattern->values().as<int8_t>(), list.count(), int8_t{0});
  for (int d = 0; d < list.order(); ++d)
    withCoordinateType(list.coordinateType(), [&]<typename From>(From *) {
      withCoordinateType(pattern->coordinateType(), [&]<typename To>(To *) {
        number(list.column(d).as<From>(), pattern->column(d).as<To>(), list.count(),
               list.sizes()[static_cast<size_t>(d)], indices[static_cast<size_t>(d)]);
      });
    });
  return UsedIndices{std::move(*pattern), std::move(indices)};
}

} // namespace

Result<UsedIndices> numberUsedIndices(const Coordinates &list) {
  std::vector<std::vector<int64_t>> indices;
  for (int d = 0; d < list.order(); ++d)
    withCoordinateType(list.coordinateType(), [&]<typename C>(C *) {
      indices.push_back(usedOf<C>(list, std::span(&d, 1)));
    });
  return numbered(list, std::move(indices));
}

Result<UsedIndices> numberUsedIndicesTogether(const Coordinates &list) {
  std::vector<int> dimensions;
  for (int d = 0; d < list.order(); ++d) {
    if (list.sizes()[static_cast<size_t>(d)] != list.sizes().front())
      return internalError("dimensions of different sizes are numbered together");
    dimensions.push_back(d);
  }
  std::vector<std::vector<int64_t>> indices;
  if (!dimensions.empty())
    withCoordinateType(list.coordinateType(), [&]<typename C>(C *) {
      indices.assign(dimensions.size(), usedOf<C>(list, dimensions));
    });
  return numbered(list, std::move(indices));
}

} // namespace strata::runtime
