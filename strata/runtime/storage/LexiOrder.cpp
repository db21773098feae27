// Lexi-Order: lexicographic sorts of the indices of one dimension after the other.
//
// The columns of the pattern hold where the index of each entry stands at present. So they are
// changed when an order is found, and sorting the entries by the other dimensions sorts the columns
// of the next matrix.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/storage/Reorder.h"
#include "strata/runtime/storage/UsedIndices.h"

#include <algorithm>
#include <numeric>

namespace strata::runtime {
namespace {

/// A partition of numbers into blocks, which stand in an order; a block is split when only some of
/// its elements are in a set, and the part in the set goes before the other.
template <typename C> class PartitionRefinement {
public:
  /// All in one block.
  explicit PartitionRefinement(size_t count)
      : blockOf(count, 0), blocks{{.elements = static_cast<int64_t>(count)}} {}

  /// Tells the elements of one set, and none twice.
  void beginSet() { ++set; }
  void put(C element) {
    C &mine = blockOf[static_cast<size_t>(element)];
    const C from = mine;
    if (at(from).splitBy != set) {
      at(from).splitBy = set;
      at(from).part = insertBefore(from);
    }
    mine = at(from).part;
    ++at(mine).elements;
    if (--at(from).elements == 0)
      remove(from);
  }

  /// Where each element stands once the blocks are arranged; those of one block keep their order.
  std::vector<C> positions() const {
    std::vector<C> next(blocks.size());
    int64_t begin = 0;
    for (C block = first; block != none; block = blocks[static_cast<size_t>(block)].after) {
      next[static_cast<size_t>(block)] = static_cast<C>(begin);
      begin += blocks[static_cast<size_t>(block)].elements;
    }
    std::vector<C> result;
    result.reserve(blockOf.size());
    for (C block : blockOf)
      result.push_back(next[static_cast<size_t>(block)]++);
    return result;
  }

private:
  static constexpr C none = -1;
  struct Block {
    int64_t elements = 0;
    int64_t splitBy = -1; ///< the set that split it last
    C part = none;        ///< the block of its elements in that set
    C before = none, after = none;
  };

  Block &at(C block) { return blocks[static_cast<size_t>(block)]; }

  C insertBefore(C block) {
    C made = free;
    if (made == none) {
      made = static_cast<C>(blocks.size());
      blocks.emplace_back();
    } else {
      free = at(made).after;
    }
    const C before = at(block).before;
    at(made) = {.before = before, .after = block};
    at(block).before = made;
    (before == none ? first : at(before).after) = made;
    return made;
  }

  void remove(C block) {
    const C before = at(block).before, after = at(block).after;
    (before == none ? first : at(before).after) = after;
    if (after != none)
      at(after).before = before;
    at(block).after = free;
    free = block;
  }

  std::vector<C> blockOf;
  std::vector<Block> blocks;
  C first = 0, free = none; ///< in use; removed ones
  int64_t set = -1;
};

template <typename C> class LexiSorter {
public:
  explicit LexiSorter(UsedIndices &used) : used(used) {
    for (const std::vector<int64_t> &indices : used.indices) {
      positions.emplace_back(indices.size());
      std::iota(positions.back().begin(), positions.back().end(), C{0});
    }
  }

  /// Orders one dimension by the present orders of the others. Gives whether anything moved.
  Result<bool> orderDimension(int dimension) {
    std::vector<int> others;
    for (int d = 0; d < used.pattern.order(); ++d)
      if (d != dimension)
        others.push_back(d);
    if (Status sorted = used.pattern.sort(others); !sorted.ok())
      return sorted;
    const std::vector<C> moved = refine(dimension, others);
    if (std::ranges::is_sorted(moved))
      return false;
    C *column = used.pattern.column(dimension).template as<C>();
    for (int64_t e = 0; e < used.pattern.count(); ++e)
      column[e] = moved[static_cast<size_t>(column[e])];
    for (C &position : positions[static_cast<size_t>(dimension)])
      position = moved[static_cast<size_t>(position)];
    return true;
  }

  Permutation permutationOf(int dimension, int64_t size) const {
    const std::vector<int64_t> &indices = used.indices[static_cast<size_t>(dimension)];
    Permutation result{.size = size, .leading = std::vector<int64_t>(indices.size())};
    for (size_t n = 0; n < indices.size(); ++n) {
      const C position = positions[static_cast<size_t>(dimension)][n];
      result.leading[static_cast<size_t>(position)] = indices[n];
    }
    return result;
  }

private:
  std::vector<C> refine(int dimension, const std::vector<int> &others) const {
    const C *column = used.pattern.column(dimension).template as<C>();
    std::vector<const C *> rest;
    for (int d : others)
      rest.push_back(used.pattern.column(d).template as<C>());
    PartitionRefinement<C> partition(used.indices[static_cast<size_t>(dimension)].size());
    for (int64_t e = 0; e < used.pattern.count(); ++e) {
      const bool sameSet =
          e > 0 && std::ranges::all_of(rest, [e](const C *at) { return at[e] == at[e - 1]; });
      if (!sameSet)
        partition.beginSet();
      else if (column[e] == column[e - 1])
        continue;
      partition.put(column[e]);
    }
    return partition.positions();
  }

  UsedIndices &used;
  std::vector<std::vector<C>> positions; ///< of the numbers of each dimension
};

} // namespace

template <typename C>
static Result<LexiOrder> iterate(UsedIndices &used, const std::vector<int64_t> &sizes,
                                 std::span<const int> dimensions, int64_t iterations) {
  LexiSorter<C> sorter(used);
  LexiOrder result;
  for (bool moved = true; moved && result.iterations < iterations; ++result.iterations) {
    moved = false;
    for (int d : dimensions) {
      Result<bool> changed = sorter.orderDimension(d);
      if (!changed)
        return changed.takeStatus();
      moved |= *changed;
    }
  }
  for (size_t d = 0; d < sizes.size(); ++d)
    if (std::ranges::find(dimensions, static_cast<int>(d)) != dimensions.end())
      result.permutations.push_back(sorter.permutationOf(static_cast<int>(d), sizes[d]));
    else
      result.permutations.push_back({.size = sizes[d]});
  return result;
}

Result<LexiOrder> lexiOrder(const Coordinates &list, std::span<const int> dimensions,
                            int64_t iterations) {
  Result<UsedIndices> used = numberUsedIndices(list);
  if (!used)
    return used.takeStatus();
  return withCoordinateType(used->pattern.coordinateType(), [&]<typename C>(C *) {
    return iterate<C>(*used, list.sizes(), dimensions, iterations);
  });
}

} // namespace strata::runtime
