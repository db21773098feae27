// Moves tensors between the cells of machines.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/Moves.h"
#include "strata/host/Pack.h"
#include "strata/host/Slice.h"
#include "strata/runtime/CopyBytes.h"
#include "strata/runtime/dist/ExchangeEntries.h"
#include "strata/runtime/storage/DropFills.h"
#include "strata/runtime/storage/ValueTypes.h"

#include <algorithm>

using strata::runtime::Coordinates;
using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::Storage;
using strata::runtime::dist::Cut;
using strata::runtime::dist::Grid;
using strata::runtime::dist::Numbered;
using strata::runtime::dist::StoredNumbers;
using strata::runtime::dist::World;

namespace strata::host {

bool Moves::storesAll(const TensorType &type) { return !type.isSum() && type.parts.front().full; }

int64_t Moves::sentBytes() const { return job ? job->processes().passed().bytes : 0; }

// Lists the entries of the pieces of this process; what several cells have, once.
Result<Coordinates> Moves::entriesOfPieces(const Tensor &tensor) {
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

// Tells whether cells have one after the other what comes one after the other in a sorted list.
static bool isInOrder(const runtime::dist::Places &places) {
  auto cuts = [](const runtime::dist::Place &place) { return place.cuts(); };
  const auto cut = std::ranges::find_if(places, cuts);
  if (cut == places.end())
    return true;
  if (std::ranges::count_if(places, cuts) > 1)
    return false;
  for (size_t at = 0; at < cut->dims.size(); ++at)
    if (cut->dims[at] != int64_t(at))
      return false;
  return true;
}

Result<Coordinates> Moves::sortedAcross(const Tensor &tensor, const std::string &operation) {
  Result<Coordinates> own = entriesOfPieces(tensor);
  if (own && job && !isInOrder(program.type(tensor.type).places)) {
    if (Status here = meet(operation).takeStatus(); !here.ok())
      return here;
    own = runtime::dist::scatterIntervals(job->processes(), std::move(*own), 0, operation);
  }
  if (own)
    if (Status sorted = own->sort(); !sorted.ok())
      return sorted;
  return own;
}

// Makes what the cells of this process have of a tensor, from a list of it all, or of what they
// have (`isOwn`) and the numbers of that.
Result<Tensor> Moves::piecesOf(Coordinates list, bool isOwn, const StoredNumbers &numbers,
                               TypeId id, std::span<const char> fill) {
  const TensorType &type = program.type(id);
  const Grid &grid = grids[size_t(type.machine)];
  Result<Cut> cut = Cut::make(list, grid, type.places, storesAll(type), numbers);
  if (!cut)
    return cut.takeStatus();
  auto pieces = std::make_shared<Pieces>();
  pieces->sizes = list.sizes();
  const auto [first, last] = grid.cellsOf(job ? job->rank() : 0);
  for (int64_t cell = first; cell < last; ++cell) {
    const runtime::dist::Box box = cut->boxOf(cell);
    // A single cell has all that has come.
    Result<Coordinates> entries = isOwn && last - first == 1
                                      ? runtime::dist::movedInto(box, std::move(list))
                                      : cut->entriesOf(cell);
    if (entries)
      if (Status sorted = entries->sort(); !sorted.ok())
        return sorted;
    Result<Tensor> piece =
        entries ? provider.pack(std::move(*entries), type.piece, fill) : entries.takeStatus();
    if (!piece)
      return piece;
    pieces->own.push_back({cell, box, cut->isFirst(cell), std::move(*piece)});
  }
  return Tensor{.type = id, .pieces = std::move(pieces)};
}

// Gives what cells from `first` to before `last` have of a tensor that is cut by coordinates.
Result<std::vector<Moves::CellBox>> Moves::boxesOf(TypeId id, const std::vector<int64_t> &sizes,
                                                   int64_t first, int64_t last) const {
  const TensorType &type = program.type(id);
  const Grid &grid = grids[size_t(type.machine)];
  Result<Coordinates> nothing = Coordinates::create(sizes, program.format(id).element, 0);
  if (!nothing)
    return nothing.takeStatus();
  Result<Cut> cut = Cut::make(*nothing, grid, type.places, storesAll(type));
  if (!cut)
    return cut.takeStatus();
  std::vector<CellBox> boxes;
  for (int64_t cell = first; cell < last; ++cell)
    boxes.push_back({cut->boxOf(cell), cut->isFirst(cell)});
  return boxes;
}

Result<std::vector<Moves::CellBox>> Moves::boxesOf(TypeId id,
                                                   const std::vector<int64_t> &sizes) const {
  return boxesOf(id, sizes, 0, grids[size_t(program.type(id).machine)].cells());
}

Result<std::shared_ptr<Pieces>> Moves::emptyPieces(TypeId id,
                                                   const std::vector<int64_t> &sizes) const {
  const Grid &grid = grids[size_t(program.type(id).machine)];
  const auto [first, last] = grid.cellsOf(job ? job->rank() : 0);
  Result<std::vector<CellBox>> boxes = boxesOf(id, sizes, first, last);
  if (!boxes)
    return boxes.takeStatus();
  auto pieces = std::make_shared<Pieces>();
  pieces->sizes = sizes;
  int64_t cell = first;
  for (CellBox &box : *boxes)
    pieces->own.push_back({cell++, std::move(box.box), box.isFirst, Tensor()});
  return pieces;
}

// Sends what this process has of a tensor to where it belongs.
Result<Tensor> Moves::movePieces(Coordinates own, TypeId id, std::span<const char> fill,
                                 const std::string &operation) {
  if (!job)
    return piecesOf(std::move(own), /*isOwn=*/false, {}, id, fill);
  World &world = job->processes();
  const TensorType &type = program.type(id);
  const Grid &grid = grids[size_t(type.machine)];
  if (std::optional<std::vector<runtime::dist::EntryRange>> ranges =
          runtime::dist::rangesOfOwners(own, grid, type.places, world.size())) {
    Result<Coordinates> come = scatterRanges(world, std::move(own), *ranges, operation);
    return come ? piecesOf(std::move(*come), /*isOwn=*/true, {}, id, fill) : come.takeStatus();
  }
  // Looks first for what all processes find alike, which is no error of one alone.
  if (Result<std::vector<CellBox>> boxes = boxesOf(id, own.sizes(), 0, 0); !boxes)
    return boxes.takeStatus();
  Numbered numbered{std::move(own), {}};
  if (const std::vector<int64_t> *dims = Cut::storedDims(type.places, storesAll(type))) {
    Result<Numbered> made = numberEntries(world, std::move(numbered.list), *dims, operation);
    if (!made)
      return made.takeStatus();
    numbered = std::move(*made);
  }
  Result<runtime::NumberLists> owners = runtime::NumberLists();
  if (Result<Cut> cut =
          Cut::make(numbered.list, grid, type.places, storesAll(type), numbered.stored))
    owners = cut->entriesOfOwners(world.size());
  else
    owners = cut.takeStatus();
  if (!owners)
    return world.lose(owners.takeStatus(), operation);
  Result<Numbered> come = scatterNumbered(world, std::move(numbered), *owners, operation);
  owners = runtime::NumberLists();
  return come ? piecesOf(std::move(come->list), /*isOwn=*/true, come->stored, id, fill)
              : come.takeStatus();
}

Result<Coordinates> Moves::gatherPieces(Coordinates own, const std::string &operation) {
  if (!job)
    return own;
  return runtime::dist::gatherEntries(job->processes(), own, operation);
}

// Brings what the pieces of this process hold to where it belongs, in pieces or whole.
Status Moves::bring(Coordinates own, TensorId to, TypeId type, const std::string &operation) {
  if (Status here = meet(operation).takeStatus(); !here.ok())
    return here;
  if (program.type(type).machine >= 0)
    return state.define(to, movePieces(std::move(own), type, program.format(type).fill, operation));
  Result<Coordinates> all = gatherPieces(std::move(own), operation);
  if (all)
    if (Status sorted = all->sort(); !sorted.ok())
      return sorted;
  return all ? state.define(to, provider.pack(std::move(*all), type, program.format(type).fill))
             : all.takeStatus();
}

// Tells what each process has sent since.
Status Moves::tellMoved(int64_t sentBefore, const std::string &operation) {
  if (!job)
    return Status();
  Result<std::vector<int64_t>> bytes = meet(operation, sentBytes() - sentBefore);
  if (!bytes)
    return bytes.takeStatus();
  observer.moved(*current, *bytes);
  return Status();
}

// Tells whether both are arrays, in one order of dimensions, the first of which is cut: rows lie
// one behind the other.
static bool areRows(const TensorType &one, const TensorType &other, int64_t dim) {
  return !one.isSum() && !other.isSum() && one.parts.front().isArray() &&
         hasSlices(one.parts.front(), dim) &&
         differInWidthsAlone(one.parts.front(), other.parts.front());
}

// Tells whether cells have slices of a format's first level.
bool Moves::cutsSlices(const TensorType &type) {
  return !type.isSum() && type.dimensionCut() >= 0 &&
         hasSlices(type.parts.front(), type.dimensionCut());
}

// Tells whether each process keeps slices of a tensor that it has whole, which need not be listed.
bool Moves::hasSlicesFor(const Tensor &tensor, TypeId type) const {
  const TensorType &to = program.type(type);
  return tensor.storage && to.machine >= 0 && cutsSlices(to) &&
         differInWidthsAlone(program.format(tensor.type), to.parts.front());
}

// Lets a tensor that each process has whole be one that all cells have, in its format, or the other
// way round: its storage is shared. Returns false if it is something else.
bool Moves::share(const Move &move) {
  using Kind = runtime::dist::Place::Kind;
  const Tensor &from = state.tensor(move.from);
  const TypeId placed = from.pieces ? from.type : move.type;
  const TensorType &type = program.type(placed);
  if (type.machine < 0 || (from.pieces && program.type(move.type).machine >= 0) ||
      !std::ranges::all_of(type.places, [](auto &place) { return place.kind == Kind::All; }))
    return false;
  if (from.pieces) {
    // Each process must have a cell. Widths of other tensors would depend on whether that is so.
    const Tensor *piece = from.pieces->own.empty() ? nullptr : &from.pieces->own.front().tensor;
    const int64_t processes = job ? job->size() : 1;
    if (grids[size_t(type.machine)].cells() < processes || !piece || type.isSum() ||
        !type.parts.front().isArray() || piece->type != provider.decided(move.type, from.sizes()))
      return false;
    state.define(move.to, *piece);
    return true;
  }
  if (!from.storage || from.type != provider.decided(type.piece, from.sizes()))
    return false;
  Result<std::shared_ptr<Pieces>> pieces = emptyPieces(move.type, from.sizes());
  if (!pieces)
    return false;
  for (Pieces::Piece &piece : (*pieces)->own)
    piece.tensor = from;
  state.define(move.to, {.type = move.type, .pieces = std::move(*pieces)});
  return true;
}

// Tells whether each piece of this process lies where it is to be already, in a format that differs
// in widths alone.
bool Moves::isInPlace(const Pieces &before, const Pieces &after, TypeId wanted) const {
  auto isSame = [&](const Pieces::Piece &one, const Pieces::Piece &other) {
    if (one.cell != other.cell || one.box != other.box || !one.tensor.storage)
      return false;
    const TypeId type = provider.decided(wanted, other.box.sizes());
    const StoredFormat &format = program.format(one.tensor.type);
    return one.tensor.type == type ||
           (differInWidthsAlone(format, program.format(type)) && !format.levels.empty() &&
            hasSlices(format, format.levels.front().coordinate.input()));
  };
  return std::ranges::equal(before.own, after.own, isSame);
}

// Gives the piece in the width that its sizes need, in memory of its own if it is to be copied.
Result<Tensor> Moves::inWidths(const Pieces::Piece &piece, TypeId wanted, bool isCopied) {
  const TypeId type = provider.decided(wanted, piece.box.sizes());
  if (piece.tensor.type == type && !isCopied)
    return piece.tensor;
  const Storage &from = *piece.tensor.storage;
  const StoredFormat &format = program.format(piece.tensor.type);
  Result<Storage> storage =
      piece.tensor.type == type
          ? from.copy()
          : Slice(from, format, 0, from.sizes()[size_t(format.levels.front().coordinate.input())])
                .copy(from.sizes(), program.format(type));
  if (!storage)
    return storage.takeStatus();
  return Tensor{.type = type, .storage = std::make_shared<Storage>(std::move(*storage))};
}

// Does nothing but to call the pieces otherwise where all processes can. Tells whether they could.
Result<bool> Moves::stay(const Move &move, const std::string &operation) {
  using Kind = runtime::dist::Place::Kind;
  auto isInterval = [](const runtime::dist::Place &place) {
    return place.kind == Kind::All || (place.kind == Kind::Share && place.dims.size() == 1);
  };
  auto areIntervals = [&](const TensorType &type) {
    return type.machine >= 0 && std::ranges::all_of(type.places, isInterval);
  };
  const Tensor &from = state.tensor(move.from);
  if (!from.pieces || !areIntervals(program.type(move.type)))
    return false;
  Result<std::shared_ptr<Pieces>> pieces = emptyPieces(move.type, from.sizes());
  const TypeId wanted = program.type(move.type).piece;
  bool isAble = pieces && isInPlace(*from.pieces, **pieces, wanted);
  // Boxes of single dimensions have everything that lies in them, before and after. Others have if
  // each is in the box of a cell of its own.
  const bool lieAnywhere = !areIntervals(program.type(from.type));
  if (lieAnywhere && isAble)
    isAble = std::ranges::all_of((*pieces)->own, &Pieces::Piece::isFirst);
  Result<std::vector<int64_t>> able = meet(operation, isAble);
  if (!able)
    return able.takeStatus();
  if (!std::ranges::all_of(*able, [](int64_t one) { return one != 0; }))
    return false;
  for (size_t own = 0; own < (*pieces)->own.size(); ++own) {
    // What was given from outside may lie in memory of somebody else, who may change it.
    Result<Tensor> piece = inWidths(from.pieces->own[own], wanted, lieAnywhere);
    if (!piece)
      return piece.takeStatus();
    (*pieces)->own[own].tensor = std::move(*piece);
  }
  state.define(move.to, {.type = move.type, .pieces = std::move(*pieces)});
  return true;
}

Status Moves::keepSlices(const Tensor &from, TensorId to, TypeId id) {
  const TensorType &type = program.type(id);
  const auto dim = size_t(type.dimensionCut());
  Result<std::shared_ptr<Pieces>> pieces = emptyPieces(id, from.sizes());
  if (!pieces)
    return pieces.takeStatus();
  for (size_t at = 0; at < (*pieces)->own.size(); ++at) {
    Pieces::Piece &piece = (*pieces)->own[at];
    const Slice slice(*from.storage, program.format(from.type), piece.box.lo[dim],
                      piece.box.hi[dim]);
    const TypeId own = provider.decided(type.piece, piece.box.sizes(), slice.count());
    Result<Storage> storage = slice.copy(piece.box.sizes(), program.format(own),
                                         allocatorForMoved(at, id, piece.box.sizes()));
    if (!storage)
      return storage.takeStatus();
    piece.tensor = {.type = own, .storage = std::make_shared<Storage>(std::move(*storage))};
  }
  state.define(to, {.type = id, .pieces = std::move(*pieces)});
  return Status();
}

// Tells whether each process gets an array whole whose rows lie with the cells. A collective
// operation of MPI counts in `int`.
bool Moves::gathersRows(const Move &move) const {
  constexpr double mostBytes = double(int64_t(1) << 33);
  const Tensor &tensor = state.tensor(move.from);
  const TensorType &from = program.type(tensor.type), &to = program.type(move.type);
  if (!tensor.pieces || to.machine >= 0 || !areRows(from, to, from.dimensionCut()))
    return false;
  double bytes = double(runtime::valueBytes(from.parts.front().element));
  for (int64_t size : tensor.sizes())
    bytes *= double(size);
  return bytes <= mostBytes;
}

// Gathers an array whose rows lie with the cells: each process knows what each has, so that
// collective operations alone bring it.
Status Moves::gatherRows(const Move &move, const std::string &operation) {
  const Tensor &from = state.tensor(move.from);
  const auto dim = size_t(program.type(from.type).dimensionCut());
  const Grid &grid = grids[size_t(program.type(from.type).machine)];
  Result<Storage> whole = allPlaces(program.format(move.type), from.sizes());
  if (!whole)
    return whole.takeStatus();
  const int64_t rows = from.sizes()[dim];
  const int64_t rowBytes = rows > 0
                               ? whole->values().count / rows *
                                     int64_t(runtime::valueBytes(program.format(move.type).element))
                               : 0;
  // What each process has is the rows of its cells, one behind the other.
  const int32_t processes = job ? job->size() : 1;
  std::vector<runtime::dist::ByteRange> parts;
  for (int32_t process = 0; process < processes; ++process) {
    const auto [begin, end] = grid.cellsOf(process);
    const int64_t lo = runtime::dist::intervalOf(rows, grid.cells(), begin).first,
                  hi = runtime::dist::intervalOf(rows, grid.cells(), end - 1).second;
    parts.push_back({lo * rowBytes, begin < end ? (hi - lo) * rowBytes : 0});
  }
  char *values = static_cast<char *>(whole->values().data);
  char *to = values + parts[size_t(job ? job->rank() : 0)].begin;
  for (const Pieces::Piece &piece : from.pieces->own) {
    const int64_t count = (piece.box.hi[dim] - piece.box.lo[dim]) * rowBytes;
    runtime::copyBytes(to, piece.tensor.storage->values().data, size_t(count));
    to += count;
  }
  Status gathered = meet(operation).takeStatus();
  if (gathered.ok() && job)
    gathered = runtime::dist::gatherParts(job->processes(), values, parts, operation);
  if (!gathered.ok())
    return gathered;
  state.define(move.to, {.type = provider.decided(move.type, from.sizes()),
                         .storage = std::make_shared<Storage>(std::move(*whole))});
  if (!job)
    return Status();
  std::vector<int64_t> sent;
  for (const runtime::dist::ByteRange &part : parts)
    sent.push_back(part.count * (processes - 1));
  observer.moved(*current, sent);
  return Status();
}

// Does what makes a tensor of others, unless it was done in an earlier run for the same ones.
Status Moves::once(const void *instruction, std::span<const TensorId> from, TensorId to,
                   const std::function<Status()> &make) {
  if (const Tensor *made = kept.find(instruction, from)) {
    state.define(to, *made);
  } else {
    Status done = make();
    part();
    if (!done.ok())
      return done;
  }
  kept.note(instruction, from, to, state.tensor(to));
  return Status();
}

Status Moves::execute(const Move &move) {
  return once(&move, {&move.from, 1}, move.to, [&] { return bringPlaced(move); });
}

Status Moves::bringPlaced(const Move &move) {
  const int64_t before = sentBytes();
  const std::string operation = "the move of " + program.names[size_t(move.from)];
  const Tensor &from = state.tensor(move.from);
  if (gathersRows(move))
    return gatherRows(move, operation);
  if (share(move))
    return Status();
  // Nobody sends what each process has whole.
  if (!from.pieces)
    return place(from, move.to, move.type, operation);
  if (Result<bool> stays = stay(move, operation); !stays || *stays)
    return stays ? Status() : stays.takeStatus();
  if (hasBoxes(from.type) && hasBoxes(move.type)) {
    if (Status moved = state.define(move.to, moveBoxes(from, move.type, operation)); !moved.ok())
      return moved;
    return tellMoved(before, operation);
  }
  // An error of one rank alone comes here, before all exchange anything.
  Result<Coordinates> own = entriesOfPieces(from);
  if (!own)
    return own.takeStatus();
  if (Status dropped = dropFills(*own, from.type, move.type); !dropped.ok())
    return dropped;
  if (Status moved = bring(std::move(*own), move.to, move.type, operation); !moved.ok())
    return moved;
  return tellMoved(before, operation);
}

// Drops what a place for everything holds where it is the fill.
Status Moves::dropFills(Coordinates &list, TypeId from, TypeId to) const {
  const StoredFormat &format = program.format(to);
  return program.format(from).full && !format.full ? runtime::dropFills(list, format.fill)
                                                   : Status();
}

Status Moves::place(const Tensor &whole, TensorId to, TypeId type, const std::string &operation) {
  if (hasSlicesFor(whole, type))
    return keepSlices(whole, to, type);
  if (whole.storage && hasBoxes(whole.type) && hasBoxes(type))
    return state.define(to, moveBoxes(whole, type, operation));
  Result<Coordinates> list = provider.entriesOf(whole);
  if (!list)
    return list.takeStatus();
  if (Status dropped = dropFills(*list, whole.type, type); !dropped.ok())
    return dropped;
  return place(std::move(*list), /*isPart=*/false, to, type, program.format(type).fill, operation);
}

Status Moves::place(Coordinates list, bool isPart, TensorId to, TypeId type,
                    std::span<const char> fill, const std::string &operation) {
  const int64_t before = sentBytes();
  if (Status here = meet(operation).takeStatus(); !here.ok())
    return here;
  if (const TensorType &pieces = program.type(type); !isPart && cutsSlices(pieces)) {
    Result<Tensor> packed = provider.pack(std::move(list), pieces.piece, fill);
    return packed ? keepSlices(*packed, to, type) : packed.takeStatus();
  }
  Result<Tensor> placed = isPart ? movePieces(std::move(list), type, fill, operation)
                                 : piecesOf(std::move(list), /*isOwn=*/false, {}, type, fill);
  if (Status defined = state.define(to, std::move(placed)); !defined.ok())
    return defined;
  return tellMoved(before, operation);
}

} // namespace strata::host
