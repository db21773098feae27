// Moves arrays, and brings cells the parts of tensors that a round needs.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/Moves.h"
#include "strata/host/Pack.h"
#include "strata/host/Print.h"
#include "strata/runtime/dist/BoxExchange.h"
#include "strata/runtime/dist/ExchangeEntries.h"
#include "strata/runtime/storage/DropFills.h"
#include "strata/runtime/storage/ValueTypes.h"

#include <algorithm>

using strata::runtime::Coordinates;
using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::Storage;
using strata::runtime::dist::Box;
using strata::runtime::dist::BoxArray;
using strata::runtime::dist::BoxOfRank;
using strata::runtime::dist::BoxTransfer;
using strata::runtime::dist::EntryTransfer;
using strata::runtime::dist::Grid;
using strata::runtime::dist::SortedEntries;
using strata::runtime::dist::TakenBox;

namespace strata::host {

std::pair<int64_t, int64_t> Window::interval(const Grid &grid, int64_t cell, int64_t size) const {
  const std::vector<int64_t> at = grid.coordinates(cell);
  int64_t number = round;
  for (int64_t axis : *rotated)
    number += at[size_t(axis)];
  return runtime::dist::chunkOf(size, chunk, number % rounds);
}

// Tells whether each cell has, or gets, a box of an array, and all that lies in it.
bool Moves::hasBoxes(TypeId id) const {
  const TensorType &type = program.type(id);
  return !type.isSum() && type.parts.front().isArray() && !type.sizes.empty() &&
         std::ranges::all_of(type.places, [](const runtime::dist::Place &place) {
           return !place.cuts() || place.dims.size() == 1;
         });
}

// Returns the boxes that all cells have, or get in a round; of a tensor without pieces, all of it
// in each process.
Result<std::vector<BoxOfRank>> Moves::allBoxes(TypeId id, const std::vector<int64_t> &sizes,
                                               const Window *window) const {
  std::vector<BoxOfRank> boxes;
  const TensorType &type = program.type(id);
  if (type.machine < 0) {
    for (int32_t rank = 0; rank < (job ? job->size() : 1); ++rank)
      boxes.push_back({Box::whole(sizes), rank});
    return boxes;
  }
  const Grid &grid = grids[size_t(type.machine)];
  Result<std::vector<CellBox>> cells = boxesOf(id, sizes);
  if (!cells)
    return cells.takeStatus();
  for (int64_t cell = 0; cell < grid.cells(); ++cell) {
    Box &box = (*cells)[size_t(cell)].box;
    if (window)
      std::tie(box.lo[size_t(window->dim)], box.hi[size_t(window->dim)]) =
          window->interval(grid, cell, sizes[size_t(window->dim)]);
    boxes.push_back({std::move(box), int32_t(grid.owner(cell))});
  }
  return boxes;
}

BoxArray Moves::arrayOf(const Tensor &tensor) const {
  const StoredFormat &format = program.format(tensor.type);
  BoxArray array{static_cast<char *>(tensor.storage->values().data),
                 *denseStrides(format, tensor.storage->sizes())};
  for (int64_t &stride : array.strides)
    stride *= int64_t(runtime::valueBytes(format.element));
  return array;
}

Result<BoxMove> Moves::beginBoxes(const Tensor &from, TypeId id, const Window *window,
                                  const std::string &operation) {
  const TensorType &type = program.type(id);
  Result<std::vector<BoxOfRank>> homes = allBoxes(from.type, from.sizes()),
                                 targets = allBoxes(id, from.sizes(), window);
  if (!homes || !targets)
    return homes ? targets.takeStatus() : homes.takeStatus();
  std::vector<BoxArray> own, made;
  if (from.pieces)
    for (const Pieces::Piece &piece : from.pieces->own)
      own.push_back(arrayOf(piece.tensor));
  else
    own.push_back(arrayOf(from));
  const TypeId pieceType = type.machine < 0 ? id : type.piece;
  const int32_t rank = job ? job->rank() : 0;
  std::vector<Tensor> tensors;
  for (const BoxOfRank &target : *targets) {
    if (target.rank != rank)
      continue;
    const std::vector<int64_t> sizes = target.box.sizes();
    const TypeId decided = provider.decided(pieceType, sizes);
    // Nobody fetches from what rounds have, or from what each process gets whole.
    const bool isFetched = !window && type.machine >= 0;
    Result<Storage> storage = allPlaces(program.format(decided), sizes,
                                        isFetched ? allocatorForMoved(tensors.size(), id, sizes)
                                                  : strata_default_allocator());
    if (!storage)
      return storage.takeStatus();
    tensors.push_back({.type = decided, .storage = std::make_shared<Storage>(std::move(*storage))});
    made.push_back(arrayOf(tensors.back()));
  }
  // An error of one process alone comes here, before all exchange anything.
  Result<BoxTransfer> transfer =
      BoxTransfer::prepare(job ? &job->processes() : nullptr, *homes, *targets, own, made,
                           int64_t(runtime::valueBytes(program.format(id).element)), operation);
  if (!transfer)
    return transfer.takeStatus();
  Status started = meet(operation).takeStatus();
  if (started.ok())
    started = transfer->start();
  if (!started.ok())
    return started;
  return BoxMove{std::move(*targets), std::move(tensors), std::move(*transfer)};
}

Result<Tensor> Moves::finishBoxes(BoxMove move, TypeId id, const std::vector<int64_t> &sizes) {
  if (Status finished = move.transfer.finish(); !finished.ok())
    return finished;
  if (program.type(id).machine < 0)
    return std::move(move.tensors.front());
  return assembled(id, sizes, move.targets, std::move(move.tensors));
}

Result<Tensor> Moves::moveBoxes(const Tensor &from, TypeId id, const std::string &operation) {
  Result<BoxMove> move = beginBoxes(from, id, nullptr, operation);
  return move ? finishBoxes(std::move(*move), id, from.sizes()) : move.takeStatus();
}

// Makes pieces of these tensors, of which cells of this process have the boxes.
Result<Tensor> Moves::assembled(TypeId id, const std::vector<int64_t> &sizes,
                                const std::vector<BoxOfRank> &boxes,
                                std::vector<Tensor> tensors) const {
  Result<std::shared_ptr<Pieces>> pieces = emptyPieces(id, sizes);
  if (!pieces)
    return pieces.takeStatus();
  for (size_t own = 0; own < tensors.size(); ++own) {
    Pieces::Piece &piece = (*pieces)->own[own];
    piece.box = boxes[size_t(piece.cell)].box;
    piece.tensor = std::move(tensors[own]);
  }
  return Tensor{.type = id, .pieces = std::move(*pieces)};
}

//===------------------------------------------------------------------------------------------===//
// Rounds
//===------------------------------------------------------------------------------------------===//

// Tells whether each cell has already what rounds have of the tensor, all chunks of it.
bool Moves::isPlacedLike(const Tensor &from, TypeId id) const {
  const TensorType &here = program.type(from.type), &type = program.type(id);
  return from.pieces && here.machine == type.machine && here.places == type.places &&
         !runtime::dist::Cut::storedDims(here.places, storesAll(here));
}

Result<WindowSource> Moves::windowSource(const Tensor &from, TypeId type, int64_t dim) {
  WindowSource source{from, type, hasBoxes(from.type) && hasBoxes(type), isPlacedLike(from, type)};
  if (source.isArray)
    return source;
  auto add = [&](Result<Coordinates> list) -> Status {
    if (!list)
      return list.takeStatus();
    if (Status dropped = dropFills(*list, from.type, type); !dropped.ok())
      return dropped;
    Result<SortedEntries> sorted = SortedEntries::make(std::move(*list), dim);
    if (!sorted)
      return sorted.takeStatus();
    source.entries.push_back(std::move(*sorted));
    return Status();
  };
  Status added;
  if (!source.isHere)
    added = add(from.pieces ? entriesOfPieces(from) : provider.entriesOf(from));
  else
    for (const Pieces::Piece &piece : from.pieces->own)
      if (added.ok())
        added = add(entriesOfPiece(from, piece));
  if (!added.ok())
    return added;
  return source;
}

// Lists the entries of a piece, at their coordinates in the tensor.
Result<Coordinates> Moves::entriesOfPiece(const Tensor &tensor, const Pieces::Piece &piece) {
  Result<Coordinates> list = provider.entriesOf(piece.tensor);
  if (!list)
    return list;
  const runtime::dist::Boxed boxed{std::move(*list), &piece.box};
  return runtime::dist::joined({&boxed, 1}, tensor.sizes(), program.format(tensor.type).element);
}

// Sends each process the entries that lie in a target of it.
Result<EntryTransfer> Moves::sendToTargets(const SortedEntries &own,
                                           const std::vector<BoxOfRank> &targets,
                                           const std::string &operation) {
  std::vector<TakenBox> boxes;
  for (const BoxOfRank &target : targets)
    boxes.push_back({&target.box, target.rank});
  // An error of one process alone comes here, before all exchange anything.
  Result<runtime::NumberLists> chosen = own.inside(boxes, job->size());
  if (!chosen)
    return chosen.takeStatus();
  if (Status here = meet(operation).takeStatus(); !here.ok())
    return here;
  return EntryTransfer::begin(job->processes(), own.list(), *chosen, operation);
}

Result<WindowMove> Moves::beginWindow(const WindowSource &source, const Window &window,
                                      const std::string &operation) {
  WindowMove move{&source};
  if (source.isArray) {
    Result<BoxMove> boxes = beginBoxes(source.from, source.type, &window, operation);
    if (!boxes)
      return boxes.takeStatus();
    move.boxes.emplace(std::move(*boxes));
    return move;
  }
  Result<std::vector<BoxOfRank>> targets = allBoxes(source.type, source.from.sizes(), &window);
  if (!targets)
    return targets.takeStatus();
  if (job && source.from.pieces && !source.isHere) {
    Result<EntryTransfer> sent = sendToTargets(source.entries.front(), *targets, operation);
    if (!sent)
      return sent.takeStatus();
    move.entries.emplace(std::move(*sent));
  }
  move.targets = std::move(*targets);
  return move;
}

Result<Tensor> Moves::finishWindow(WindowMove move) {
  const WindowSource &source = *move.source;
  if (move.boxes)
    return finishBoxes(std::move(*move.boxes), source.type, source.from.sizes());
  std::optional<SortedEntries> come;
  if (move.entries) {
    Result<Coordinates> list = move.entries->finish();
    Result<SortedEntries> sorted =
        list ? SortedEntries::make(std::move(*list), source.entries.front().dim())
             : list.takeStatus();
    if (!sorted)
      return sorted.takeStatus();
    come = std::move(*sorted);
  }
  std::vector<TakenBox> boxes; // of the cells of this process
  for (const BoxOfRank &target : move.targets)
    if (target.rank == (job ? job->rank() : 0))
      boxes.push_back({&target.box, source.isHere ? 0 : int64_t(boxes.size())});
  std::vector<Tensor> tensors;
  auto pack = [&](const SortedEntries &from, std::span<const TakenBox> own) -> Status {
    Result<runtime::NumberLists> chosen = from.inside(own, int64_t(own.size()));
    if (!chosen)
      return chosen.takeStatus();
    for (size_t at = 0; at < own.size(); ++at) {
      Result<Tensor> piece = packBox(from, (*chosen)[at], *own[at].box, source.type);
      if (!piece)
        return piece.takeStatus();
      tensors.push_back(std::move(*piece));
    }
    return Status();
  };
  Status packed;
  if (!source.isHere)
    packed = pack(come ? *come : source.entries.front(), boxes);
  for (size_t own = 0; source.isHere && packed.ok() && own < boxes.size(); ++own)
    packed = pack(source.entries[own], {&boxes[own], 1});
  if (!packed.ok())
    return packed;
  return assembled(source.type, source.from.sizes(), move.targets, std::move(tensors));
}

// Packs the entries of these numbers, which lie in a box, as a piece.
Result<Tensor> Moves::packBox(const SortedEntries &from, std::span<const int64_t> chosen,
                              const Box &box, TypeId type) {
  Result<Coordinates> entries = runtime::dist::entriesIn(box, from.list(), chosen);
  if (!entries)
    return entries.takeStatus();
  if (Status sorted = entries->sort(); !sorted.ok())
    return sorted;
  return provider.pack(std::move(*entries), program.type(type).piece, program.format(type).fill);
}

} // namespace strata::host
