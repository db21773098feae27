// Applying permutations of indices, and listing them.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/storage/Permutation.h"
#include "strata/runtime/Counted.h"
#include "strata/runtime/InternalError.h"
#include "strata/runtime/Parallel.h"

#include <algorithm>
#include <numeric>

namespace strata::runtime {
namespace {

/// The leading old indices in ascending order, and the new index of each.
struct Inverse {
  std::vector<int64_t> olds, news;

  explicit Inverse(const Permutation &permutation) : news(permutation.leading.size()) {
    const std::vector<int64_t> &leading = permutation.leading;
    std::iota(news.begin(), news.end(), int64_t{0});
    std::ranges::sort(news, {}, [&](int64_t at) { return leading[static_cast<size_t>(at)]; });
    olds.reserve(news.size());
    for (int64_t at : news)
      olds.push_back(leading[static_cast<size_t>(at)]);
  }

  int64_t newOf(int64_t old) const {
    const auto at = std::ranges::lower_bound(olds, old);
    const auto smaller = at - olds.begin();
    if (at != olds.end() && *at == old)
      return news[static_cast<size_t>(smaller)];
    return static_cast<int64_t>(olds.size()) + old - smaller;
  }
};

/// Calls body(new, old) for all indices, in ascending order of the new ones.
template <typename Body> void forEachIndex(const Permutation &permutation, Body body) {
  int64_t at = 0, old = 0;
  for (int64_t index : permutation.leading)
    body(at++, index);
  std::vector<int64_t> sorted = permutation.leading;
  std::ranges::sort(sorted);
  for (int64_t index : sorted) {
    for (; old < index; ++old)
      body(at++, old);
    old = index + 1;
  }
  for (; old < permutation.size; ++old)
    body(at++, old);
}

template <typename C> void permuteColumn(C *column, int64_t count, const Permutation &permutation) {
  auto forEachEntry = [&](auto newOf) {
    parallelFor(tbb::blocked_range<int64_t>(0, count, int64_t{1} << 15), [&](const auto &r) {
      for (int64_t e = r.begin(); e < r.end(); ++e)
        column[e] = static_cast<C>(newOf(column[e]));
    });
  };
  if (permutation.size / 4 > count) {
    const Inverse inverse(permutation);
    return forEachEntry([&](int64_t old) { return inverse.newOf(old); });
  }
  std::vector<C> table(static_cast<size_t>(permutation.size));
  forEachIndex(permutation, [&](int64_t now, int64_t old) {
    table[static_cast<size_t>(old)] = static_cast<C>(now);
  });
  forEachEntry([&](int64_t old) { return table[static_cast<size_t>(old)]; });
}

} // namespace

bool Permutation::isValid() const {
  std::vector<int64_t> sorted = leading;
  std::ranges::sort(sorted);
  return sorted.empty() || (sorted.front() >= 0 && sorted.back() < size &&
                            std::ranges::adjacent_find(sorted) == sorted.end());
}

bool Permutation::isIdentity() const {
  return std::ranges::is_sorted(leading) &&
         (leading.empty() || leading.back() == static_cast<int64_t>(leading.size()) - 1);
}

std::vector<int64_t> allOf(const Permutation &permutation) {
  std::vector<int64_t> olds;
  olds.reserve(static_cast<size_t>(permutation.size));
  forEachIndex(permutation, [&](int64_t, int64_t old) { olds.push_back(old); });
  return olds;
}

Status permuteIndices(Coordinates &list, std::span<const Permutation> permutations) {
  if (permutations.size() != list.sizes().size())
    return internalError("as many permutations as dimensions are needed");
  for (size_t d = 0; d < permutations.size(); ++d)
    if (permutations[d].size != list.sizes()[d] || !permutations[d].isValid())
      return internalError("indices are permuted by what is no permutation of them");
  for (size_t d = 0; d < permutations.size(); ++d)
    if (!permutations[d].isIdentity())
      withCoordinateType(list.coordinateType(), [&]<typename C>(C *) {
        permuteColumn(list.column(static_cast<int>(d)).as<C>(), list.count(), permutations[d]);
      });
  return {};
}

Result<Coordinates> matrixOf(std::span<const Permutation> permutations) {
  constexpr int64_t most = INT64_MAX / 32;
  int64_t rows = 0, count = 0;
  for (const Permutation &permutation : permutations) {
    rows = std::max(rows, permutation.size);
    if (permutation.size > most - count)
      return outOfMemory("a list of permutations", INT64_MAX);
    count += permutation.size;
  }
  Result<Coordinates> list =
      Coordinates::create({rows, static_cast<int64_t>(permutations.size())}, STRATA_I64, count);
  if (!list)
    return outOfMemory("the list of " + counted(count, "index", "indices"), 24 * count);
  withCoordinateType(list->coordinateType(), [&]<typename C>(C *) {
    C *row = list->column(0).as<C>(), *column = list->column(1).as<C>();
    int64_t *value = list->values().as<int64_t>();
    for (size_t d = 0; d < permutations.size(); ++d)
      forEachIndex(permutations[d], [&](int64_t now, int64_t old) {
        *row++ = static_cast<C>(now);
        *column++ = static_cast<C>(d);
        *value++ = old + 1;
      });
  });
  return list;
}

Permutation inverseOf(const Permutation &permutation) {
  Permutation inverse{.size = permutation.size,
                      .leading = std::vector<int64_t>(static_cast<size_t>(permutation.size))};
  forEachIndex(permutation,
               [&](int64_t now, int64_t old) { inverse.leading[static_cast<size_t>(old)] = now; });
  return inverse;
}

Result<std::vector<Permutation>> permutationsOf(const Coordinates &matrix) {
  if (matrix.order() != 1 && matrix.order() != 2)
    return Error{Error::Permutation,
                 "permutations cannot be a tensor of order " + std::to_string(matrix.order()),
                 "a matrix whose columns are permutations"};
  auto columnOf = [&](int64_t entry) {
    return matrix.order() == 2 ? static_cast<size_t>(matrix.coordinate(1, entry)) : 0;
  };
  const size_t columns = matrix.order() == 2 ? static_cast<size_t>(matrix.sizes()[1]) : 1;
  if (columns > static_cast<size_t>(matrix.count()))
    return Error{Error::Permutation, "the file has a column without a permutation"};
  std::vector<Permutation> permutations(columns);
  for (int64_t e = 0; e < matrix.count(); ++e)
    ++permutations[columnOf(e)].size;
  for (Permutation &permutation : permutations)
    permutation.leading.assign(static_cast<size_t>(permutation.size), -1);
  for (int64_t e = 0; e < matrix.count(); ++e) {
    Permutation &mine = permutations[columnOf(e)];
    const int64_t row = matrix.coordinate(0, e);
    if (row < mine.size)
      mine.leading[static_cast<size_t>(row)] = matrix.values().as<int64_t>()[e] - 1;
  }
  for (size_t d = 0; d < columns; ++d)
    if (!permutations[d].isValid())
      return Error{Error::Permutation, "column " + std::to_string(d + 1) + " is no permutation",
                   "each number from 1 to " + std::to_string(permutations[d].size) +
                       " once, in the rows from 1 to that"};
  return permutations;
}

} // namespace strata::runtime
