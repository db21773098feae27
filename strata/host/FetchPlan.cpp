// Finds rows, sends them, and puts them in their places.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/FetchPlan.h"

#include "strata/runtime/CopyBytes.h"
#include "strata/runtime/storage/GrowingBuffer.h"
#include "strata/runtime/storage/ValueTypes.h"

#include <algorithm>
#include <numeric>

using strata::runtime::Coordinates;
using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::dist::Home;
using strata::runtime::dist::RowExchange;
using strata::runtime::dist::World;

namespace strata::host {

//===------------------------------------------------------------------------------------------===//
// Entries
//===------------------------------------------------------------------------------------------===//

Result<Coordinates> restricted(const Coordinates &entries, std::span<const int64_t> first,
                               std::span<const int64_t> dims,
                               std::span<const CoordinateList> lists) {
  Result<runtime::Array<int64_t>> all = runtime::Array<int64_t>::make(entries.count());
  if (!all)
    return all.takeStatus();
  std::iota(all->begin(), all->end(), 0);
  std::span<int64_t> chosen = *all; // the entries that are in all lists so far
  std::vector<NumbersIn> numbers;
  std::vector<int64_t> sizes = entries.sizes();
  for (size_t at = 0; at < dims.size(); ++at) {
    const NumbersIn &number = numbers.emplace_back(lists[at], entries.count());
    sizes[size_t(dims[at])] = int64_t(lists[at].size());
    runtime::withCoordinateType(entries.coordinateType(), [&]<typename C>(C *) {
      const C *column = entries.column(int(dims[at])).as<C>();
      const int64_t begin = first[size_t(dims[at])];
      const auto others = std::ranges::remove_if(
          chosen, [&](int64_t entry) { return number(begin + column[entry]) < 0; });
      chosen = chosen.first(chosen.size() - others.size());
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
  plan.sortPieces();
  if (world) {
    Result<runtime::Buffer> sorted = plan.missingOf(lists);
    if (!sorted) // others wait
      return world->lose(sorted.takeStatus(), operation);
    const std::span missing(sorted->as<int64_t>(), size_t(sorted->count()));
    Result<RowExchange> rows = RowExchange::fetch(*world, missing, homes, rowBytes, operation);
    if (!rows)
      return rows.takeStatus();
    plan.rows.emplace(std::move(*rows));
  }
  plan.findSources(lists);
  return plan;
}

// Lists the coordinates that no piece of this process has, ascending, each once.
Result<runtime::Buffer> FetchPlan::missingOf(std::span<const CoordinateList> lists) const {
  runtime::GrowingBuffer<int64_t> missing;
  for (CoordinateList list : lists)
    for (int64_t coordinate : list)
      if (!pieceWith(coordinate))
        missing.push(coordinate);
  Result<runtime::Buffer> sorted = missing.take();
  if (!sorted)
    return sorted;
  const std::span all(sorted->as<int64_t>(), size_t(sorted->count()));
  std::ranges::sort(all);
  const auto repeated = std::ranges::unique(all);
  if (Status cut = sorted->resize(int64_t(all.size() - repeated.size())); !cut.ok())
    return cut;
  return sorted;
}

// Sorts the pieces that have rows by these, and those of the same rows by their numbers.
void FetchPlan::sortPieces() {
  for (size_t piece = 0; piece < own.size(); ++piece)
    if (own[piece].lo < own[piece].hi)
      ascending.push_back(piece);
  std::ranges::sort(ascending, {}, [&](size_t piece) { return std::pair(own[piece].lo, piece); });
}

// Finds the piece with a row. Of several, a cell's own one counts, or else the first.
std::optional<size_t> FetchPlan::pieceWith(int64_t coordinate, size_t cell) const {
  auto has = [&](const Home &piece) { return coordinate >= piece.lo && coordinate < piece.hi; };
  if (cell < own.size() && has(own[cell]))
    return cell;
  const auto found = std::ranges::partition_point(
      ascending, [&](size_t piece) { return own[piece].hi <= coordinate; });
  return found != ascending.end() && has(own[*found]) ? std::optional(*found) : std::nullopt;
}

// Appends a row, to the ones before if these are of the same piece.
void FetchPlan::add(std::vector<Source> &sources, int32_t piece, int64_t row) {
  if (sources.empty() || sources.back().piece != piece)
    sources.push_back({piece});
  sources.back().rows.add(row);
}

void FetchPlan::findSources(std::span<const CoordinateList> lists) {
  // Processes have their cells in order, and so what comes is in order, too.
  const CoordinateList come = rows ? rows->receivedRows().all() : CoordinateList();
  if (rows)
    for (int64_t coordinate : rows->sentRows().all()) {
      const size_t piece = *pieceWith(coordinate);
      add(sent, int32_t(piece), coordinate - own[piece].lo);
    }
  for (size_t cell = 0; cell < lists.size(); ++cell) {
    std::vector<Source> &found = sources.emplace_back();
    for (int64_t coordinate : lists[cell])
      if (std::optional<size_t> piece = pieceWith(coordinate, cell))
        add(found, int32_t(*piece), coordinate - own[*piece].lo);
      else
        add(found, -1, std::ranges::lower_bound(come, coordinate) - come.begin());
    unmoved.push_back(findInPlace(found));
  }
}

// Finds rows of a piece that may stay where they are, since what comes before and behind them in a
// list has no place in that piece.
std::optional<FetchPlan::InPlace> FetchPlan::findInPlace(const std::vector<Source> &sources) const {
  int64_t size = 0, before = 0;
  for (const Source &source : sources)
    size += source.rows.count();
  for (const Source &source : sources) {
    const int64_t count = source.rows.count(), after = size - before - count;
    const std::optional<int64_t> first = source.piece < 0 ? std::nullopt : source.rows.interval();
    if (first && count >= before + after) {
      const Home &piece = own[size_t(source.piece)];
      const bool begins = *first == 0, ends = *first + count == piece.hi - piece.lo;
      if ((begins || before == 0) && (ends || after == 0))
        return InPlace{source.piece, *first, count, before, after};
    }
    before += count;
  }
  return std::nullopt;
}

Status FetchPlan::bring(std::span<const DenseRows> pieces) {
  if (!rows)
    return Status();
  char *data = rows->sent().data();
  for (const Source &source : sent) {
    const DenseRows &piece = pieces[size_t(source.piece)];
    const DenseRows packed = DenseRows::packed(data, source.rows.count(), piece);
    data += source.rows.copy(piece, packed, 0);
  }
  return rows->run();
}

int64_t FetchPlan::fill(size_t cell, const DenseRows &to, std::span<const DenseRows> pieces) {
  int64_t at = 0, copied = 0;
  for (const Source &source : sources[cell]) {
    const DenseRows from = source.piece >= 0 ? pieces[size_t(source.piece)]
                                             : DenseRows::packed(rows->received().data(), 0, to);
    copied += source.rows.copy(from, to, at);
    at += source.rows.count();
  }
  return copied;
}

} // namespace strata::host
