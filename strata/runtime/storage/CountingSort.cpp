// Sorts lists of coordinates by counting, twice: into parts of neighbouring rows, each of which
// fits a cache, and then each part by its rows. At once, every entry would go to a line of its own.
//
//   entries (i, j)     5 0   2 1   4 1   0 1   2 0   5 2      rows 0 to 3, and 4 and 5
//   moved to parts     2 1   0 1   2 0 | 5 0   4 1   5 2      in the order of the list in each
//   words of the rows  1:1   1:0   0:2 | 1:1   0:0   2:2      column and place in the part
//   in order           1:1   0:2   1:0 | 1:1   0:0   2:2
//   moved back         0 1   2 0   2 1 | 4 1   5 0   5 2
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/storage/CountingSort.h"
#include "strata/runtime/Parallel.h"
#include "strata/runtime/storage/Coordinates.h"

#include <algorithm>
#include <numeric>

namespace strata::runtime {
namespace {

/// The arrays of a list of entries: the columns in the order of sorting, and the values.
template <typename C, typename V> struct Entries {
  std::vector<C *> columns;
  V *values;

  void copy(const Entries &from, int64_t entry, int64_t place) const {
    for (size_t k = 0; k < columns.size(); ++k)
      columns[k][place] = from.columns[k][entry];
    values[place] = from.values[entry];
  }
};

template <typename C, typename V> class CountingSort {
public:
  CountingSort(std::vector<Buffer> &columns, Buffer &values, std::span<const int64_t> sizes,
               std::span<const int> order)
      : rows(sizes[static_cast<size_t>(order[0])]), count(values.count()) {
    for (int dimension : order) {
      list.columns.push_back(columns[static_cast<size_t>(dimension)].template as<C>());
      bits.push_back(bitsFor(sizes[static_cast<size_t>(dimension)]));
    }
    bits[0] = 0; // rows are counted
    list.values = static_cast<V *>(values.data());
    const int wanted = bitsFor(std::clamp<int64_t>(count / entriesOfPart, 1, mostParts));
    shift = std::max(bitsFor(rows) - wanted, 0);
    parts = ((rows - 1) >> shift) + 1;
  }

  /// False, and nothing moved, if there is not enough memory.
  bool run(strata_type coordinate, strata_type value) {
    if (!allocate(coordinate, value))
      return false;
    moveToParts();
    parallelFor(int64_t{0}, parts, [&](int64_t part) {
      const int64_t begin = begins[static_cast<size_t>(part)];
      const int64_t end = begins[static_cast<size_t>(part) + 1];
      if (std::accumulate(bits.begin(), bits.end(), bitsFor(end - begin)) <= 64)
        sortPart<uint64_t>(part << shift, begin, end);
      else
        sortPart<unsigned __int128>(part << shift, begin, end);
    });
    return true;
  }

private:
  static constexpr int64_t entriesOfPart = int64_t{1} << 14, mostParts = 256;

  bool allocate(strata_type coordinate, strata_type value) {
    for (size_t k = 0; k <= list.columns.size(); ++k) {
      Result<Buffer> buffer = Buffer::allocate(k < list.columns.size() ? coordinate : value, count);
      if (!buffer)
        return false;
      memory.push_back(std::move(*buffer));
    }
    for (size_t k = 0; k < list.columns.size(); ++k)
      moved.columns.push_back(memory[k].template as<C>());
    moved.values = static_cast<V *>(memory.back().data());
    return true;
  }

  // Each block of the list is counted and moved on its own, behind those before it.
  void moveToParts() {
    const int64_t threads = threadCount();
    const int64_t blocks = std::clamp<int64_t>(count / sortGrain, 1, threads);
    std::vector<std::vector<int64_t>> counts(static_cast<size_t>(blocks),
                                             std::vector<int64_t>(static_cast<size_t>(parts)));
    auto inBlock = [&](int64_t block, auto body) {
      std::vector<int64_t> &mine = counts[static_cast<size_t>(block)];
      const int64_t end = (block + 1) * count / blocks;
      for (int64_t entry = block * count / blocks; entry < end; ++entry)
        body(entry, mine[static_cast<size_t>(list.columns[0][entry] >> shift)]);
    };
    parallelFor(int64_t{0}, blocks,
                [&](int64_t block) { inBlock(block, [](int64_t, int64_t &number) { ++number; }); });
    int64_t total = 0;
    for (size_t part = 0; part < static_cast<size_t>(parts); ++part) {
      begins.push_back(total);
      for (std::vector<int64_t> &block : counts)
        total += std::exchange(block[part], total);
    }
    begins.push_back(total);
    parallelFor(int64_t{0}, blocks, [&](int64_t block) {
      inBlock(block, [&](int64_t entry, int64_t &next) { moved.copy(list, entry, next++); });
    });
  }

  // From `moved` back to the list, in the order of rows, and of the other coordinates in each. The
  // places in the part, in the low bits of words, keep entries at one place in their order.
  template <typename Word> void sortPart(int64_t firstRow, int64_t begin, int64_t end) {
    const int64_t rowsHere = std::min(rows - firstRow, int64_t{1} << shift);
    const int placeBits = bitsFor(end - begin);
    std::vector<int64_t> next(static_cast<size_t>(rowsHere));
    auto nextOf = [&](int64_t entry) -> int64_t & {
      return next[static_cast<size_t>(moved.columns[0][entry] - firstRow)];
    };
    for (int64_t entry = begin; entry < end; ++entry)
      ++nextOf(entry);
    int64_t total = 0;
    for (int64_t &number : next)
      total += std::exchange(number, total);
    std::vector<Word> words(static_cast<size_t>(end - begin));
    for (int64_t entry = begin; entry < end; ++entry)
      words[static_cast<size_t>(nextOf(entry)++)] =
          Word{keyOf(entry)} << placeBits | static_cast<Word>(entry - begin);
    // Where the next one began, each row ends now.
    for (Word *row = words.data(); const int64_t last : next)
      sortWords(std::exchange(row, words.data() + last), words.data() + last);
    const Word mask = (Word{1} << placeBits) - 1;
    for (int64_t entry = begin; const Word word : words)
      list.copy(moved, begin + static_cast<int64_t>(word & mask), entry++);
  }

  // All coordinates but the row's.
  uint64_t keyOf(int64_t entry) const {
    uint64_t key = 0;
    for (size_t k = 1; k < bits.size(); ++k)
      key = key << bits[k] | static_cast<uint64_t>(moved.columns[k][entry]);
    return key;
  }

  int64_t rows, count, parts = 1;
  int shift = 0;         ///< a row's bits from there on are its part
  std::vector<int> bits; ///< that the columns take in a word
  Entries<C, V> list, moved;
  std::vector<Buffer> memory;  ///< of `moved`
  std::vector<int64_t> begins; ///< of parts, and the end
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
    return withValueBytes(values.type(), [&]<typename V>(V *) {
      return CountingSort<C, V>(columns, values, sizes, order).run(width, values.type());
    });
  });
}

} // namespace strata::runtime
