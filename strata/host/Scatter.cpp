// Brings what cells make at the coordinates of lists to where it belongs.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/Moves.h"
#include "strata/host/Pack.h"
#include "strata/host/ScatterPlan.h"
#include "strata/host/View.h"
#include "strata/runtime/CopyBytes.h"
#include "strata/runtime/dist/ExchangeEntries.h"
#include "strata/runtime/storage/ValueTypes.h"

#include <cstring>
#include <tuple>

using strata::runtime::Coordinates;
using strata::runtime::Error;
using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::Storage;
using strata::runtime::dist::Box;
using strata::runtime::dist::Home;

namespace strata::host {
namespace {

// Tells whether there are, below the cells, rows at the coordinates of the dimension, stored one
// behind the other: of all cells and coordinates, or of those of which there are any.
bool hasRows(const TensorType &type, int64_t cells, int64_t dim, bool areListed) {
  if (type.isSum() || !type.parts.front().isPermutation())
    return false;
  const std::vector<StoredLevel> &levels = type.parts.front().levels;
  if (levels.size() < 2 || levels[0].coordinate.input() != cells ||
      levels[1].coordinate.input() != dim)
    return false;
  for (size_t level = 0; level < levels.size(); ++level)
    if (levels[level].listed != (areListed && level <= 1))
      return false;
  return true;
}

// Lists the rows that come to a cell, from a coordinate on; `sizes` are those of its piece.
Result<Coordinates> listOf(const std::vector<ScatterPlan::Part> &parts,
                           const std::vector<int64_t> &sizes, size_t cells, size_t dim,
                           int64_t first, strata_type element) {
  int64_t places = 1, rows = 0; // of a row
  for (size_t other = 0; other < sizes.size(); ++other)
    places *= other == cells || other == dim ? 1 : sizes[other];
  for (const ScatterPlan::Part &part : parts)
    rows += int64_t(part.coordinates.size());
  Result<Coordinates> list = Coordinates::create(sizes, element, rows * places);
  if (!list || list->count() == 0)
    return list;
  std::memset(list->values().data(), 0, size_t(rows * places) * runtime::valueBytes(element));
  runtime::withCoordinateType(list->coordinateType(), [&]<typename C>(C *) {
    std::vector<C *> columns;
    for (size_t other = 0; other < sizes.size(); ++other)
      columns.push_back(list->column(int(other)).as<C>());
    int64_t entry = 0;
    for (const ScatterPlan::Part &part : parts)
      for (int64_t coordinate : part.coordinates)
        for (int64_t place = 0; place < places; ++place, ++entry) {
          int64_t rest = place;
          for (size_t other = sizes.size(); other-- > 0;)
            if (other != cells && other != dim) {
              columns[other][entry] = static_cast<C>(rest % sizes[other]);
              rest /= sizes[other];
            }
          columns[cells][entry] = static_cast<C>(part.cell);
          columns[dim][entry] = static_cast<C>(coordinate - first);
        }
  });
  return list;
}

} // namespace

// Tells whether rows that are stored one behind the other go to the cells that have intervals of
// their coordinates.
bool Moves::scattersRows(const Scatter &scatter) const {
  const TensorType &from = program.type(state.tensor(scatter.from).type),
                   &to = program.type(scatter.type);
  const int64_t cells = from.dimensionCut(), dim = scatter.dims.front();
  return scatter.dims.size() == 1 && cells >= 0 && to.dimensionCut() == dim &&
         from.machine == to.machine && hasRows(from, cells, dim, /*areListed=*/false) &&
         hasRows(to, cells, dim, /*areListed=*/true);
}

// Makes a plan, and for each cell of this process a tensor with what comes to it, but for the
// values.
Result<ScatterPlan> Moves::makePlan(const Scatter &scatter, const Pieces &homes,
                                    const std::string &operation) {
  const Tensor &from = state.tensor(scatter.from);
  const auto dim = size_t(scatter.dims.front());
  const auto cells = size_t(program.type(from.type).dimensionCut());
  const runtime::dist::Grid &grid = grids[size_t(program.type(scatter.type).machine)];
  Result<std::vector<CellBox>> boxes = boxesOf(scatter.type, from.sizes());
  if (!boxes)
    return boxes.takeStatus();
  std::vector<Home> intervals;
  for (const CellBox &cell : *boxes)
    intervals.push_back(
        {cell.box.lo[dim], cell.box.hi[dim], int32_t(grid.owner(int64_t(intervals.size())))});
  std::vector<CoordinateList> lists;
  for (size_t own = 0; own < from.pieces->own.size(); ++own)
    lists.push_back(needListsOf(scatter.lists, own).front());
  const strata_type element = program.format(from.type).element;
  int64_t rowBytes = int64_t(runtime::valueBytes(element));
  for (size_t other = 0; other < from.sizes().size(); ++other)
    rowBytes *= other == dim || other == cells ? 1 : from.sizes()[other];
  Result<ScatterPlan> plan = ScatterPlan::make(job ? &job->processes() : nullptr, grid, lists,
                                               intervals, rowBytes, operation);
  for (size_t own = 0; plan && own < homes.own.size(); ++own) {
    const runtime::dist::Box &box = homes.own[own].box;
    Result<Coordinates> list =
        listOf(plan->parts()[own], box.sizes(), cells, dim, box.lo[dim], element);
    if (list)
      if (Status sorted = list->sort(); !sorted.ok())
        return sorted;
    Result<Tensor> pattern = list
                                 ? provider.pack(std::move(*list), program.type(scatter.type).piece,
                                                 program.format(scatter.type).fill)
                                 : list.takeStatus();
    if (!pattern)
      return pattern.takeStatus();
    plan->patterns.push_back(std::move(*pattern));
  }
  if (plan)
    plan->key = {state.tensor(scatter.lists.front()).pieces, from.sizes(), from.type};
  return plan;
}

// Scatters rows by a plan, which is kept as those of fetches are.
Status Moves::scatterRows(const Scatter &scatter, const std::string &operation) {
  const Tensor &from = state.tensor(scatter.from);
  std::shared_ptr<ScatterPlan> &plan = scatterPlans[&scatter];
  const bool isKept = plan && plan->key.is(state.tensor(scatter.lists.front()).pieces, from);
  Result<std::shared_ptr<Pieces>> pieces = emptyPieces(scatter.type, from.sizes());
  if (!pieces)
    return pieces.takeStatus();
  Result<std::vector<int64_t>> bytes = meetToSend(operation, isKept ? plan.get() : nullptr);
  if (!bytes)
    return bytes.takeStatus();
  const int64_t before = sentBytes();
  if (!isKept) {
    Result<ScatterPlan> made = makePlan(scatter, **pieces, operation);
    if (!made)
      return made.takeStatus();
    plan = std::make_shared<ScatterPlan>(std::move(*made));
  }
  std::vector<DenseRows> rows;
  for (const Pieces::Piece &piece : from.pieces->own)
    rows.push_back(rowsOf(piece.tensor, scatter.dims.front()));
  if (Status brought = plan->bring(rows); !brought.ok())
    return brought;
  for (size_t own = 0; own < (*pieces)->own.size(); ++own) {
    Result<Storage> storage = plan->patterns[own].storage->copy();
    if (!storage)
      return storage.takeStatus();
    plan->fill(own, static_cast<char *>(storage->values().data), rows);
    (*pieces)->own[own].tensor = {.type = plan->patterns[own].type,
                                  .storage = std::make_shared<Storage>(std::move(*storage))};
  }
  if (!isKept)
    bytes = meet(operation, sentBytes() - before);
  if (!bytes)
    return bytes.takeStatus();
  observer.fetched(*current, *bytes, !isKept);
  state.define(scatter.to, {.type = scatter.type, .pieces = std::move(*pieces)});
  return Status();
}

// Lists the entries of this process at their coordinates.
Result<Coordinates> Moves::scatteredEntries(const Scatter &scatter) {
  const Tensor &from = state.tensor(scatter.from);
  std::vector<runtime::dist::Boxed> all;
  for (size_t own = 0; own < from.pieces->own.size(); ++own) {
    const Pieces::Piece &piece = from.pieces->own[own];
    if (!piece.isFirst)
      continue;
    Result<Coordinates> entries = provider.entriesOf(piece.tensor);
    if (entries)
      entries =
          scattered(*entries, piece.box.sizes(), scatter.dims, needListsOf(scatter.lists, own));
    if (!entries)
      return entries;
    all.push_back({std::move(*entries), &piece.box});
  }
  return runtime::dist::joined(all, from.sizes(), program.format(from.type).element);
}

// Makes a storage that refers to the arrays of a pattern, and to the values of another one.
static std::shared_ptr<Storage> inPatternOf(const std::shared_ptr<Storage> &pattern,
                                            const std::shared_ptr<Storage> &values) {
  std::vector<strata_type> types;
  for (int64_t at = 0; at < pattern->bufferCount(); ++at)
    types.push_back(strata_type(pattern->buffer(at).type));
  Storage storage(pattern->sizes(), types);
  for (int64_t at = 0; at < pattern->bufferCount(); ++at) {
    const strata_buffer &array =
        at + 1 < pattern->bufferCount() ? pattern->buffer(at) : values->values();
    storage.adopt(at, array.data, array.count, strata_type(array.type));
  }
  return keeping(std::move(storage), {pattern, values});
}

// Tells whether storages of two types have the same arrays, but for the widths of words.
static bool areAlike(const TensorType &one, const TensorType &other) {
  if (one.isSum() || other.isSum())
    return false;
  const StoredFormat &a = one.parts.front(), &b = other.parts.front();
  return a.name == b.name && a.element == b.element && a.fill == b.fill &&
         a.buffers.size() == b.buffers.size();
}

// Gives what a cell of this process has made of a piece of the model, in the box of that.
Result<Tensor> Moves::pieceLike(const Scatter &scatter, const Tensor &model, const Box &box,
                                size_t own) {
  const Pieces::Piece &piece = state.tensor(scatter.from).pieces->own[own];
  const std::shared_ptr<Storage> &storage = piece.tensor.storage, &pattern = model.storage;
  // Lists ascend, so the entries are in the same order.
  if (storage && pattern && areAlike(program.type(piece.tensor.type), program.type(model.type)) &&
      storage->values().count == pattern->values().count)
    return Tensor{.type = model.type, .storage = inPatternOf(pattern, storage)};
  Result<Coordinates> entries = provider.entriesOf(piece.tensor);
  if (entries)
    entries = scattered(*entries, state.tensor(scatter.from).sizes(), scatter.dims,
                        needListsOf(scatter.lists, own));
  if (!entries)
    return entries.takeStatus();
  // Coordinates that are not listed count from where the box begins already.
  Box counted{std::vector<int64_t>(box.lo.size()), box.sizes()};
  for (int64_t dim : scatter.dims)
    std::tie(counted.lo[size_t(dim)], counted.hi[size_t(dim)]) =
        std::pair(box.lo[size_t(dim)], box.hi[size_t(dim)]);
  Result<Coordinates> inside = runtime::dist::movedInto(counted, std::move(*entries));
  if (!inside)
    return inside.takeStatus();
  if (Status sorted = inside->sort(); !sorted.ok())
    return sorted;
  return provider.pack(std::move(*inside), program.type(scatter.type).piece,
                       program.format(scatter.type).fill);
}

// Scatters what stays on its cell.
Status Moves::scatterLike(const Scatter &scatter) {
  const Tensor &from = state.tensor(scatter.from);
  const Pieces &like = *state.tensor(scatter.like).pieces;
  const size_t order = from.sizes().size();
  auto pieces = std::make_shared<Pieces>();
  pieces->sizes = from.sizes();
  for (size_t own = 0; own < from.pieces->own.size(); ++own) {
    const Pieces::Piece &model = like.own[own];
    Box box = model.box;
    box.lo.resize(order);
    box.hi.resize(order);
    Result<Tensor> made = pieceLike(scatter, model.tensor, box, own);
    if (!made)
      return made.takeStatus();
    pieces->own.push_back({model.cell, std::move(box), model.isFirst, std::move(*made)});
  }
  state.define(scatter.to, {.type = scatter.type, .pieces = std::move(pieces)});
  return Status();
}

// Makes a copy of a piece in which the rows of what a cell of this process has replace those of the
// interval that its list names.
Result<Tensor> Moves::pieceInto(const Scatter &scatter, const Pieces::Piece &into, size_t own) {
  const int64_t dim = scatter.dims.front(), first = into.box.lo[size_t(dim)];
  const CoordinateList list = needListsOf(scatter.lists, own).front();
  if (list.empty())
    return into.tensor;
  const std::vector<int64_t> &sizes = into.tensor.sizes();
  Result<Storage> storage = allPlaces(program.format(into.tensor.type), sizes,
                                      allocatorForMoved(own, scatter.type, sizes));
  if (!storage)
    return storage.takeStatus();
  Tensor made{.type = into.tensor.type, .storage = std::make_shared<Storage>(std::move(*storage))};
  const Tensor &part = state.tensor(scatter.from).pieces->own[own].tensor;
  const DenseRows to = rowsOf(made, dim), old = rowsOf(into.tensor, dim), rows = rowsOf(part, dim);
  const int64_t begin = list.front() - first, end = list.back() + 1 - first;
  copyRows(old, 0, to, 0, begin);
  copyRows(rows, 0, to, begin, end - begin);
  copyRows(old, end, to, end, to.count - end);
  return made;
}

// Replaces a part of pieces, each on its cell.
Status Moves::scatterInto(const Scatter &scatter) {
  const Pieces &into = *state.tensor(scatter.into).pieces;
  auto pieces = std::make_shared<Pieces>(into);
  for (size_t own = 0; own < into.own.size(); ++own) {
    Result<Tensor> made = pieceInto(scatter, into.own[own], own);
    if (!made)
      return made.takeStatus();
    pieces->own[own].tensor = std::move(*made);
  }
  state.define(scatter.to, {.type = scatter.type, .pieces = std::move(pieces)});
  return Status();
}

Status Moves::execute(const Scatter &scatter) {
  if (scatter.into >= 0)
    return scatterInto(scatter);
  if (scatter.like >= 0)
    return scatterLike(scatter);
  const std::string operation = "the move of " + program.names[size_t(scatter.from)];
  if (scattersRows(scatter))
    return scatterRows(scatter, operation);
  const int64_t before = sentBytes();
  // An error of one rank alone comes here, before all exchange anything.
  Result<Coordinates> own = scatteredEntries(scatter);
  if (!own)
    return own.takeStatus();
  if (Status brought = bring(std::move(*own), scatter.to, scatter.type, operation); !brought.ok())
    return brought;
  return tellMoved(before, operation);
}

} // namespace strata::host
