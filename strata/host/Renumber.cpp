// Marks coordinates in a set of bits, and translates buffers by tables.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/Renumber.h"

#include "strata/host/Slice.h"
#include "strata/host/View.h"
#include "strata/runtime/CopyBytes.h"
#include "strata/runtime/storage/Words.h"

#include <algorithm>
#include <bit>

using strata::runtime::Coordinates;
using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::Storage;
using strata::runtime::withWords;

namespace strata::host {

//===------------------------------------------------------------------------------------------===//
// Lists
//===------------------------------------------------------------------------------------------===//

// The coordinates in ascending order, each once: by a bit for each that there may be, unless the
// given ones take less room.
template <typename Word>
static std::vector<int64_t> differentOnes(std::span<const Word> coordinates, int64_t size) {
  std::vector<int64_t> different;
  if (size > 64 * int64_t(coordinates.size())) {
    different.assign(coordinates.begin(), coordinates.end());
    std::sort(different.begin(), different.end());
    different.erase(std::unique(different.begin(), different.end()), different.end());
    return different;
  }
  std::vector<uint64_t> marks(size_t(size + 63) / 64);
  for (Word coordinate : coordinates) {
    uint64_t &mark = marks[size_t(coordinate) / 64];
    const uint64_t bit = uint64_t(1) << (size_t(coordinate) % 64);
    // What is marked is not written again, so that the next look need not wait for it.
    if ((mark & bit) == 0)
      mark |= bit;
  }
  int64_t count = 0;
  for (uint64_t mark : marks)
    count += std::popcount(mark);
  different.resize(size_t(count));
  int64_t *to = different.data();
  for (size_t at = 0; at < marks.size(); ++at)
    for (uint64_t left = marks[at]; left != 0; left &= left - 1)
      *to++ = int64_t(64 * at) + std::countr_zero(left);
  return different;
}

std::vector<int64_t> differentCoordinates(const Coordinates &entries, int64_t dim, int64_t size) {
  std::vector<int64_t> different;
  runtime::withCoordinateType(entries.coordinateType(), [&]<typename C>(C *) {
    const std::span<const C> column(entries.column(int(dim)).as<C>(), size_t(entries.count()));
    different = differentOnes(column, size);
  });
  return different;
}

//===------------------------------------------------------------------------------------------===//
// Numbers
//===------------------------------------------------------------------------------------------===//

NumbersIn::NumbersIn(CoordinateList list, int64_t finds) : list(list) {
  if (list.empty())
    return;
  first = list.front();
  extent = uint64_t(list.back() - first) + 1;
  interval = extent == list.size();
  if (interval || extent > uint64_t(4 * finds + 64) || list.size() > INT32_MAX)
    return;
  table.assign(size_t(extent), -1);
  for (size_t number = 0; number < list.size(); ++number)
    table[size_t(list[number] - first)] = int32_t(number);
}

int64_t NumbersIn::search(int64_t coordinate) const {
  const auto found = std::lower_bound(list.begin(), list.end(), coordinate);
  return *found == coordinate ? found - list.begin() : -1;
}

//===------------------------------------------------------------------------------------------===//
// Storages
//===------------------------------------------------------------------------------------------===//

namespace {

// Where the coordinates of a level lie.
struct LevelCoordinates {
  int64_t dim;
  int64_t buffer; // -1: nowhere
  int64_t count;
};

} // namespace

// The levels of a storage. A buffer may be longer than what counts of it.
static std::vector<LevelCoordinates> coordinatesOf(const Storage &storage,
                                                   const StoredFormat &format) {
  std::vector<LevelCoordinates> levels;
  int64_t positions = 1, buffer = 0;
  for (const StoredLevel &level : format.levels) {
    const int64_t dim = level.coordinate.input();
    if (level.children == Children::Places)
      positions *= storage.sizes()[size_t(dim)];
    else if (level.children == Children::Lists)
      withWords(storage.buffer(buffer),
                [&](auto edges) { positions = int64_t(edges[size_t(positions)]); });
    buffer += level.buffers;
    levels.push_back({dim, level.children == Children::Places ? -1 : buffer - 1, positions});
  }
  return levels;
}

bool storesCoordinates(const StoredFormat &format, std::span<const int64_t> dims) {
  if (format.levels.empty() || !hasSlices(format, format.levels.front().coordinate.input()))
    return false;
  return std::ranges::none_of(format.levels, [&](const StoredLevel &level) {
    return level.children == Children::Places &&
           std::ranges::find(dims, level.coordinate.input()) != dims.end();
  });
}

std::vector<int64_t> storedCoordinates(const Storage &storage, const StoredFormat &format,
                                       int64_t dim) {
  std::vector<int64_t> different;
  for (const LevelCoordinates &level : coordinatesOf(storage, format))
    if (level.dim == dim)
      withWords(storage.buffer(level.buffer), [&]<typename Word>(std::span<Word> words) {
        const std::span<const Word> stored = words.first(size_t(level.count));
        different = differentOnes(stored, storage.sizes()[size_t(dim)]);
      });
  return different;
}

// Writes the numbers of coordinates, which count from `first`. Returns false where one has none.
static bool writeNumbers(const NumbersIn &numbers, const strata_buffer &from, int64_t first,
                         strata_buffer &to) {
  bool areListed = true;
  withWords(from, [&](auto coordinates) {
    withWords(to, [&]<typename Word>(std::span<Word> found) {
      auto write = [&](auto numberOf) {
        for (size_t at = 0; at < found.size(); ++at) {
          const int64_t number = numberOf(first + int64_t(coordinates[at]));
          areListed &= number >= 0;
          found[at] = static_cast<Word>(number);
        }
      };
      if (numbers.isInterval())
        write([&](int64_t coordinate) { return numbers.inInterval(coordinate); });
      else
        write(numbers);
    });
  });
  return areListed;
}

// Tells whether the first `count` coordinates are their own numbers.
static bool areNumbers(const NumbersIn &numbers, const strata_buffer &buffer, int64_t count) {
  uint64_t most = 0;
  withWords(buffer, [&](auto coordinates) {
    for (uint64_t coordinate : coordinates.first(size_t(count)))
      most = std::max(most, coordinate);
  });
  return count == 0 || (numbers.isInterval() && numbers(0) == 0 && numbers(int64_t(most)) >= 0);
}

static void copyWords(const strata_buffer &from, strata_buffer &to) {
  withWords(from, [&](auto source) {
    withWords(to, [&]<typename Word>(std::span<Word> target) {
      std::transform(source.begin(), source.begin() + ptrdiff_t(target.size()), target.begin(),
                     [](auto word) { return static_cast<Word>(word); });
    });
  });
}

Result<std::shared_ptr<Storage>>
renumbered(const std::shared_ptr<Storage> &from, const StoredFormat &format,
           std::span<const int64_t> first, std::span<const int64_t> dims,
           std::span<const CoordinateList> lists, std::vector<int64_t> sizes,
           const StoredFormat &wanted) {
  std::shared_ptr<Storage> made = keeping(Storage(std::move(sizes), wanted.buffers), {from});
  const std::vector<LevelCoordinates> levels = coordinatesOf(*from, format);
  for (int64_t at = 0; at < made->bufferCount(); ++at) {
    strata_buffer &old = from->buffer(at);
    const auto level = std::ranges::find(levels, at, &LevelCoordinates::buffer);
    const int64_t count = level == levels.end() ? old.count : level->count;
    const auto listed = level == levels.end() ? dims.end() : std::ranges::find(dims, level->dim);
    const auto wide = static_cast<strata_type>(made->buffer(at).type);
    std::optional<NumbersIn> numbers;
    if (listed != dims.end()) {
      numbers.emplace(lists[size_t(listed - dims.begin())], count);
      if (first[size_t(*listed)] == 0 && areNumbers(*numbers, old, count))
        numbers.reset();
    }
    if (!numbers && wide == old.type) {
      made->adopt(at, old.data, count, wide);
      continue;
    }
    if (Status room = made->allocate(at, count); !room.ok())
      return room;
    if (!numbers)
      copyWords(old, made->buffer(at));
    else if (!writeNumbers(*numbers, old, first[size_t(*listed)], made->buffer(at)))
      return std::shared_ptr<Storage>();
  }
  return made;
}

} // namespace strata::host
