// Adding up entries of a coordinate list that have equal coordinates.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/storage/Coordinates.h"
#include "strata/runtime/storage/TotalOf.h"

namespace strata::runtime {
namespace {

/// sum += value; false on overflow.
template <typename V> bool add(TotalOf<V> &sum, V value) {
  if constexpr (std::is_same_v<V, bool>)
    return sum |= value, true;
  else if constexpr (std::is_integral_v<V>)
    return !__builtin_add_overflow(sum, value, &sum);
  else
    return sum += value, true;
}

template <typename C> bool equalEntries(const std::vector<C *> &columns, int64_t a, int64_t b) {
  for (C *column : columns)
    if (column[a] != column[b])
      return false;
  return true;
}

/// Compacts sorted entries; the new count, or -1 - entry where a sum overflows (nothing is moved
/// before that is known).
template <typename C, typename V>
int64_t compact(const std::vector<C *> &columns, V *values, int64_t count, Overflow overflow) {
  if constexpr (std::is_integral_v<V>) {
    V sum = 0;
    for (int64_t e = 0; overflow == Overflow::fails && e < count; ++e) {
      if (e == 0 || !equalEntries(columns, e - 1, e))
        sum = values[e];
      else if (!add(sum, values[e]))
        return -1 - e;
    }
  }
  int64_t last = 0;
  TotalOf<V> sum = values[0];
  for (int64_t e = 1; e < count; ++e) {
    if (equalEntries(columns, last, e)) {
      add(sum, values[e]);
      values[last] = V(sum);
      continue;
    }
    ++last;
    for (C *column : columns)
      column[last] = column[e];
    sum = values[last] = values[e];
  }
  return last + 1;
}

} // namespace

Result<int64_t> Coordinates::sumDuplicates(std::span<const int> order, Overflow overflow) {
  if (isStrictlySorted(order))
    return int64_t{0};
  if (Status sorted = sort(order); !sorted.ok())
    return sorted;
  if (isStrictlySorted(order)) // which all threads find out
    return int64_t{0};
  const int64_t kept = withCoordinateType(width, [&]<typename C>(C *) {
    std::vector<C *> arrays;
    for (Buffer &column : columns)
      arrays.push_back(column.as<C>());
    return withValueType(valueType(), [&]<typename V>(V *) {
      return compact(arrays, valueBuffer.as<V>(), entryCount, overflow);
    });
  });
  if (kept < 0) {
    std::string place;
    for (int d = 0; d < this->order(); ++d)
      place += (d ? ", " : "") + std::to_string(coordinate(d, -1 - kept) + 1);
    return Error{Error::ElementValue, "the sum of the entries at (" + place +
                                          ") does not fit the type " + typeName(valueType())};
  }
  const int64_t removed = entryCount - kept;
  if (removed > 0)
    if (Status trimmed = resize(kept); !trimmed.ok())
      return trimmed;
  return removed;
}

} // namespace strata::runtime
