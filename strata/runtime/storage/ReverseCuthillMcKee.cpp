// The reverse Cuthill-McKee order of a square matrix.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/Parallel.h"
#include "strata/runtime/storage/Reorder.h"
#include "strata/runtime/storage/UsedIndices.h"

#include <algorithm>
#include <numeric>

namespace strata::runtime {
namespace {

/// The undirected graph of a square pattern, without loops and multiple edges. Neighbours stand by
/// ascending degree, then by number.
template <typename C> class Graph {
public:
  explicit Graph(const Coordinates &pattern)
      : begins(static_cast<size_t>(pattern.sizes()[0]) + 1), ends(begins.size() - 1) {
    const C *row = pattern.column(0).as<C>(), *column = pattern.column(1).as<C>();
    addEdges(row, column, pattern.count());
    forEachVertex([&](size_t v) {
      C *begin = neighbours.data() + begins[v], *end = neighbours.data() + ends[v];
      std::sort(begin, end);
      ends[v] = std::unique(begin, end) - neighbours.data();
    });
    forEachVertex([&](size_t v) {
      std::sort(neighbours.data() + begins[v], neighbours.data() + ends[v],
                [&](C a, C b) { return std::pair(degree(a), a) < std::pair(degree(b), b); });
    });
  }

  int64_t vertices() const { return static_cast<int64_t>(ends.size()); }
  int64_t degree(C v) const {
    return ends[static_cast<size_t>(v)] - begins[static_cast<size_t>(v)];
  }
  std::span<const C> neighboursOf(C v) const {
    return std::span(neighbours)
        .subspan(static_cast<size_t>(begins[static_cast<size_t>(v)]),
                 static_cast<size_t>(degree(v)));
  }

private:
  template <typename Body> void forEachVertex(Body body) {
    parallelFor(tbb::blocked_range<size_t>(0, ends.size(), 1024), [&](const auto &r) {
      for (size_t v = r.begin(); v < r.end(); ++v)
        body(v);
    });
  }

  void addEdges(const C *row, const C *column, int64_t count) {
    for (int64_t e = 0; e < count; ++e)
      if (row[e] != column[e]) {
        ++begins[static_cast<size_t>(row[e]) + 1];
        ++begins[static_cast<size_t>(column[e]) + 1];
      }
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    std::copy(begins.begin(), begins.end() - 1, ends.begin());
    neighbours.resize(static_cast<size_t>(begins.back()));
    for (int64_t e = 0; e < count; ++e)
      if (row[e] != column[e]) {
        neighbours[static_cast<size_t>(ends[static_cast<size_t>(row[e])]++)] = column[e];
        neighbours[static_cast<size_t>(ends[static_cast<size_t>(column[e])]++)] = row[e];
      }
  }

  std::vector<int64_t> begins, ends; ///< of each vertex in `neighbours`; gaps may lie between
  std::vector<C> neighbours;
};

template <typename C> class CuthillMcKee {
public:
  explicit CuthillMcKee(const Graph<C> &graph)
      : graph(graph), reachedIn(static_cast<size_t>(graph.vertices()), 0) {}

  /// All vertices, component by component, those of least degree first.
  std::vector<C> run() {
    std::vector<C> starts(reachedIn.size());
    std::iota(starts.begin(), starts.end(), C{0});
    std::ranges::sort(starts, {}, [&](C v) { return std::pair(graph.degree(v), v); });
    order.reserve(starts.size());
    for (C start : starts)
      if (reachedIn[static_cast<size_t>(start)] != last)
        search(peripheralVertex(start), last);
    return std::move(order);
  }

private:
  /// A pseudo-peripheral vertex of the component, by the algorithm of George and Liu: one of least
  /// degree that is as far as possible from the last, until the distance grows no more.
  C peripheralVertex(C root) {
    const size_t begin = order.size();
    for (int64_t depth = -1;;) {
      const Levels found = search(root, ++searches);
      const auto farthest = std::span(order).subspan(found.lastLevel);
      const C next = *std::ranges::min_element(farthest, {}, [&](C v) { return graph.degree(v); });
      order.resize(begin);
      if (found.depth <= depth || found.depth == 0)
        return root;
      depth = found.depth;
      root = next;
    }
  }

  struct Levels {
    int64_t depth = 0;
    size_t lastLevel = 0; ///< where it begins in `order`
  };

  /// Appends the component of a vertex, breadth first, to `order`. `mark` tells this search from
  /// others.
  Levels search(C root, int64_t mark) {
    Levels levels{0, order.size()};
    size_t levelEnd = order.size() + 1;
    reach(root, mark);
    for (size_t at = levels.lastLevel; at < order.size(); ++at) {
      if (at == levelEnd) {
        ++levels.depth;
        levels.lastLevel = at;
        levelEnd = order.size();
      }
      for (C neighbour : graph.neighboursOf(order[at]))
        if (const int64_t seen = reachedIn[static_cast<size_t>(neighbour)];
            seen != mark && seen != last)
          reach(neighbour, mark);
    }
    return levels;
  }

  void reach(C vertex, int64_t mark) {
    reachedIn[static_cast<size_t>(vertex)] = mark;
    order.push_back(vertex);
  }

  static constexpr int64_t last = -1; ///< the mark of the search that orders the component
  const Graph<C> &graph;
  std::vector<int64_t> reachedIn; ///< the mark of the search that came to each vertex last
  std::vector<C> order;
  int64_t searches = 0;
};

} // namespace

Result<Permutations> reverseCuthillMcKee(const Coordinates &matrix) {
  if (matrix.order() != 2)
    return Error{Error::Order,
                 "reverse Cuthill-McKee orders matrices, and this tensor is of order " +
                     std::to_string(matrix.order()),
                 "a square matrix"};
  const std::vector<int64_t> &sizes = matrix.sizes();
  if (sizes[0] != sizes[1])
    return Error{Error::Extent,
                 "reverse Cuthill-McKee orders rows and columns alike, and this matrix "
                 "is " +
                     std::to_string(sizes[0]) + " x " + std::to_string(sizes[1]),
                 "a square matrix"};
  Result<UsedIndices> used = numberUsedIndicesTogether(matrix);
  if (!used)
    return used.takeStatus();
  Permutation permutation{.size = sizes[0]};
  withCoordinateType(used->pattern.coordinateType(), [&]<typename C>(C *) {
    const Graph<C> graph(used->pattern);
    std::vector<C> order = CuthillMcKee<C>(graph).run();
    permutation.leading.reserve(order.size());
    for (auto vertex = order.rbegin(); vertex != order.rend(); ++vertex)
      permutation.leading.push_back(used->indices[0][static_cast<size_t>(*vertex)]);
  });
  return Permutations{permutation, permutation};
}

int64_t bandwidthOf(const Coordinates &matrix) {
  return withCoordinateType(matrix.coordinateType(), [&]<typename C>(C *) {
    const C *row = matrix.column(0).as<C>(), *column = matrix.column(1).as<C>();
    int64_t widest = 0;
    for (int64_t e = 0; e < matrix.count(); ++e)
      widest =
          std::max<int64_t>(widest, row[e] < column[e] ? column[e] - row[e] : row[e] - column[e]);
    return widest;
  });
}

} // namespace strata::runtime
