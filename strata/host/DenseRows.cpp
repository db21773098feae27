// Copies stretches of rows whole, and rows that lie apart by loops over their numbers.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/DenseRows.h"

#include "strata/runtime/CopyBytes.h"
#include "strata/runtime/storage/ValueTypes.h"

#include <cstring>

namespace strata::host {

std::optional<DenseRows> DenseRows::of(const StoredFormat &format, const runtime::Storage &storage,
                                       int64_t dim) {
  if (!format.isArray())
    return std::nullopt;
  int64_t runs = 1, bytes = int64_t(runtime::valueBytes(format.element));
  bool isInside = false;
  for (const StoredLevel &level : format.levels) {
    const int64_t stored = level.coordinate.input();
    if (stored == dim)
      isInside = true;
    else
      (isInside ? bytes : runs) *= storage.sizes()[size_t(stored)];
  }
  return DenseRows{static_cast<char *>(storage.values().data), runs, storage.sizes()[size_t(dim)],
                   bytes};
}

//===------------------------------------------------------------------------------------------===//
// Numbers of rows
//===------------------------------------------------------------------------------------------===//

/// To copy fewer rows than this at a time takes longer than to look up the number of each.
static constexpr int64_t shortest = 16;

void RowNumbers::add(int64_t row) {
  ++total;
  if (stretches.empty()) {
    stretches.push_back({row, 1});
    ascending = 1;
    return;
  }
  Stretch &last = stretches.back();
  const int64_t before = last.rows.empty() ? last.row + last.count - 1 : last.rows.back();
  ascending = row == before + 1 ? ascending + 1 : 1;
  if (!last.rows.empty() || (ascending == 1 && last.count < shortest))
    addOneByOne(last, row);
  else if (ascending > 1)
    ++last.count;
  else
    stretches.push_back({row, 1});
}

// Of rows that come one by one, those that lie one behind the other are a stretch once they are
// many.
void RowNumbers::addOneByOne(Stretch &last, int64_t row) {
  if (last.rows.empty())
    for (int64_t number = 0; number < last.count; ++number)
      last.rows.push_back(last.row + number);
  last.rows.push_back(row);
  if (ascending < shortest)
    return;
  last.rows.resize(last.rows.size() - size_t(ascending));
  const Stretch longer{row - ascending + 1, ascending};
  if (last.rows.empty())
    last = longer;
  else
    stretches.push_back(longer);
}

std::optional<int64_t> RowNumbers::interval() const {
  const bool isOne = stretches.size() == 1 && stretches.front().rows.empty();
  return isOne ? std::optional(stretches.front().row) : std::nullopt;
}

void copyRows(const DenseRows &from, int64_t row, const DenseRows &to, int64_t at, int64_t count) {
  const bool areWhole = from.rowStride == from.bytes && to.rowStride == to.bytes;
  const int64_t times = areWhole ? 1 : count, rows = areWhole ? count : 1;
  for (int64_t run = 0; run < from.runs; ++run)
    for (int64_t one = 0; one < times; ++one)
      runtime::copyBytes(to.run(run, at + one), from.run(run, row + one),
                         size_t(rows * from.bytes));
}

template <int64_t bytes>
static void copyNumbered(const char *from, int64_t fromStride, const std::vector<int64_t> &rows,
                         char *to, int64_t toStride) {
  for (int64_t row : rows) {
    std::memcpy(to, from + row * fromStride, size_t(bytes));
    to += toStride;
  }
}

static void copyEach(const DenseRows &from, const std::vector<int64_t> &rows, const DenseRows &to,
                     int64_t at) {
  for (int64_t run = 0; run < from.runs; ++run) {
    const char *source = from.run(run, 0);
    char *target = to.run(run, at);
    switch (from.bytes) {
    case 4:
      copyNumbered<4>(source, from.rowStride, rows, target, to.rowStride);
      break;
    case 8:
      copyNumbered<8>(source, from.rowStride, rows, target, to.rowStride);
      break;
    case 16:
      copyNumbered<16>(source, from.rowStride, rows, target, to.rowStride);
      break;
    default:
      for (int64_t row : rows) {
        runtime::copyBytes(target, source + row * from.rowStride, size_t(from.bytes));
        target += to.rowStride;
      }
    }
  }
}

int64_t RowNumbers::copy(const DenseRows &from, const DenseRows &to, int64_t at) const {
  int64_t copied = 0;
  for (const Stretch &stretch : stretches) {
    const int64_t count = stretch.rows.empty() ? stretch.count : int64_t(stretch.rows.size());
    const bool isInterval = stretch.rows.empty();
    const bool liesThere =
        isInterval && from.runs == 1 && from.run(0, stretch.row) == to.run(0, at);
    if (!isInterval)
      copyEach(from, stretch.rows, to, at);
    else if (!liesThere)
      copyRows(from, stretch.row, to, at, count);
    copied += liesThere ? 0 : count * from.rowBytes();
    at += count;
  }
  return copied;
}

} // namespace strata::host
