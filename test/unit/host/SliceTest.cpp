// Slices of tensors in formats of places, lists and tuples, against their entries one by one.
#include "strata/host/Slice.h"

#include <gtest/gtest.h>
#include <random>

using namespace strata::host;
using strata::runtime::Result;
using strata::runtime::Storage;

namespace {

using Entry = std::pair<std::vector<int64_t>, double>;

// Levels in the order of the dimensions: P for places, L for lists, T for tuples.
StoredFormat formatOf(const std::string &levels, strata_type words) {
  StoredFormat format;
  format.fill.assign(sizeof(double), 0);
  format.full = levels.find_first_not_of('P') == std::string::npos;
  for (size_t at = 0; at < levels.size(); ++at) {
    Affine dim({{Affine::Kind::Input, int64_t(at)}});
    StoredLevel level{.coordinate = dim};
    level.children = levels[at] == 'P'   ? Children::Places
                     : levels[at] == 'L' ? Children::Lists
                                         : Children::OneEach;
    level.buffers = levels[at] == 'P' ? 0 : levels[at] == 'L' ? 2 : 1;
    format.buffers.insert(format.buffers.end(), size_t(level.buffers), words);
    format.levels.push_back(std::move(level));
    format.inverse.push_back(dim);
  }
  format.buffers.push_back(STRATA_F64);
  return format;
}

void put(Storage &storage, int64_t buffer, const std::vector<uint32_t> &words) {
  ASSERT_TRUE(storage.allocate(buffer, int64_t(words.size())).ok());
  std::copy(words.begin(), words.end(), static_cast<uint32_t *>(storage.buffer(buffer).data));
}

// Draws how many children each position has, level by level.
Storage drawn(const StoredFormat &format, const std::vector<int64_t> &sizes, std::mt19937 &draw) {
  Storage storage(sizes, format.buffers);
  int64_t count = 1, buffer = 0;
  for (size_t at = 0; at < sizes.size(); ++at) {
    const Children children = format.levels[at].children;
    if (children == Children::Places) {
      count *= sizes[at];
      continue;
    }
    std::vector<uint32_t> edges{0}, coordinates;
    // A tuple's first coordinate repeats.
    const bool repeats =
        at + 1 < sizes.size() && format.levels[at + 1].children == Children::OneEach;
    for (int64_t parent = 0; parent < count; ++parent) {
      if (children == Children::OneEach) {
        coordinates.push_back(uint32_t(draw() % uint64_t(sizes[at])));
        continue;
      }
      for (int64_t coordinate = 0; coordinate < sizes[at]; ++coordinate)
        for (uint64_t times = draw() % (repeats ? 3 : 2); times > 0; --times)
          coordinates.push_back(uint32_t(coordinate));
      edges.push_back(uint32_t(coordinates.size()));
    }
    if (children == Children::Lists)
      put(storage, buffer++, edges);
    put(storage, buffer++, coordinates);
    count = int64_t(coordinates.size());
  }
  EXPECT_TRUE(storage.allocate(buffer, count).ok());
  for (int64_t at = 0; at < count; ++at)
    static_cast<double *>(storage.values().data)[at] = double(at + 1);
  return storage;
}

int64_t wordOf(const strata_buffer &buffer, int64_t at) {
  EXPECT_LT(at, buffer.count);
  return buffer.type == STRATA_I64 ? static_cast<const int64_t *>(buffer.data)[at]
                                   : static_cast<const uint32_t *>(buffer.data)[at];
}

// Adds the entries below a position.
void list(const Storage &storage, const StoredFormat &format, size_t at, int64_t buffer,
          int64_t position, std::vector<int64_t> &above, std::vector<Entry> &entries) {
  if (at == format.levels.size()) {
    EXPECT_LT(position, storage.values().count);
    entries.emplace_back(above, static_cast<const double *>(storage.values().data)[position]);
    return;
  }
  auto enter = [&](int64_t coordinate, int64_t child) {
    EXPECT_GE(coordinate, 0);
    EXPECT_LT(coordinate, storage.sizes()[at]);
    above.push_back(coordinate);
    list(storage, format, at + 1, buffer + format.levels[at].buffers, child, above, entries);
    above.pop_back();
  };
  switch (format.levels[at].children) {
  case Children::Places:
    for (int64_t place = 0; place < storage.sizes()[at]; ++place)
      enter(place, position * storage.sizes()[at] + place);
    break;
  case Children::Lists: {
    const strata_buffer &edges = storage.buffer(buffer);
    for (int64_t child = wordOf(edges, position); child < wordOf(edges, position + 1); ++child)
      enter(wordOf(storage.buffer(buffer + 1), child), child);
    break;
  }
  default:
    enter(wordOf(storage.buffer(buffer), position), position);
  }
}

std::vector<Entry> entriesOf(const Storage &storage, const StoredFormat &format) {
  std::vector<Entry> entries;
  std::vector<int64_t> above;
  list(storage, format, 0, 0, 0, above, entries);
  return entries;
}

// What lies in [lo, hi) of the first dimension, counted from `lo`.
std::vector<Entry> between(const std::vector<Entry> &all, int64_t lo, int64_t hi) {
  std::vector<Entry> some;
  for (const Entry &entry : all)
    if (entry.first.front() >= lo && entry.first.front() < hi) {
      some.push_back(entry);
      some.back().first.front() -= lo;
    }
  return some;
}

TEST(Slice, HasTheEntriesOfTheInterval) {
  std::mt19937 draw(7);
  for (std::string levels : {"P", "L", "PP", "PL", "LL", "LT", "LP", "PPL", "PLL", "LLL", "LTT",
                             "PLT", "LLP", "LPL", "PLP"})
    for (int64_t size : {0, 1, 5, 9})
      for (strata_type wanted : {STRATA_I32, STRATA_I64}) {
        const StoredFormat format = formatOf(levels, STRATA_I32), other = formatOf(levels, wanted);
        ASSERT_TRUE(hasSlices(format, 0) && !hasSlices(format, 1)) << levels;
        ASSERT_TRUE(differInWidthsAlone(format, other)) << levels;
        std::vector<int64_t> sizes(levels.size(), 4);
        sizes.front() = size;
        const Storage whole = drawn(format, sizes, draw);
        const std::vector<Entry> all = entriesOf(whole, format);
        for (int64_t lo = 0; lo <= size; ++lo)
          for (int64_t hi = lo; hi <= size; ++hi) {
            const Slice slice(whole, format, lo, hi);
            sizes.front() = hi - lo;
            Result<Storage> copy = slice.copy(sizes, other);
            ASSERT_TRUE(bool(copy));
            EXPECT_EQ(copy->values().count, slice.count());
            EXPECT_EQ(entriesOf(*copy, other), between(all, lo, hi))
                << levels << " of " << size << ", [" << lo << ", " << hi << ")";
          }
      }
}

TEST(Slice, IsOfOrderedLevelsAlone) {
  StoredFormat format = formatOf("LL", STRATA_I32);
  format.levels[0].children = Children::Other;
  EXPECT_FALSE(hasSlices(format, 0));
  EXPECT_FALSE(hasSlices(formatOf("TL", STRATA_I32), 0));
  EXPECT_FALSE(differInWidthsAlone(formatOf("PL", STRATA_I32), formatOf("LL", STRATA_I32)));
}

} // namespace
