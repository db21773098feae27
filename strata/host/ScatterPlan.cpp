// Cuts lists into the intervals of cells, and tells their processes what comes.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/ScatterPlan.h"

#include "strata/runtime/CopyBytes.h"

#include <algorithm>

using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::dist::Grid;
using strata::runtime::dist::Home;
using strata::runtime::dist::NumberLists;
using strata::runtime::dist::RowExchange;
using strata::runtime::dist::World;

namespace strata::host {

// The rows of a list whose coordinates are in an interval.
static ScatterPlan::Run runIn(CoordinateList list, size_t piece, const Home &home) {
  const auto first = std::lower_bound(list.begin(), list.end(), home.lo),
             last = std::lower_bound(first, list.end(), home.hi);
  return {int32_t(piece), first - list.begin(), last - first};
}

static std::vector<int64_t> coordinatesOf(CoordinateList list, const ScatterPlan::Run &run) {
  const auto first = list.begin() + run.row;
  return {first, first + run.count};
}

Result<ScatterPlan> ScatterPlan::make(World *world, const Grid &grid,
                                      std::span<const CoordinateList> lists,
                                      std::span<const Home> homes, int64_t rowBytes,
                                      const std::string &operation) {
  const int32_t processes = world ? world->size() : 1, own = world ? world->rank() : 0;
  ScatterPlan plan;
  plan.rowBytes = rowBytes;
  // By the cells that get rows, and those that make them; each process knows the cells of each.
  NumberLists rows(static_cast<size_t>(processes)), counts(rows.size());
  for (int32_t to = 0; to < processes; ++to) {
    const auto [first, last] = grid.cellsOf(to);
    for (int64_t cell = first; cell < last && to != own; ++cell)
      for (size_t piece = 0; piece < lists.size(); ++piece) {
        const Run run = plan.sent.emplace_back(runIn(lists[piece], piece, homes[size_t(cell)]));
        const std::vector<int64_t> coordinates = coordinatesOf(lists[piece], run);
        counts[size_t(to)].push_back(run.count);
        rows[size_t(to)].insert(rows[size_t(to)].end(), coordinates.begin(), coordinates.end());
      }
    if (rows[size_t(to)].empty())
      counts[size_t(to)].clear(); // nothing is sent where there is nothing
  }
  if (world) {
    Result<NumberLists> come = exchangeNumbers(*world, counts, operation);
    if (!come)
      return come.takeStatus();
    counts = std::move(*come);
    Result<RowExchange> exchange = RowExchange::give(*world, std::move(rows), rowBytes, operation);
    if (!exchange)
      return exchange.takeStatus();
    plan.rows.emplace(std::move(*exchange));
  }
  const auto [first, last] = grid.cellsOf(own);
  plan.incoming.resize(size_t(last - first));
  int64_t received = 0;
  for (int32_t from = 0; from < processes; ++from) {
    const auto [firstMaker, lastMaker] = grid.cellsOf(from);
    auto count = counts[size_t(from)].begin();
    auto coordinate = from == own ? std::vector<int64_t>::const_iterator()
                                  : plan.rows->receivedRows()[size_t(from)].begin();
    for (int64_t cell = first; cell < last; ++cell)
      for (int64_t maker = firstMaker; maker < lastMaker; ++maker) {
        Part part{maker, {}, {}};
        if (from == own) {
          const auto piece = size_t(maker - firstMaker);
          part.run = runIn(lists[piece], piece, homes[size_t(cell)]);
          part.coordinates = coordinatesOf(lists[piece], part.run);
        } else {
          part.run = {-1, received, counts[size_t(from)].empty() ? 0 : *count++};
          part.coordinates.assign(coordinate, coordinate + part.run.count);
          coordinate += part.run.count;
          received += part.run.count;
        }
        plan.incoming[size_t(cell - first)].push_back(std::move(part));
      }
  }
  return plan;
}

// Returns where the rows end that it has copied.
char *ScatterPlan::copy(const Run &run, std::span<const DenseRows> own, char *to) {
  const char *from = run.piece < 0 ? rows->received().data() + run.row * rowBytes
                                   : own[size_t(run.piece)].run(0, run.row);
  runtime::copyBytes(to, from, size_t(run.count * rowBytes));
  return to + run.count * rowBytes;
}

Status ScatterPlan::bring(std::span<const DenseRows> own) {
  if (!rows)
    return Status();
  char *to = rows->sent().data();
  for (const Run &run : sent)
    to = copy(run, own, to);
  return rows->run();
}

void ScatterPlan::fill(size_t cell, char *values, std::span<const DenseRows> own) {
  for (const Part &part : incoming[cell])
    values = copy(part.run, own, values);
}

} // namespace strata::host
