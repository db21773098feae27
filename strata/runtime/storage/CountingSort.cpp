// Sorts lists of coordinates by counting.
//
//   entries (i, j)     2 0   0 1   2 1   0 0      counts of i: 2 0 2, so they begin at 0 2 2
//   moved              0 1   0 0   2 0   2 1      in the order of the list below each i
//   sorted below i     0 0   0 1   2 0   2 1
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/storage/CountingSort.h"
#include "strata/runtime/storage/Coordinates.h"

#include <algorithm>
#include <limits>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace strata::runtime {
namespace {

constexpr int64_t grain = int64_t{1} << 15;

template <typename Body> void inParallel(int64_t count, int64_t least, Body body) {
  tbb::parallel_for(tbb::blocked_range<int64_t>(0, count, least),
                    [&](const tbb::blocked_range<int64_t> &r) { body(r.begin(), r.end()); });
}

/// What of an entry is compared within one coordinate of the first dimension: the others, as the
/// digits of one word.
struct Key {
  std::vector<int> shifts; ///< of the columns, the least significant last
  template <typename C> uint64_t of(std::span<C *const> columns, int64_t entry) const {
    uint64_t key = 0;
    for (size_t k = 0; k < columns.size(); ++k)
      key = key << shifts[k] | static_cast<uint64_t>(columns[k][entry]);
    return key;
  }
};

template <typename C, typename V> class CountingSort {
public:
  CountingSort(std::vector<Buffer> &columns, Buffer &values, std::span<const int64_t> sizes,
               std::span<const int> order)
      : columns(columns), values(values), order(order.begin(), order.end()),
        rows(sizes[static_cast<size_t>(order[0])]), count(values.count()) {
    for (int dimension : order.subspan(1))
      key.shifts.push_back(bitsFor(sizes[static_cast<size_t>(dimension)]));
  }

  bool run() {
    if (!allocate())
      return false;
    countRows();
    placeRows();
    moveEntries();
    sortRows();
    for (size_t k = 1; k < order.size(); ++k)
      columns[static_cast<size_t>(order[k])] = std::move(movedColumns[k - 1]);
    values = std::move(movedValues);
    return true;
  }

private:
  bool allocate() {
    // Each block of the list counts on its own; more blocks than memory for counts is worth do not
    // help.
    const int64_t most = std::clamp<int64_t>(2 * count / std::max<int64_t>(rows, 1), 1, 64);
    const int64_t threads = tbb::this_task_arena::max_concurrency();
    blocks = std::clamp<int64_t>(count / grain, 1, std::min(threads, most));
    Result<Buffer> counts = Buffer::allocate(STRATA_I64, blocks * rows);
    Result<Buffer> first = Buffer::allocate(STRATA_I64, rows + 1);
    Result<Buffer> moved = Buffer::allocate(values.type(), count);
    if (!counts || !first || !moved)
      return false;
    for (size_t k = 1; k < order.size(); ++k) {
      Result<Buffer> column =
          Buffer::allocate(columns[static_cast<size_t>(order[k])].type(), count);
      if (!column)
        return false;
      movedColumns.push_back(std::move(*column));
    }
    countBuffer = std::move(*counts);
    firstBuffer = std::move(*first);
    movedValues = std::move(*moved);
    return true;
  }

  C *leading() const { return columns[static_cast<size_t>(order[0])].template as<C>(); }
  int64_t *countsOf(int64_t block) { return countBuffer.as<int64_t>() + block * rows; }
  std::pair<int64_t, int64_t> blockRange(int64_t block) const {
    return {block * count / blocks, (block + 1) * count / blocks};
  }

  void countRows() {
    const C *row = leading();
    tbb::parallel_for(int64_t{0}, blocks, [&](int64_t block) {
      int64_t *counts = countsOf(block);
      std::fill_n(counts, rows, 0);
      auto [begin, end] = blockRange(block);
      for (int64_t entry = begin; entry < end; ++entry)
        ++counts[row[entry]];
    });
  }

  // From counts to the places where the entries of each row and block begin.
  void placeRows() {
    int64_t *first = firstBuffer.as<int64_t>(), total = 0;
    for (int64_t row = 0; row < rows; ++row) {
      first[row] = total;
      for (int64_t block = 0; block < blocks; ++block)
        total += std::exchange(countsOf(block)[row], total);
    }
    first[rows] = total;
  }

  void moveEntries() {
    const C *row = leading();
    std::vector<const C *> from;
    std::vector<C *> to;
    for (size_t k = 1; k < order.size(); ++k) {
      from.push_back(columns[static_cast<size_t>(order[k])].template as<C>());
      to.push_back(movedColumns[k - 1].template as<C>());
    }
    const V *value = values.as<V>();
    V *movedValue = movedValues.as<V>();
    tbb::parallel_for(int64_t{0}, blocks, [&](int64_t block) {
      int64_t *next = countsOf(block);
      auto [begin, end] = blockRange(block);
      for (int64_t entry = begin; entry < end; ++entry) {
        const int64_t place = next[row[entry]]++;
        for (size_t k = 0; k < from.size(); ++k)
          to[k][place] = from[k][entry];
        movedValue[place] = value[entry];
      }
    });
  }

  // Orders what lies in each row, and writes the rows' own coordinates.
  void sortRows() {
    const int64_t *first = firstBuffer.as<int64_t>();
    C *row = leading();
    const int64_t rowsAtOnce = std::max<int64_t>(1, rows * grain / std::max<int64_t>(count, 1));
    inParallel(rows, rowsAtOnce, [&](int64_t begin, int64_t end) {
      std::vector<C *> moved;
      for (Buffer &column : movedColumns)
        moved.push_back(column.as<C>());
      std::vector<std::pair<uint64_t, int64_t>> keys;
      for (int64_t r = begin; r < end; ++r) {
        std::fill(row + first[r], row + first[r + 1], static_cast<C>(r));
        sortRow(moved, first[r], first[r + 1], keys);
      }
    });
  }

  void sortRow(std::span<C *const> moved, int64_t begin, int64_t end,
               std::vector<std::pair<uint64_t, int64_t>> &keys) {
    bool sorted = true;
    uint64_t before = 0;
    for (int64_t entry = begin; entry < end && sorted; ++entry) {
      const uint64_t here = key.of(moved, entry);
      sorted = before <= here;
      before = here;
    }
    if (sorted)
      return;
    keys.clear();
    for (int64_t entry = begin; entry < end; ++entry)
      keys.emplace_back(key.of(moved, entry), entry);
    std::sort(keys.begin(), keys.end());
    for (C *column : moved)
      permute(column, begin, keys);
    permute(movedValues.as<V>(), begin, keys);
  }

  template <typename T>
  static void permute(T *data, int64_t begin,
                      const std::vector<std::pair<uint64_t, int64_t>> &keys) {
    thread_local std::vector<T> copy;
    copy.assign(data + begin, data + begin + int64_t(keys.size()));
    for (size_t at = 0; at < keys.size(); ++at)
      data[begin + int64_t(at)] = copy[size_t(keys[at].second - begin)];
  }

  std::vector<Buffer> &columns;
  Buffer &values;
  std::vector<int> order;
  int64_t rows, count, blocks = 1;
  Key key;
  Buffer countBuffer, firstBuffer, movedValues;
  std::vector<Buffer> movedColumns; ///< of all dimensions but the first
};

} // namespace

bool canSortByCounting(std::span<const int64_t> sizes, std::span<const int> order, int64_t count) {
  if (order.empty() || sizes[static_cast<size_t>(order[0])] > count)
    return false;
  int bits = 0;
  for (int dimension : order.subspan(1))
    bits += bitsFor(sizes[static_cast<size_t>(dimension)]);
  return bits < 64;
}

bool sortByCounting(std::vector<Buffer> &columns, Buffer &values, std::span<const int64_t> sizes,
                    std::span<const int> order) {
  const strata_type width = columns.front().type();
  return withCoordinateType(width, [&]<typename C>(C *) {
    return withValueType(values.type(), [&]<typename V>(V *) {
      return CountingSort<C, V>(columns, values, sizes, order).run();
    });
  });
}

} // namespace strata::runtime
