// Orders by the number of entries at each index: descending, or balanced.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/storage/Reorder.h"
#include "strata/runtime/storage/UsedIndices.h"

#include <algorithm>
#include <numeric>
#include <queue>

namespace strata::runtime {
namespace {

std::vector<int64_t> degreesOf(const UsedIndices &used, int dimension) {
  std::vector<int64_t> degrees(used.indices[static_cast<size_t>(dimension)].size());
  withCoordinateType(used.pattern.coordinateType(), [&]<typename C>(C *) {
    const C *column = used.pattern.column(dimension).as<C>();
    for (int64_t e = 0; e < used.pattern.count(); ++e)
      ++degrees[static_cast<size_t>(column[e])];
  });
  return degrees;
}

/// Indices that follow each other in the given order, and their entries.
struct Run {
  size_t begin = 0, count = 0;
  int64_t entries = 0;
};

/// Deals indices, which are known by their positions in the given order, to stretches.
class Dealer {
public:
  explicit Dealer(const std::vector<int64_t> &degrees) : degrees(degrees), to(degrees.size()) {
    constexpr size_t mostStretches = 64, leastIndices = 16;
    const size_t count = std::clamp<size_t>(degrees.size() / leastIndices, 1, mostStretches);
    for (size_t s = 0; s < count; ++s)
      stretches.push({0, s, degrees.size() * (s + 1) / count - degrees.size() * s / count});
  }

  void deal(Run run) {
    while (run.count > 0) {
      Stretch stretch = stretches.top();
      stretches.pop();
      for (; run.count > 0 && stretch.room > 0; --run.count, --stretch.room) {
        stretch.entries += degrees[run.begin];
        to[run.begin++] = stretch.number;
      }
      if (stretch.room > 0)
        stretches.push(stretch);
    }
  }

  /// The positions, stretch by stretch.
  std::vector<size_t> order() const {
    std::vector<size_t> result(to.size());
    std::iota(result.begin(), result.end(), size_t{0});
    std::ranges::sort(result, {}, [&](size_t at) { return std::pair(to[at], at); });
    return result;
  }

private:
  struct Stretch {
    int64_t entries;
    size_t number, room;
    bool operator>(const Stretch &other) const {
      return std::pair(entries, number) > std::pair(other.entries, other.number);
    }
  };

  const std::vector<int64_t> &degrees;
  std::vector<size_t> to; ///< the stretch of each position
  std::priority_queue<Stretch, std::vector<Stretch>, std::greater<>> stretches; ///< with room
};

/// Runs of at most eight indices with at most as many entries as eight have in the mean, or of one
/// index, in the order in which they are dealt.
std::vector<Run> runsOf(const std::vector<int64_t> &degrees) {
  constexpr size_t longest = 8;
  const double entries = std::accumulate(degrees.begin(), degrees.end(), 0.0);
  const double most = longest * entries / std::max(1.0, static_cast<double>(degrees.size()));
  std::vector<Run> runs;
  for (size_t at = 0; at < degrees.size(); ++at) {
    if (runs.empty() || runs.back().count == longest ||
        static_cast<double>(runs.back().entries + degrees[at]) > most)
      runs.push_back({at, 0, 0});
    ++runs.back().count;
    runs.back().entries += degrees[at];
  }
  std::ranges::sort(runs, {}, [](const Run &run) { return std::pair(-run.entries, run.begin); });
  return runs;
}

} // namespace

Result<Permutation> balanceOrder(const Coordinates &list, int dimension, const Permutation &order) {
  Result<UsedIndices> used = numberUsedIndices(list);
  if (!used)
    return used.takeStatus();
  const std::vector<int64_t> &indices = used->indices[static_cast<size_t>(dimension)];
  const std::vector<int64_t> degrees = degreesOf(*used, dimension);
  // Listing all indices is affordable where there are not many more than entries.
  const bool dealsAll = order.size / 4 <= list.count();
  const std::vector<int64_t> inOrder = dealsAll ? allOf(order) : order.leading;
  std::vector<int64_t> degreesInOrder;
  for (int64_t index : inOrder) {
    const auto at = std::ranges::lower_bound(indices, index);
    const bool occurs = at != indices.end() && *at == index;
    degreesInOrder.push_back(occurs ? degrees[static_cast<size_t>(at - indices.begin())] : 0);
  }
  Dealer dealer(degreesInOrder);
  for (const Run &run : runsOf(degreesInOrder))
    dealer.deal(run);
  Permutation result{.size = order.size};
  for (size_t position : dealer.order())
    result.leading.push_back(inOrder[position]);
  return result;
}

Result<Permutations> orderByDegree(const Coordinates &list, std::span<const int> dimensions) {
  Result<UsedIndices> used = numberUsedIndices(list);
  if (!used)
    return used.takeStatus();
  Permutations result;
  for (int64_t size : list.sizes())
    result.push_back({.size = size});
  for (int d : dimensions) {
    const std::vector<int64_t> degrees = degreesOf(*used, d);
    std::vector<size_t> order(degrees.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::sort(order, {}, [&](size_t n) { return std::pair(-degrees[n], n); });
    for (size_t n : order)
      result[static_cast<size_t>(d)].leading.push_back(used->indices[static_cast<size_t>(d)][n]);
  }
  return result;
}

} // namespace strata::runtime
