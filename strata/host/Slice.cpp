// Finds the positions of a slice level by level, and copies the stretches.
//
// A stretch of a buffer of positions begins with 0 again; one of coordinates is copied as it is,
// but those of the first level count from the slice's first one.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/Slice.h"
#include "strata/runtime/CopyBytes.h"
#include "strata/runtime/storage/ValueTypes.h"
#include "strata/runtime/storage/Words.h"

#include <algorithm>

using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::Storage;
using strata::runtime::withWords;

namespace strata::host {

bool hasSlices(const StoredFormat &format, int64_t dim) {
  return format.isPermutation() && format.sorted.empty() && !format.repeats &&
         !format.levels.empty() && format.levels.front().coordinate.input() == dim &&
         format.levels.front().children != Children::OneEach &&
         std::ranges::none_of(format.levels, [](const StoredLevel &level) {
           return level.children == Children::Other;
         });
}

bool differInWidthsAlone(const StoredFormat &one, const StoredFormat &other) {
  auto same = [](const StoredLevel &a, const StoredLevel &b) {
    return a.coordinate.input() == b.coordinate.input() && a.children == b.children;
  };
  return one.element == other.element && one.fill == other.fill && one.full == other.full &&
         std::ranges::equal(one.levels, other.levels, same);
}

static int64_t wordAt(const strata_buffer &buffer, int64_t at) {
  int64_t word = 0;
  withWords(buffer, [&](auto words) { word = int64_t(words[size_t(at)]); });
  return word;
}

// The first place of the buffer's [begin, end), which ascend, that holds `coordinate` or more.
static int64_t lowerBound(const strata_buffer &buffer, int64_t begin, int64_t end,
                          int64_t coordinate) {
  int64_t found = begin;
  withWords(buffer, [&](auto words) {
    auto stretch = words.subspan(size_t(begin), size_t(end - begin));
    auto asSigned = [](auto word) { return int64_t(word); };
    found += std::ranges::lower_bound(stretch, coordinate, {}, asSigned) - stretch.begin();
  });
  return found;
}

// Copies `count` words from place `first` on, each less `subtrahend`, to the begin of a buffer.
static void copyWords(strata_buffer &to, const strata_buffer &from, int64_t first, int64_t count,
                      int64_t subtrahend) {
  withWords(from, [&](auto source) {
    withWords(to, [&](auto target) {
      using Word = typename decltype(target)::value_type;
      for (size_t at = 0; at < size_t(count); ++at)
        target[at] = static_cast<Word>(int64_t(source[size_t(first) + at]) - subtrahend);
    });
  });
}

Slice::Slice(const Storage &from, const StoredFormat &format, int64_t lo, int64_t hi)
    : from(from), format(format), lo(lo) {
  Positions here{0, 1};
  positions.push_back(here);
  int64_t buffer = 0;
  for (const StoredLevel &level : format.levels) {
    const bool isFirst = positions.size() == 1;
    if (level.children == Children::Places) {
      const int64_t places = from.sizes()[size_t(level.coordinate.input())];
      here = isFirst ? Positions{lo, hi} : Positions{here.begin * places, here.end * places};
    } else if (level.children == Children::Lists) {
      const strata_buffer &edges = from.buffer(buffer), &coordinates = from.buffer(buffer + 1);
      here = {wordAt(edges, here.begin), wordAt(edges, here.end)};
      if (isFirst)
        here = {lowerBound(coordinates, here.begin, here.end, lo),
                lowerBound(coordinates, here.begin, here.end, hi)};
    }
    positions.push_back(here);
    buffer += level.buffers;
  }
}

Result<Storage> Slice::copy(std::vector<int64_t> sizes, const StoredFormat &wanted,
                            strata_allocator allocator) const {
  Storage made(std::move(sizes), wanted.buffers, allocator);
  int64_t buffer = 0;
  auto copyInto = [&](int64_t first, int64_t count, int64_t subtrahend) -> Status {
    if (Status room = made.allocate(buffer, count); !room.ok())
      return room;
    copyWords(made.buffer(buffer), from.buffer(buffer), first, count, subtrahend);
    ++buffer;
    return Status();
  };
  for (size_t at = 0; at < format.levels.size(); ++at) {
    const auto [parents, own] = std::pair(positions[at], positions[at + 1]);
    const bool isFirst = at == 0;
    Status copied;
    if (format.levels[at].children == Children::Lists && isFirst) {
      // The only list is not copied from begin to end.
      if (copied = made.allocate(buffer, 2); copied.ok())
        withWords(made.buffer(buffer), [&](auto edges) {
          edges[0] = 0;
          edges[1] = static_cast<typename decltype(edges)::value_type>(own.end - own.begin);
        });
      ++buffer;
    } else if (format.levels[at].children == Children::Lists) {
      copied = copyInto(parents.begin, parents.end - parents.begin + 1, own.begin);
    }
    if (copied.ok() && format.levels[at].children != Children::Places)
      copied = copyInto(own.begin, own.end - own.begin, isFirst ? lo : 0);
    if (!copied.ok())
      return copied;
  }
  if (Status room = made.allocate(buffer, count()); !room.ok())
    return room;
  const auto bytes = int64_t(runtime::valueBytes(format.element));
  runtime::copyBytes(made.values().data,
                     static_cast<const char *>(from.values().data) + positions.back().begin * bytes,
                     size_t(count() * bytes));
  return made;
}

} // namespace strata::host
