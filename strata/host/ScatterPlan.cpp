// Cuts lists into the intervals of cells, and tells their processes what comes.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/ScatterPlan.h"

#include "strata/runtime/CopyBytes.h"

#include <algorithm>

using strata::runtime::NumberLists;
using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::dist::Grid;
using strata::runtime::dist::Home;
using strata::runtime::dist::RowExchange;
using strata::runtime::dist::World;

namespace strata::host {

namespace {

// Rows of one list in the interval of one cell: some, and not none.
struct CellRun {
  int64_t cell;
  ScatterPlan::Run run;
};

// Appends the runs of a list. The intervals of the cells ascend.
void addRuns(CoordinateList list, int32_t piece, std::span<const Home> homes,
             std::vector<CellRun> &runs) {
  auto home = homes.begin();
  for (auto at = list.begin(); at != list.end();) {
    home = std::partition_point(home, homes.end(), [&](const Home &one) { return one.hi <= *at; });
    if (home == homes.end())
      return;
    at = std::lower_bound(at, list.end(), home->lo);
    const auto end = std::lower_bound(at, list.end(), home->hi);
    if (at != end)
      runs.push_back({home - homes.begin(), {piece, at - list.begin(), end - at}});
    at = end;
  }
}

// Lists all runs by the cells that get them, and those of a cell by the lists.
std::vector<CellRun> runsOf(std::span<const CoordinateList> lists, std::span<const Home> homes) {
  std::vector<CellRun> runs;
  for (size_t piece = 0; piece < lists.size(); ++piece)
    addRuns(lists[piece], int32_t(piece), homes, runs);
  std::ranges::sort(runs, {},
                    [](const CellRun &one) { return std::pair(one.cell, one.run.piece); });
  return runs;
}

CoordinateList coordinatesOf(std::span<const CoordinateList> lists, const ScatterPlan::Run &run) {
  return lists[size_t(run.piece)].subspan(size_t(run.row), size_t(run.count));
}

// How many rows a cell gets that another one has made: `place` numbers the pairs of both.
struct Count {
  int64_t place, rows;
};

// Writes the counts of so many places to a list: one for each place, or, where that is shorter,
// each that is not 0 behind its place. The length of the list tells which.
std::vector<int64_t> written(std::span<const Count> counts, int64_t places) {
  std::vector<int64_t> list;
  if (2 * int64_t(counts.size()) < places) {
    for (const Count &one : counts)
      list.insert(list.end(), {one.place, one.rows});
    return list;
  }
  list.resize(size_t(places));
  for (const Count &one : counts)
    list[size_t(one.place)] = one.rows;
  return list;
}

// Reads what `written` has written.
std::vector<Count> countsIn(std::span<const int64_t> list, int64_t places) {
  std::vector<Count> counts;
  const bool hasAll = int64_t(list.size()) == places;
  for (size_t at = 0; at < list.size(); at += hasAll ? 1 : 2)
    if (const int64_t rows = list[hasAll ? at : at + 1]; rows > 0)
      counts.push_back({hasAll ? int64_t(at) : list[at], rows});
  return counts;
}

// Lists what goes to other processes, in the order in which they get it.
struct Outgoing {
  std::vector<ScatterPlan::Run> runs;
  NumberLists coordinates, counts; // for each process
};

// Puts together what goes to other processes; none gets a message that has nothing for it.
Result<Outgoing> outgoing(std::span<const CellRun> runs, const Grid &grid,
                          std::span<const CoordinateList> lists, const World &world) {
  const auto processes = static_cast<size_t>(world.size());
  std::vector<int64_t> rows(processes);
  std::vector<std::vector<int64_t>> allCounts(processes);
  Outgoing out;
  const auto makers = int64_t(lists.size());
  for (auto at = runs.begin(); at != runs.end();) {
    const int64_t to = grid.owner(at->cell);
    const auto [first, last] = grid.cellsOf(to);
    std::vector<Count> counts;
    for (; at != runs.end() && at->cell < last; ++at) {
      if (to == world.rank())
        continue;
      rows[size_t(to)] += at->run.count;
      counts.push_back({(at->cell - first) * makers + at->run.piece, at->run.count});
      out.runs.push_back(at->run);
    }
    if (!counts.empty())
      allCounts[size_t(to)] = written(counts, (last - first) * makers);
  }
  Result<NumberLists> coordinates = NumberLists::make(rows),
                      counts = NumberLists::copyOf(allCounts);
  if (!coordinates || !counts)
    return coordinates ? counts.takeStatus() : coordinates.takeStatus();
  out.coordinates = std::move(*coordinates);
  out.counts = std::move(*counts);
  // Runs are in the order of the cells that get them, and so of the processes.
  int64_t *to = out.coordinates.places().front();
  for (const ScatterPlan::Run &run : out.runs)
    to = std::ranges::copy(coordinatesOf(lists, run), to).out;
  return out;
}

} // namespace

Result<ScatterPlan> ScatterPlan::make(World *world, const Grid &grid,
                                      std::span<const CoordinateList> lists,
                                      std::span<const Home> homes, int64_t rowBytes,
                                      const std::string &operation) {
  const int32_t processes = world ? world->size() : 1, own = world ? world->rank() : 0;
  const auto [first, last] = grid.cellsOf(own);
  const std::vector<CellRun> runs = runsOf(lists, homes);
  ScatterPlan plan;
  plan.rowBytes = rowBytes;
  plan.incoming.resize(size_t(last - first));
  NumberLists counts; // of what comes
  if (world) {
    Result<Outgoing> out = outgoing(runs, grid, lists, *world);
    if (!out) // others wait
      return world->lose(out.takeStatus(), operation);
    Result<NumberLists> come = exchangeNumbers(*world, out->counts, operation);
    if (!come)
      return come.takeStatus();
    Result<RowExchange> exchange =
        RowExchange::give(*world, std::move(out->coordinates), rowBytes, operation);
    if (!exchange)
      return exchange.takeStatus();
    counts = std::move(*come);
    plan.sent = std::move(out->runs);
    plan.rows.emplace(std::move(*exchange));
  }
  int64_t received = 0;
  for (int32_t from = 0; from < processes; ++from) {
    const auto [firstMaker, lastMaker] = grid.cellsOf(from);
    const int64_t makers = lastMaker - firstMaker;
    if (from == own) {
      for (const CellRun &one : runs)
        if (one.cell >= first && one.cell < last) {
          plan.incoming[size_t(one.cell - first)].push_back(
              {firstMaker + one.run.piece, coordinatesOf(lists, one.run), one.run});
        }
      continue;
    }
    CoordinateList coordinates = plan.rows->receivedRows()[size_t(from)];
    for (const Count &one : countsIn(counts[size_t(from)], (last - first) * makers)) {
      const auto rows = static_cast<size_t>(one.rows);
      plan.incoming[size_t(one.place / makers)].push_back(
          {firstMaker + one.place % makers, coordinates.first(rows), {-1, received, one.rows}});
      coordinates = coordinates.subspan(rows);
      received += one.rows;
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
