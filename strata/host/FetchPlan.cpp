// Finds rows, sends them, and puts them in their places.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/FetchPlan.h"

#include "strata/runtime/CopyBytes.h"
#include "strata/runtime/storage/ValueTypes.h"

#include <algorithm>
#include <numeric>

using strata::runtime::Coordinates;
using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::dist::RowExchange;
using strata::runtime::dist::World;

namespace strata::host {

//===------------------------------------------------------------------------------------------===//
// Rows of dense tensors, entries of others
//===------------------------------------------------------------------------------------------===//

std::optional<DenseRows> DenseRows::of(const StoredFormat &format, const runtime::Storage &storage,
                                       int64_t dim) {
  if (!format.isArray())
    return std::nullopt;
  DenseRows rows{static_cast<char *>(storage.values().data), 1, storage.sizes()[size_t(dim)],
                 int64_t(runtime::valueBytes(format.element))};
  bool isInside = false;
  for (const StoredLevel &level : format.levels) {
    const int64_t stored = level.coordinate.input();
    if (stored == dim)
      isInside = true;
    else
      (isInside ? rows.bytes : rows.runs) *= storage.sizes()[size_t(stored)];
  }
  return rows;
}

// Copies rows that lie one behind the other.
static void copyRows(const DenseRows &from, int64_t row, const DenseRows &to, int64_t at,
                     int64_t count) {
  for (int64_t run = 0; run < from.runs; ++run)
    runtime::copyBytes(to.run(run, at), from.run(run, row), size_t(count * from.bytes));
}

// A row alone, as it is sent.
static DenseRows packedRow(char *data, const DenseRows &like) {
  return {data, like.runs, 1, like.bytes};
}

Result<Coordinates> restricted(const Coordinates &entries, std::span<const int64_t> first,
                               std::span<const int64_t> dims,
                               std::span<const CoordinateList> lists) {
  // The entries that are in all lists so far.
  std::vector<int64_t> chosen(size_t(entries.count()));
  std::iota(chosen.begin(), chosen.end(), 0);
  std::vector<NumbersIn> numbers;
  std::vector<int64_t> sizes = entries.sizes();
  for (size_t at = 0; at < dims.size(); ++at) {
    const NumbersIn &number = numbers.emplace_back(lists[at], entries.count());
    sizes[size_t(dims[at])] = int64_t(lists[at].size());
    runtime::withCoordinateType(entries.coordinateType(), [&]<typename C>(C *) {
      const C *column = entries.column(int(dims[at])).as<C>();
      const int64_t begin = first[size_t(dims[at])];
      std::erase_if(chosen, [&](int64_t entry) { return number(begin + column[entry]) < 0; });
    });
  }
  Result<Coordinates> result =
      Coordinates::create(std::move(sizes), entries.valueType(), int64_t(chosen.size()));
  if (!result || chosen.empty())
    return result;
  runtime::withCoordinateType(entries.coordinateType(), [&]<typename From>(From *) {
    runtime::withCoordinateType(result->coordinateType(), [&]<typename To>(To *) {
      for (int dim = 0; dim < entries.order(); ++dim) {
        const From *from = entries.column(dim).as<From>();
        To *to = result->column(dim).as<To>();
        const auto listed = std::find(dims.begin(), dims.end(), dim);
        const int64_t begin = first[size_t(dim)];
        for (int64_t entry : chosen)
          *to++ = static_cast<To>(
              listed == dims.end() ? from[entry]
                                   : numbers[size_t(listed - dims.begin())](begin + from[entry]));
      }
    });
  });
  runtime::dist::copyValues(entries, chosen, *result);
  return result;
}

Result<Coordinates> scattered(const Coordinates &entries, std::vector<int64_t> sizes,
                              std::span<const int64_t> dims,
                              std::span<const CoordinateList> lists) {
  Result<Coordinates> result =
      Coordinates::create(std::move(sizes), entries.valueType(), entries.count());
  if (!result || entries.count() == 0)
    return result;
  runtime::withCoordinateType(entries.coordinateType(), [&]<typename From>(From *) {
    runtime::withCoordinateType(result->coordinateType(), [&]<typename To>(To *) {
      for (int dim = 0; dim < entries.order(); ++dim) {
        const std::span<const From> from(entries.column(dim).as<From>(), size_t(entries.count()));
        const auto listed = std::find(dims.begin(), dims.end(), dim);
        const CoordinateList list =
            listed == dims.end() ? CoordinateList() : lists[size_t(listed - dims.begin())];
        std::transform(from.begin(), from.end(), result->column(dim).as<To>(), [&](From number) {
          return static_cast<To>(list.empty() ? int64_t(number) : list[size_t(number)]);
        });
      }
    });
  });
  runtime::copyBytes(result->values().data(), entries.values().data(),
                     size_t(entries.count()) * runtime::valueBytes(entries.valueType()));
  return result;
}

//===------------------------------------------------------------------------------------------===//
// Plans
//===------------------------------------------------------------------------------------------===//

bool PlanKey::is(const std::shared_ptr<const Pieces> &otherLists, const Tensor &from) const {
  return lists.lock() == otherLists && type == from.type && sizes == from.sizes();
}

Result<FetchPlan> FetchPlan::make(World *world, std::span<const CoordinateList> lists,
                                  const Intervals &own, const Intervals &homes, int64_t rowBytes,
                                  const std::string &operation) {
  FetchPlan plan;
  plan.own = own;
  std::vector<int64_t> missing;
  for (CoordinateList list : lists)
    for (int64_t coordinate : list)
      if (!plan.ownSource(coordinate))
        missing.push_back(coordinate);
  std::sort(missing.begin(), missing.end());
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
  if (world) {
    Result<RowExchange> rows = RowExchange::fetch(*world, missing, homes, rowBytes, operation);
    if (!rows)
      return rows.takeStatus();
    plan.rows.emplace(std::move(*rows));
  }
  plan.findSources(lists);
  return plan;
}

std::optional<FetchPlan::Source> FetchPlan::ownSource(int64_t coordinate) const {
  for (size_t piece = 0; piece < own.size(); ++piece)
    if (coordinate >= own[piece].lo && coordinate < own[piece].hi)
      return Source{int32_t(piece), coordinate - own[piece].lo};
  return std::nullopt;
}

// Appends a row, to the ones before if it lies behind them.
void FetchPlan::add(std::vector<Source> &sources, Source row) {
  if (!sources.empty() && sources.back().piece == row.piece &&
      sources.back().row + sources.back().count == row.row)
    ++sources.back().count;
  else
    sources.push_back(row);
}

void FetchPlan::findSources(std::span<const CoordinateList> lists) {
  std::vector<std::pair<int64_t, int64_t>> places; // of the rows that come, by their coordinates
  if (rows) {
    for (const std::vector<int64_t> &come : rows->receivedRows())
      for (int64_t coordinate : come)
        places.emplace_back(coordinate, int64_t(places.size()));
    for (const std::vector<int64_t> &asked : rows->sentRows())
      for (int64_t coordinate : asked)
        add(sent, *ownSource(coordinate));
  }
  std::sort(places.begin(), places.end());
  for (CoordinateList list : lists) {
    std::vector<Source> &found = sources.emplace_back();
    for (int64_t coordinate : list) {
      std::optional<Source> source = ownSource(coordinate);
      if (!source)
        source = {-1,
                  std::lower_bound(places.begin(), places.end(), std::pair(coordinate, int64_t(0)))
                      ->second};
      add(found, *source);
    }
  }
}

std::vector<std::vector<int64_t>> FetchPlan::asked() const {
  return rows ? rows->sentRows() : std::vector<std::vector<int64_t>>();
}

Status FetchPlan::bring(std::span<const DenseRows> pieces) {
  if (!rows)
    return Status();
  char *data = rows->sent().data();
  for (const Source &source : sent)
    for (int64_t row = source.row; row < source.row + source.count; ++row) {
      const DenseRows &piece = pieces[size_t(source.piece)];
      copyRows(piece, row, packedRow(data, piece), 0, 1);
      data += piece.rowBytes();
    }
  return rows->run();
}

void FetchPlan::fill(size_t cell, const DenseRows &to, std::span<const DenseRows> pieces) {
  int64_t at = 0;
  for (const Source &source : sources[cell]) {
    if (source.piece >= 0) {
      copyRows(pieces[size_t(source.piece)], source.row, to, at, source.count);
      at += source.count;
      continue;
    }
    char *data = rows->received().data() + source.row * to.rowBytes();
    for (int64_t row = 0; row < source.count; ++row, data += to.rowBytes())
      copyRows(packedRow(data, to), 0, to, at++, 1);
  }
}

} // namespace strata::host
