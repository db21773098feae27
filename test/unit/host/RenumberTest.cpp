// Storages whose coordinates are numbered by lists, against their entries one by one.
#include "strata/host/Renumber.h"

#include "strata/host/Slice.h"
#include "strata/host/View.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace strata::host;
using strata::runtime::Result;
using strata::runtime::Storage;

namespace {

StoredFormat formatOf(const std::string &levels, strata_type words) {
  StoredFormat format;
  format.fill.assign(sizeof(double), 0);
  for (size_t at = 0; at < levels.size(); ++at) {
    Affine dim({{Affine::Kind::Input, int64_t(at)}});
    StoredLevel level{.coordinate = dim};
    level.children = levels[at] == 'P' ? Children::Places : Children::Lists;
    level.buffers = levels[at] == 'P' ? 0 : 2;
    format.buffers.insert(format.buffers.end(), size_t(level.buffers), words);
    format.levels.push_back(std::move(level));
    format.inverse.push_back(dim);
  }
  format.buffers.push_back(STRATA_F64);
  return format;
}

// A matrix by its rows, in places or in a list of those that have entries.
using Rows = std::vector<std::map<int64_t, double>>;

void put(Storage &storage, int64_t buffer, const std::vector<int64_t> &words, int64_t unused) {
  ASSERT_TRUE(storage.allocate(buffer, int64_t(words.size()) + unused).ok());
  const strata_buffer &raw = storage.buffer(buffer);
  for (size_t at = 0; at < words.size() + size_t(unused); ++at) {
    const int64_t word = at < words.size() ? words[at] : 0;
    if (raw.type == STRATA_I64)
      static_cast<int64_t *>(raw.data)[at] = word;
    else
      static_cast<int32_t *>(raw.data)[at] = int32_t(word);
  }
}

// A buffer of coordinates may be longer than what counts of it.
std::shared_ptr<Storage> stored(const Rows &rows, int64_t columns, const std::string &levels,
                                strata_type words, int64_t unused) {
  std::vector<int64_t> listed, edges{0}, coordinates;
  std::vector<double> values;
  for (size_t row = 0; row < rows.size(); ++row) {
    if (levels[0] == 'L' && rows[row].empty())
      continue;
    listed.push_back(int64_t(row));
    for (const auto &[column, value] : rows[row]) {
      coordinates.push_back(column);
      values.push_back(value);
    }
    edges.push_back(int64_t(coordinates.size()));
  }
  auto storage = std::make_shared<Storage>(std::vector<int64_t>{int64_t(rows.size()), columns},
                                           formatOf(levels, words).buffers);
  int64_t buffer = 0;
  if (levels[0] == 'L') {
    put(*storage, buffer++, {0, int64_t(listed.size())}, 0);
    put(*storage, buffer++, listed, unused);
  }
  put(*storage, buffer++, edges, 0);
  put(*storage, buffer++, coordinates, unused);
  EXPECT_TRUE(storage->allocate(buffer, int64_t(values.size())).ok());
  std::ranges::copy(values, static_cast<double *>(storage->values().data));
  return storage;
}

int64_t wordOf(const strata_buffer &buffer, int64_t at) {
  EXPECT_LT(at, buffer.count);
  return buffer.type == STRATA_I64 ? static_cast<const int64_t *>(buffer.data)[at]
                                   : static_cast<const int32_t *>(buffer.data)[at];
}

Rows rowsOf(const Storage &storage, const std::string &levels) {
  Rows rows(size_t(storage.sizes()[0]));
  const int64_t first = levels[0] == 'L' ? 2 : 0;
  const int64_t stored = first ? wordOf(storage.buffer(0), 1) : storage.sizes()[0];
  for (int64_t at = 0; at < stored; ++at) {
    const int64_t row = first ? wordOf(storage.buffer(1), at) : at;
    for (int64_t entry = wordOf(storage.buffer(first), at);
         entry < wordOf(storage.buffer(first), at + 1); ++entry)
      rows[size_t(row)][wordOf(storage.buffer(first + 1), entry)] =
          static_cast<const double *>(storage.values().data)[entry];
  }
  return rows;
}

Rows drawn(int64_t size, int64_t columns, double density, std::mt19937 &draw) {
  Rows rows(static_cast<size_t>(size));
  double value = 0;
  for (auto &row : rows)
    for (int64_t column = 0; column < columns; ++column)
      if (std::uniform_real_distribution<>()(draw) < density)
        row[column] = ++value;
  return rows;
}

std::vector<int64_t> columnsOf(const Rows &rows, int64_t begin) {
  std::vector<int64_t> columns;
  for (const auto &row : rows)
    for (const auto &[column, value] : row)
      columns.push_back(begin + column);
  std::ranges::sort(columns);
  columns.erase(std::ranges::unique(columns).begin(), columns.end());
  return columns;
}

// The same entries, whose columns count from `begin`, at their numbers in a list.
Rows expected(const Rows &rows, const std::vector<int64_t> &list, int64_t begin) {
  Rows numbered(rows.size());
  for (size_t row = 0; row < rows.size(); ++row)
    for (const auto &[column, value] : rows[row])
      numbered[row][std::ranges::lower_bound(list, begin + column) - list.begin()] = value;
  return numbered;
}

void compare(const Rows &rows, int64_t columns, const std::string &levels, strata_type wide,
             std::vector<int64_t> list, int64_t begin) {
  const StoredFormat format = formatOf(levels, STRATA_I32), wanted = formatOf(levels, wide);
  const std::shared_ptr<Storage> whole = stored(rows, columns, levels, STRATA_I32, 3);
  const std::vector<int64_t> dims{1}, first{0, begin},
      sizes{int64_t(rows.size()), int64_t(list.size())};
  const std::vector<CoordinateList> lists{list};
  Result<std::shared_ptr<Storage>> made =
      renumbered(whole, format, first, dims, lists, sizes, wanted);
  ASSERT_TRUE(made && *made) << levels;
  EXPECT_EQ((*made)->sizes(), sizes);
  EXPECT_EQ(rowsOf(**made, levels), expected(rows, list, begin)) << levels;
  ASSERT_EQ(keptBy(*made).size(), 1U);
  EXPECT_EQ(keptBy(*made).front(), whole);
  EXPECT_EQ((*made)->values().data, whole->values().data);
}

TEST(Renumber, GivesTheNumbersOfColumns) {
  std::mt19937 draw(5);
  for (std::string levels : {"PL", "LL"})
    for (int64_t columns : {1, 7, 200, 5000})
      for (double density : {0.0, 0.01, 0.3, 1.0})
        for (int64_t begin : {0, 11}) {
          const Rows rows = drawn(columns > 200 ? 3 : 9, columns, density, draw);
          const auto format = formatOf(levels, STRATA_I32);
          const std::shared_ptr<Storage> whole = stored(rows, columns, levels, STRATA_I32, 3);
          const std::vector<int64_t> own = columnsOf(rows, begin);
          std::vector<int64_t> here = storedCoordinates(*whole, format, 1);
          for (int64_t &column : here)
            column += begin;
          EXPECT_EQ(here, own);
          // Lists of just these columns, of others beside them, and of all.
          std::vector<int64_t> more = own, all(size_t(begin + columns));
          std::iota(all.begin(), all.end(), 0);
          for (int64_t other : {int64_t(3), begin + columns, begin + 3 * columns})
            if (!std::ranges::binary_search(own, other))
              more.push_back(other);
          std::ranges::sort(more);
          for (const std::vector<int64_t> &list : {own, more, all})
            for (strata_type wide : {STRATA_I32, STRATA_I64})
              compare(rows, columns, levels, wide, list, begin);
        }
}

TEST(Renumber, HasNoNumberOfWhatIsNotListed) {
  const Rows rows{{{1, 1.0}, {4, 2.0}}, {{2, 3.0}}};
  const StoredFormat format = formatOf("PL", STRATA_I32);
  const std::shared_ptr<Storage> whole = stored(rows, 5, "PL", STRATA_I32, 0);
  const std::vector<int64_t> dims{1}, first{0, 0};
  for (const std::vector<int64_t> &list :
       {std::vector<int64_t>{}, {1, 2}, {0, 1, 2, 3}, {1, 2, 3}, {2, 4}, {1, 4, 100000}}) {
    const std::vector<CoordinateList> lists{list};
    Result<std::shared_ptr<Storage>> made =
        renumbered(whole, format, first, dims, lists, {2, int64_t(list.size())}, format);
    ASSERT_TRUE(bool(made));
    EXPECT_EQ(*made, nullptr);
  }
}

TEST(Renumber, IsOfStoredCoordinatesAlone) {
  const int64_t row = 0, column = 1;
  EXPECT_TRUE(storesCoordinates(formatOf("PL", STRATA_I32), {&column, 1}));
  EXPECT_FALSE(storesCoordinates(formatOf("PL", STRATA_I32), {&row, 1}));
  EXPECT_TRUE(storesCoordinates(formatOf("LL", STRATA_I32), {&row, 1}));
  StoredFormat repeats = formatOf("LL", STRATA_I32);
  repeats.repeats = true;
  EXPECT_FALSE(storesCoordinates(repeats, {&column, 1}));
}

} // namespace
