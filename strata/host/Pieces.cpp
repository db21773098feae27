// Moves tensors between the cells of machines.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/Interpreter.h"
#include "strata/host/Pack.h"
#include "strata/host/Parameters.h"
#include "strata/runtime/CopyBytes.h"
#include "strata/runtime/Counted.h"
#include "strata/runtime/dist/ExchangeEntries.h"
#include "strata/runtime/storage/DropFills.h"
#include "strata/runtime/storage/ValueTypes.h"

#include <algorithm>

using strata::runtime::Coordinates;
using strata::runtime::Error;
using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::Storage;
using strata::runtime::dist::Cut;
using strata::runtime::dist::Grid;
using strata::runtime::dist::Numbered;
using strata::runtime::dist::StoredNumbers;
using strata::runtime::dist::World;

namespace strata::host {

// Tells whether the format has a place for everything.
static bool storesAll(const TensorType &type) { return !type.isSum() && type.parts.front().full; }

Result<std::vector<int64_t>> Interpreter::axesOf(const Machine &machine) const {
  auto given = surroundings.parameters.find(machine.name);
  if (given != surroundings.parameters.end())
    return cellsOf(machine.name, given->second, machine.axes.size());
  std::vector<int64_t> cells;
  for (const Machine::Axis &axis : machine.axes) {
    Result<int64_t> count = axis.parameter.empty() ? axis.cells : givenSize(axis.parameter);
    if (!count)
      return count.takeStatus();
    if (!axis.parameter.empty() && *count < 1)
      return Error{"axis '" + axis.name + "' of machine '" + machine.name + "' has no cell"};
    cells.push_back(*count);
  }
  return cells;
}

Status Interpreter::makeGrids() {
  constexpr int64_t mostCells = int64_t(1) << 24;
  const int64_t ranks = surroundings.job ? surroundings.job->size() : 1;
  grids.clear();
  for (const Machine &machine : program.machines) {
    Result<std::vector<int64_t>> axes = axesOf(machine);
    if (!axes)
      return axes.takeStatus();
    int64_t cells = 1;
    for (int64_t size : *axes)
      if (__builtin_mul_overflow(cells, std::max<int64_t>(size, 1), &cells) || cells > mostCells)
        return Error{"machine '" + machine.name + "' has more than " + std::to_string(mostCells) +
                     " cells"};
    grids.emplace_back(std::move(*axes), ranks);
  }
  return checkCells();
}

// A placement may name a cell of an axis whose cells the run decides.
Status Interpreter::checkCells() const {
  for (const TensorType &type : program.types)
    for (size_t axis = 0; axis < type.places.size(); ++axis) {
      const int64_t cells = grids[size_t(type.machine)].axes()[axis];
      const runtime::dist::Place &place = type.places[axis];
      if (place.kind != runtime::dist::Place::Kind::At || place.cell < cells)
        continue;
      const Machine &machine = program.machines[size_t(type.machine)];
      return Error{"a tensor is placed on cell " + std::to_string(place.cell) + " of axis '" +
                   machine.axes[axis].name + "' of machine '" + machine.name + "', which has " +
                   counted(cells, "cell")};
    }
  return Status();
}

// The entries of the pieces of this process; what several cells have, once.
Result<Coordinates> Interpreter::entriesOfPieces(const Tensor &tensor) {
  std::vector<runtime::dist::Boxed> lists;
  for (const Pieces::Piece &piece : tensor.pieces->own) {
    if (!piece.isFirst)
      continue;
    Result<Coordinates> list = provider.entriesOf(piece.tensor);
    if (!list)
      return list;
    lists.push_back({std::move(*list), &piece.box});
  }
  return runtime::dist::joined(lists, tensor.pieces->sizes, program.format(tensor.type).element);
}

// Makes what the cells of this process have of a tensor, from a list of it all, or of what they
// have and the numbers of that.
Result<Tensor> Interpreter::piecesOf(const Coordinates &list, StoredNumbers numbers, TypeId id) {
  const TensorType &type = program.type(id);
  const Grid &grid = grids[size_t(type.machine)];
  Result<Cut> cut = Cut::make(list, grid, type.places, storesAll(type), std::move(numbers));
  if (!cut)
    return cut.takeStatus();
  auto pieces = std::make_shared<Pieces>();
  pieces->sizes = list.sizes();
  const auto [first, last] = grid.cellsOf(surroundings.job ? surroundings.job->rank() : 0);
  for (int64_t cell = first; cell < last; ++cell) {
    Result<Coordinates> entries = cut->entriesOf(cell);
    if (entries)
      if (Status sorted = entries->sort(); !sorted.ok())
        return sorted;
    Result<Tensor> piece =
        entries ? provider.pack(std::move(*entries), type.piece, program.format(id).fill)
                : entries.takeStatus();
    if (!piece)
      return piece;
    pieces->own.push_back({cell, cut->boxOf(cell), cut->isFirst(cell), std::move(*piece)});
  }
  return Tensor{.type = id, .pieces = std::move(pieces)};
}

// What all cells have of a tensor that is cut by coordinates.
Result<std::vector<Interpreter::CellBox>>
Interpreter::boxesOf(TypeId id, const std::vector<int64_t> &sizes) const {
  const TensorType &type = program.type(id);
  const Grid &grid = grids[size_t(type.machine)];
  Result<Coordinates> nothing = Coordinates::create(sizes, program.format(id).element, 0);
  if (!nothing)
    return nothing.takeStatus();
  Result<Cut> cut = Cut::make(*nothing, grid, type.places, storesAll(type));
  if (!cut)
    return cut.takeStatus();
  std::vector<CellBox> boxes;
  for (int64_t cell = 0; cell < grid.cells(); ++cell)
    boxes.push_back({cut->boxOf(cell), cut->isFirst(cell)});
  return boxes;
}

// The same of the cells of this process, without tensors.
Result<std::shared_ptr<Pieces>> Interpreter::emptyPieces(TypeId id,
                                                         const std::vector<int64_t> &sizes) const {
  const Grid &grid = grids[size_t(program.type(id).machine)];
  Result<std::vector<CellBox>> boxes = boxesOf(id, sizes);
  if (!boxes)
    return boxes.takeStatus();
  auto pieces = std::make_shared<Pieces>();
  pieces->sizes = sizes;
  const auto [first, last] = grid.cellsOf(surroundings.job ? surroundings.job->rank() : 0);
  for (int64_t cell = first; cell < last; ++cell) {
    CellBox &box = (*boxes)[size_t(cell)];
    pieces->own.push_back({cell, std::move(box.box), box.isFirst, Tensor()});
  }
  return pieces;
}

// Sends what the pieces of this process hold to where it belongs.
Result<Tensor> Interpreter::movePieces(Coordinates own, TypeId id, const std::string &operation) {
  if (!surroundings.job)
    return piecesOf(own, {}, id);
  World &world = surroundings.job->processes();
  const TensorType &type = program.type(id);
  Numbered numbered{std::move(own), {}};
  if (const std::vector<int64_t> *dims = Cut::storedDims(type.places, storesAll(type))) {
    Result<Numbered> made = numberEntries(world, numbered.list, *dims, operation);
    if (!made)
      return made.takeStatus();
    numbered = std::move(*made);
  }
  Result<Cut> cut = Cut::make(numbered.list, grids[size_t(type.machine)], type.places,
                              storesAll(type), numbered.stored);
  if (!cut)
    return cut.takeStatus();
  Result<Numbered> come =
      scatterNumbered(world, numbered, cut->entriesOfOwners(world.size()), operation);
  return come ? piecesOf(come->list, std::move(come->stored), id) : come.takeStatus();
}

Result<Coordinates> Interpreter::gatherPieces(Coordinates own, const std::string &operation) {
  if (!surroundings.job)
    return own;
  return runtime::dist::gatherEntries(surroundings.job->processes(), own, operation);
}

// Brings what the pieces of this process hold to where it belongs, in pieces or whole.
Status Interpreter::bring(Coordinates own, TensorId to, TypeId type, const std::string &operation) {
  if (Status here = meet(operation).takeStatus(); !here.ok())
    return here;
  if (program.type(type).machine >= 0)
    return define(to, movePieces(std::move(own), type, operation));
  Result<Coordinates> all = gatherPieces(std::move(own), operation);
  if (all)
    if (Status sorted = all->sort(); !sorted.ok())
      return sorted;
  return all ? define(to, provider.pack(std::move(*all), type, program.format(type).fill))
             : all.takeStatus();
}

// Tells what each process has sent since.
Status Interpreter::tellMoved(int64_t sentBefore, const std::string &operation) {
  if (!surroundings.job)
    return Status();
  Result<std::vector<int64_t>> bytes = meet(operation, sentBytes() - sentBefore);
  if (!bytes)
    return bytes.takeStatus();
  observer.moved(*current, *bytes);
  return Status();
}

// Does each process get an array whole, whose rows lie with the cells? A collective operation of
// MPI counts in `int`.
bool Interpreter::gathersRows(const Move &move) const {
  constexpr double mostBytes = double(int64_t(1) << 33);
  const Tensor &tensor = state.tensor(move.from);
  const TensorType &from = program.type(tensor.type), &to = program.type(move.type);
  const int64_t dim = from.dimensionCut();
  if (!tensor.pieces || to.machine >= 0 || dim < 0 || from.isSum() || to.isSum() ||
      !from.parts.front().isArray() || !to.parts.front().isArray())
    return false;
  double bytes = double(runtime::valueBytes(from.parts.front().element));
  for (int64_t size : tensor.sizes())
    bytes *= double(size);
  if (bytes > mostBytes)
    return false;
  const auto inputOf = [](const StoredLevel &level) { return level.coordinate.input(); };
  return inputOf(from.parts.front().levels.front()) == dim &&
         std::ranges::equal(from.parts.front().levels, to.parts.front().levels, {}, inputOf,
                            inputOf);
}

// One collective operation brings all, since each process knows what each has.
Status Interpreter::gatherRows(const Move &move, const std::string &operation) {
  const Tensor &from = state.tensor(move.from);
  const auto dim = size_t(program.type(from.type).dimensionCut());
  const Grid &grid = grids[size_t(program.type(from.type).machine)];
  Result<std::vector<CellBox>> boxes = boxesOf(from.type, from.sizes());
  Result<Storage> whole = allPlaces(program.format(move.type), from.sizes());
  if (!boxes || !whole)
    return boxes ? whole.takeStatus() : boxes.takeStatus();
  const int64_t rows = from.sizes()[dim];
  const int64_t rowBytes = rows > 0
                               ? whole->values().count / rows *
                                     int64_t(runtime::valueBytes(program.format(move.type).element))
                               : 0;
  // What each process has is the rows of its cells, one behind the other.
  const int32_t processes = surroundings.job ? surroundings.job->size() : 1;
  std::vector<int64_t> first, bytes;
  int64_t words = 0;
  for (int32_t process = 0; process < processes; ++process) {
    const auto [begin, end] = grid.cellsOf(process);
    const auto &of = *boxes;
    first.push_back(begin < end ? of[size_t(begin)].box.lo[dim] * rowBytes : 0);
    bytes.push_back(begin < end ? of[size_t(end - 1)].box.hi[dim] * rowBytes - first.back() : 0);
    words = std::max(words, (bytes.back() + 7) / 8);
  }
  std::vector<int64_t> own(static_cast<size_t>(words));
  char *to = reinterpret_cast<char *>(own.data());
  for (const Pieces::Piece &piece : from.pieces->own) {
    const int64_t count = (piece.box.hi[dim] - piece.box.lo[dim]) * rowBytes;
    runtime::copyBytes(to, piece.tensor.storage->values().data, size_t(count));
    to += count;
  }
  if (Status here = meet(operation).takeStatus(); !here.ok())
    return here;
  if (surroundings.job) {
    Result<std::vector<int64_t>> all = surroundings.job->processes().allgather(own, operation);
    if (!all)
      return all.takeStatus();
    own = std::move(*all);
  }
  char *values = static_cast<char *>(whole->values().data);
  for (size_t process = 0; process < bytes.size(); ++process)
    runtime::copyBytes(values + first[process], own.data() + process * size_t(words),
                       size_t(bytes[process]));
  state.define(move.to, {.type = provider.decided(move.type, from.sizes()),
                         .storage = std::make_shared<Storage>(std::move(*whole))});
  for (int64_t &sent : bytes)
    sent *= processes - 1;
  if (surroundings.job)
    observer.moved(*current, bytes);
  return Status();
}

Status Interpreter::execute(const Move &move) {
  const int64_t before = sentBytes();
  const std::string operation = "the move of " + program.names[size_t(move.from)];
  if (gathersRows(move))
    return gatherRows(move, operation);
  const Tensor &from = state.tensor(move.from);
  // An error of one rank alone comes here, before all exchange anything.
  Result<Coordinates> own = from.pieces ? entriesOfPieces(from) : provider.entriesOf(from);
  if (!own)
    return own.takeStatus();
  // Drops what a place for everything holds where it is the fill.
  const StoredFormat &format = program.format(move.type);
  if (program.format(from.type).full && !format.full)
    if (Status dropped = runtime::dropFills(*own, format.fill); !dropped.ok())
      return dropped;
  // What each process has whole is not sent.
  Status moved = from.pieces ? bring(std::move(*own), move.to, move.type, operation)
                             : cutPieces(*own, move, operation);
  if (!moved.ok())
    return moved;
  return tellMoved(before, operation);
}

// Keeps the pieces of a tensor that each process has whole.
Status Interpreter::cutPieces(const Coordinates &all, const Move &move,
                              const std::string &operation) {
  if (Status here = meet(operation).takeStatus(); !here.ok())
    return here;
  return define(move.to, piecesOf(all, {}, move.type));
}

} // namespace strata::host
