// Lists what cells need, and fetches it.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/Moves.h"
#include "strata/host/Pack.h"
#include "strata/host/Slice.h"
#include "strata/host/View.h"
#include "strata/runtime/CopyBytes.h"
#include "strata/runtime/dist/ExchangeEntries.h"
#include "strata/runtime/storage/ValueTypes.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

using strata::runtime::Array;
using strata::runtime::Coordinates;
using strata::runtime::NumberLists;
using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::Storage;
using strata::runtime::dist::Grid;

namespace strata::host {
namespace {

// Tells whether what is fetched are the rows of an array, at the coordinates of one dimension.
bool takesRows(const Fetch &fetch, const TensorType &type) {
  return fetch.dims.size() == 1 && !type.isSum() && type.parts.front().isArray();
}

CoordinateList listIn(const Pieces::Piece &piece) {
  const strata_buffer &values = piece.tensor.storage->values();
  return {static_cast<const int64_t *>(values.data), size_t(values.count)};
}

// Lists for each process the numbers of the entries whose coordinates in a dimension it asks for,
// and for this one those of all. Work goes with what is asked for, the entries, and what is listed.
Result<NumberLists> entriesAsked(const Coordinates &entries, int64_t dim, const NumberLists &asked,
                                 size_t self) {
  // Sorts what is asked for by the coordinates.
  Result<Array<int64_t>> sorted = Array<int64_t>::make(int64_t(asked.all().size()));
  if (!sorted)
    return sorted.takeStatus();
  std::iota(sorted->begin(), sorted->end(), 0);
  auto coordinateOf = [&](int64_t at) { return asked.all()[size_t(at)]; };
  std::ranges::sort(*sorted, {}, [&](int64_t at) { return std::pair(coordinateOf(at), at); });
  Result<Array<int32_t>> askers = Array<int32_t>::make(int64_t(asked.all().size()));
  if (!askers)
    return askers.takeStatus();
  int32_t *next = askers->begin();
  for (size_t rank = 0; rank < asked.size(); ++rank)
    next = std::fill_n(next, asked[rank].size(), int32_t(rank));
  auto forEach = [&](auto body) {
    for (int64_t entry = 0; entry < entries.count(); ++entry) {
      const int64_t coordinate = entries.coordinate(int(dim), entry);
      for (auto at = std::ranges::lower_bound(*sorted, coordinate, {}, coordinateOf);
           at != sorted->end() && coordinateOf(*at) == coordinate; ++at)
        body(size_t((*askers)[size_t(*at)]), entry);
      body(self, entry);
    }
  };
  std::vector<int64_t> counts(asked.size());
  forEach([&](size_t rank, int64_t) { ++counts[rank]; });
  Result<NumberLists> chosen = NumberLists::make(counts);
  if (!chosen)
    return chosen;
  std::vector<int64_t *> places = chosen->places();
  forEach([&](size_t rank, int64_t entry) { *places[rank]++ = entry; });
  return chosen;
}

} // namespace

//===------------------------------------------------------------------------------------------===//
// Lists
//===------------------------------------------------------------------------------------------===//

// Lists the coordinates of a dimension at which a piece stores something, ascending.
Result<std::vector<int64_t>> Moves::coordinatesOf(const Tensor &piece, int64_t dim) {
  if (piece.storage && storesCoordinates(program.format(piece.type), {&dim, 1}))
    return storedCoordinates(*piece.storage, program.format(piece.type), dim);
  Result<Coordinates> entries = provider.entriesOf(piece);
  if (!entries)
    return entries.takeStatus();
  return differentCoordinates(*entries, dim, entries->sizes()[size_t(dim)]);
}

// Lists those of all pieces that a cell of this process needs something for.
Result<std::vector<int64_t>> Moves::coordinatesOf(const Needs &needs, size_t own) {
  std::vector<int64_t> all;
  for (size_t at = 0; at < needs.tensors.size(); ++at) {
    const Pieces::Piece &piece = state.tensor(needs.tensors[at]).pieces->own[own];
    const int64_t dim = needs.dims[at], first = piece.box.lo[size_t(dim)];
    Result<std::vector<int64_t>> here = coordinatesOf(piece.tensor, dim);
    if (!here)
      return here;
    for (int64_t &coordinate : *here)
      coordinate += first;
    if (all.empty()) {
      all = std::move(*here);
      continue;
    }
    std::vector<int64_t> before = std::exchange(all, {});
    std::ranges::set_union(before, *here, std::back_inserter(all));
  }
  return all;
}

Status Moves::execute(const Needs &needs) {
  return once(&needs, needs.tensors, needs.to, [&] { return list(needs); });
}

// Makes the piece of a cell of a tensor whose dimension is listed.
Result<Tensor> Moves::listPiece(TypeId listed, std::span<const int64_t> list) {
  const std::vector<int64_t> sizes = {int64_t(list.size())};
  const TypeId type = provider.decided(program.type(listed).piece, sizes);
  Result<Storage> storage = allPlaces(program.format(type), sizes);
  if (!storage)
    return storage.takeStatus();
  runtime::copyBytes(storage->values().data, list.data(), list.size_bytes());
  return Tensor{.type = type, .storage = std::make_shared<Storage>(std::move(*storage))};
}

Status Moves::list(const Needs &needs) {
  const Pieces &like = *state.tensor(needs.tensors.front()).pieces;
  const int64_t size = like.sizes[size_t(needs.dims.front())];
  auto pieces = std::make_shared<Pieces>();
  pieces->sizes = {size};
  for (size_t own = 0; own < like.own.size(); ++own) {
    Result<std::vector<int64_t>> list = coordinatesOf(needs, own);
    if (!list)
      return list.takeStatus();
    Result<Tensor> piece = listPiece(needs.type, *list);
    if (!piece)
      return piece.takeStatus();
    pieces->own.push_back(
        {like.own[own].cell, {{0}, {size}}, like.own[own].isFirst, std::move(*piece)});
  }
  state.define(needs.to, {.type = needs.type, .pieces = std::move(pieces)});
  return Status();
}

// Lists an interval for each cell of this process.
Status Moves::execute(const ReachList &reach) {
  const int64_t size = state.size(reach.size), extent = state.size(reach.extent);
  const Grid &grid = grids[size_t(program.type(reach.type).machine)];
  const auto axis = size_t(reach.axis);
  Result<std::shared_ptr<Pieces>> pieces = emptyPieces(reach.type, {size});
  if (!pieces)
    return pieces.takeStatus();
  for (Pieces::Piece &piece : (*pieces)->own) {
    const auto [lo, hi] = runtime::dist::intervalOf(state.size(reach.cut), grid.axes()[axis],
                                                    grid.coordinates(piece.cell)[axis]);
    const int64_t least = std::max<int64_t>(lo - reach.shift, 0),
                  end = std::min(hi - reach.shift, extent);
    Result<Array<int64_t>> list =
        Array<int64_t>::make(least < end ? end - 1 + reach.width - least : 0);
    if (!list)
      return list.takeStatus();
    std::iota(list->begin(), list->end(), least + reach.first);
    Result<Tensor> made = listPiece(reach.type, {list->begin(), list->end()});
    if (!made)
      return made.takeStatus();
    piece.tensor = std::move(*made);
  }
  state.define(reach.to, {.type = reach.type, .pieces = std::move(*pieces)});
  return Status();
}

//===------------------------------------------------------------------------------------------===//
// Fetching
//===------------------------------------------------------------------------------------------===//

size_t Moves::ownCells(const Fetch &fetch) const {
  return state.tensor(fetch.lists.front()).pieces->own.size();
}

// Gives what these lists name on a cell of this process.
std::vector<CoordinateList> Moves::needListsOf(const std::vector<TensorId> &tensors,
                                               size_t own) const {
  std::vector<CoordinateList> lists;
  for (TensorId list : tensors)
    lists.push_back(listIn(state.tensor(list).pieces->own[own]));
  return lists;
}

// Makes a dense piece of what is fetched, of these sizes.
Result<Tensor> Moves::roomFor(const Fetch &fetch, std::vector<int64_t> sizes) {
  const TypeId type = provider.decided(program.type(fetch.type).piece, sizes);
  Result<Storage> storage = allPlaces(program.format(type), std::move(sizes));
  if (!storage)
    return storage.takeStatus();
  return Tensor{.type = type, .storage = std::make_shared<Storage>(std::move(*storage))};
}

DenseRows Moves::rowsOf(const Tensor &tensor, int64_t dim) const {
  return *DenseRows::of(program.format(tensor.type), *tensor.storage, dim);
}

std::vector<DenseRows> Moves::rowsOf(std::span<const Tensor> tensors, int64_t dim) const {
  std::vector<DenseRows> rows;
  for (const Tensor &tensor : tensors)
    rows.push_back(rowsOf(tensor, dim));
  return rows;
}

// Makes a view of what a cell reads where it lies in a piece, with the halo of that as room for the
// rest; without a storage where there is no such halo, which is then asked for.
Result<Tensor> Moves::inPlace(const Fetch &fetch, const FetchPlan::InPlace &rows,
                              const Tensor &piece, std::vector<int64_t> sizes) {
  const int64_t dim = fetch.dims.front();
  const DenseRows all = rowsOf(piece, dim);
  Storage &storage = *piece.storage;
  const runtime::Halo halo{rows.before * all.rowBytes(), rows.after * all.rowBytes()};
  if (all.runs != 1 || storage.bufferCount() != 1)
    return Tensor();
  std::shared_ptr<void> loan;
  if (rows.before + rows.after > 0) {
    runtime::HaloMaker *maker = runtime::HaloMaker::of(storage.allocator());
    if (!maker)
      return Tensor();
    maker->ask(halo);
    const bool isWhole =
        storage.values().owned && all.count * all.rowBytes() == maker->blockBytes() &&
        storage.values().capacity * int64_t(strata_type_bytes(storage.values().type)) ==
            maker->blockBytes();
    loan = isWhole ? maker->lend(all.data, halo) : nullptr;
    if (!loan)
      return Tensor();
  }
  const TypeId type = provider.decided(program.type(fetch.type).piece, sizes);
  std::shared_ptr<Storage> view = keeping(Storage(std::move(sizes), program.format(type).buffers),
                                          {piece.storage}, std::move(loan));
  const strata_buffer &values = storage.values();
  view->adopt(0, all.run(0, rows.row) - halo.before,
              (halo.before + rows.count * all.rowBytes() + halo.after) /
                  strata_type_bytes(values.type),
              strata_type(values.type));
  return Tensor{.type = type, .storage = std::move(view)};
}

// Makes what a cell reads of rows that this process has, and of those that have come: as many as
// its list names, of these sizes.
Result<Tensor> Moves::filledPiece(const Fetch &fetch, FetchPlan &plan, size_t cell,
                                  CoordinateList list, std::vector<int64_t> sizes,
                                  std::span<const Tensor> pieces,
                                  std::span<const DenseRows> rowsOfPieces) {
  const int64_t dim = fetch.dims.front();
  sizes[size_t(dim)] = int64_t(list.size());
  Result<Tensor> made = Tensor();
  if (const std::optional<FetchPlan::InPlace> &rows = plan.inPlace(cell))
    made = inPlace(fetch, *rows, pieces[size_t(rows->piece)], sizes);
  if (made && !made->storage)
    made = roomFor(fetch, std::move(sizes));
  if (made)
    copiedBytes += plan.fill(cell, rowsOf(*made, dim), rowsOfPieces);
  return made;
}

// Makes what a cell needs of what this process has, from these coordinates on.
Result<Tensor> Moves::fetchPiece(const Fetch &fetch, const Tensor &from,
                                 const std::vector<int64_t> &first, size_t own) {
  const std::vector<CoordinateList> lists = needListsOf(fetch.lists, own);
  if (takesRows(fetch, program.type(fetch.type))) {
    const DenseRows rows = rowsOf(from, fetch.dims.front());
    Result<FetchPlan> plan =
        FetchPlan::make(nullptr, lists, {{0, rows.count, 0}}, {}, rows.rowBytes(), "");
    if (!plan)
      return plan.takeStatus();
    return filledPiece(fetch, *plan, 0, lists.front(), from.sizes(), {&from, 1}, {&rows, 1});
  }
  if (Result<Tensor> piece = renumberedPiece(fetch, from, first, own); !piece || piece->storage)
    return piece;
  Result<Coordinates> entries = provider.entriesOf(from);
  return entries ? packListed(fetch, *entries, first, own) : entries.takeStatus();
}

// Makes it of what stores the coordinates that are listed, all of which are in the lists; without a
// storage if that is not so.
Result<Tensor> Moves::renumberedPiece(const Fetch &fetch, const Tensor &from,
                                      const std::vector<int64_t> &first, size_t own) {
  if (!from.storage || !storesCoordinates(program.format(from.type), fetch.dims))
    return Tensor();
  const std::vector<CoordinateList> lists = needListsOf(fetch.lists, own);
  std::vector<int64_t> sizes = from.sizes();
  for (size_t at = 0; at < fetch.dims.size(); ++at)
    sizes[size_t(fetch.dims[at])] = int64_t(lists[at].size());
  const TypeId type = provider.decided(program.type(fetch.type).piece, sizes);
  const StoredFormat &format = program.format(from.type), &wanted = program.format(type);
  if (!differInWidthsAlone(format, wanted))
    return Tensor();
  Result<std::shared_ptr<Storage>> storage =
      renumbered(from.storage, format, first, fetch.dims, lists, std::move(sizes), wanted);
  if (!storage)
    return storage.takeStatus();
  return Tensor{.type = type, .storage = std::move(*storage)};
}

Result<Tensor> Moves::packListed(const Fetch &fetch, const Coordinates &entries,
                                 const std::vector<int64_t> &first, size_t own) {
  Result<Coordinates> listed =
      restricted(entries, first, fetch.dims, needListsOf(fetch.lists, own));
  if (!listed)
    return listed.takeStatus();
  if (Status sorted = listed->sort(); !sorted.ok())
    return sorted;
  return provider.pack(std::move(*listed), program.type(fetch.type).piece,
                       program.format(fetch.type).fill);
}

Result<FetchPlan> Moves::makePlan(const Fetch &fetch, const std::string &operation) const {
  const Tensor &from = state.tensor(fetch.from);
  const TensorType &type = program.type(from.type);
  const Grid &grid = grids[size_t(type.machine)];
  const auto dim = size_t(fetch.dims.front());
  Result<std::vector<CellBox>> boxes = boxesOf(from.type, from.sizes());
  if (!boxes)
    return boxes.takeStatus();
  auto intervalOf = [&](int64_t cell) {
    const runtime::dist::Box &box = (*boxes)[size_t(cell)].box;
    return runtime::dist::Home{box.lo[dim], box.hi[dim], int32_t(grid.owner(cell))};
  };
  // Of what several cells have, entries are those of the first.
  FetchPlan::Intervals own, first;
  for (const Pieces::Piece &piece : from.pieces->own)
    if (piece.isFirst || takesRows(fetch, type))
      own.push_back(intervalOf(piece.cell));
  for (int64_t cell = 0; cell < grid.cells(); ++cell)
    if ((*boxes)[size_t(cell)].isFirst)
      first.push_back(intervalOf(cell));
  std::vector<CoordinateList> needed;
  const std::shared_ptr<const Pieces> &lists = state.tensor(fetch.lists.front()).pieces;
  for (const Pieces::Piece &piece : lists->own)
    needed.push_back(listIn(piece));
  // The rows of a dense tensor are of one size, and its pieces have all of the other dimensions.
  int64_t rowBytes =
      takesRows(fetch, type) ? int64_t(runtime::valueBytes(type.parts.front().element)) : 0;
  for (size_t other = 0; other < from.sizes().size(); ++other)
    rowBytes *= other == dim ? 1 : from.sizes()[other];
  Result<FetchPlan> plan =
      FetchPlan::make(job ? &job->processes() : nullptr, needed, own, first, rowBytes, operation);
  if (plan)
    plan->key = {lists, from.sizes(), from.type};
  return plan;
}

// Fetches rows of a dense tensor that lie with the cells of a machine.
Result<std::vector<Tensor>> Moves::fetchRows(const Fetch &fetch, FetchPlan &plan) {
  std::vector<Tensor> homes, pieces;
  const Tensor &from = state.tensor(fetch.from);
  for (const Pieces::Piece &piece : from.pieces->own)
    homes.push_back(piece.tensor);
  const std::vector<DenseRows> rows = rowsOf(homes, fetch.dims.front());
  if (Status brought = plan.bring(rows); !brought.ok())
    return brought;
  for (size_t own = 0; own < ownCells(fetch); ++own) {
    const CoordinateList list = needListsOf(fetch.lists, own).front();
    Result<Tensor> piece = filledPiece(fetch, plan, own, list, from.sizes(), homes, rows);
    if (!piece)
      return piece.takeStatus();
    pieces.push_back(std::move(*piece));
  }
  return pieces;
}

// Fetches entries of any other tensor that do; `entries` are those of this process.
Result<std::vector<Tensor>> Moves::fetchEntries(const Fetch &fetch, const FetchPlan &plan,
                                                Coordinates entries, const std::string &operation) {
  if (job) {
    Result<NumberLists> chosen =
        entriesAsked(entries, fetch.dims.front(), *plan.asked(), size_t(job->rank()));
    if (!chosen) // others wait
      return job->processes().lose(chosen.takeStatus(), operation);
    Result<Coordinates> come =
        scatterEntries(job->processes(), std::move(entries), *chosen, operation);
    if (!come)
      return come.takeStatus();
    entries = std::move(*come);
  }
  const std::vector<int64_t> first(entries.sizes().size());
  std::vector<Tensor> pieces;
  for (size_t own = 0; own < ownCells(fetch); ++own) {
    Result<Tensor> piece = packListed(fetch, entries, first, own);
    if (!piece)
      return piece.takeStatus();
    pieces.push_back(std::move(*piece));
  }
  return pieces;
}

// Makes what cells need of what each process has, or of pieces that lie where they are needed.
Result<std::vector<Tensor>> Moves::fetchHere(const Fetch &fetch) {
  const Tensor &from = state.tensor(fetch.from);
  const std::vector<int64_t> zero(from.sizes().size());
  std::vector<Tensor> pieces;
  for (size_t own = 0; own < ownCells(fetch); ++own) {
    Result<Tensor> piece = from.pieces ? fetchPiece(fetch, from.pieces->own[own].tensor,
                                                    from.pieces->own[own].box.lo, own)
                                       : fetchPiece(fetch, from, zero, own);
    if (!piece)
      return piece.takeStatus();
    pieces.push_back(std::move(*piece));
  }
  return pieces;
}

// Fetches by a plan, which is kept as long as its lists are, and the tensor is of the same sizes.
// All processes keep the same plans, and so all know what each sends.
Result<std::vector<Tensor>> Moves::fetchFromCells(const Fetch &fetch) {
  const std::string operation =
      "the fetch of what cells need of " + program.names[size_t(fetch.from)];
  const Tensor &from = state.tensor(fetch.from);
  const bool dense = takesRows(fetch, program.type(from.type));
  // An error of one process alone comes here, before all exchange anything.
  Result<Coordinates> entries = dense ? Coordinates() : entriesOfPieces(from);
  if (!entries)
    return entries.takeStatus();
  std::shared_ptr<FetchPlan> &plan = plans[&fetch];
  const bool isKept = plan && plan->key.is(state.tensor(fetch.lists.front()).pieces, from);
  const bool isKnown = isKept && dense; // what each sends
  Result<std::vector<int64_t>> bytes = meetToSend(operation, isKnown ? plan.get() : nullptr);
  if (!bytes)
    return bytes.takeStatus();
  if (!isKept) {
    Result<FetchPlan> made = makePlan(fetch, operation);
    if (!made)
      return made.takeStatus();
    plan = std::make_shared<FetchPlan>(std::move(*made));
  }
  const int64_t before = sentBytes();
  Result<std::vector<Tensor>> pieces =
      dense ? fetchRows(fetch, *plan) : fetchEntries(fetch, *plan, std::move(*entries), operation);
  if (pieces && !isKnown)
    bytes = meet(operation, sentBytes() - before);
  if (!bytes)
    return bytes.takeStatus();
  observer.fetched(*current, *bytes, !isKept);
  return pieces;
}

// Gives the key of an array; nothing of other tensors.
std::optional<Moves::MakerKey> Moves::makerKey(const void *instruction, size_t own, TypeId id,
                                               const std::vector<int64_t> &sizes) const {
  const TensorType &type = program.type(id);
  if (type.isSum() || !type.parts.front().isArray())
    return std::nullopt;
  auto bytes = int64_t(runtime::valueBytes(type.parts.front().element));
  for (int64_t size : sizes)
    if (__builtin_mul_overflow(bytes, size, &bytes))
      return std::nullopt; // there is no such memory
  return MakerKey{instruction, own, bytes};
}

// Chooses the memory of an array, of which a fetch may have asked for a halo when one of the same
// sizes was made before.
strata_allocator Moves::allocatorBy(const MakerKey &key) {
  runtime::HaloMaker *&maker = makers[key];
  maker = maker ? maker->nextMaker() : runtime::HaloMaker::make(std::get<int64_t>(key));
  return maker->allocator();
}

void Moves::allocateWithHalo(const Distribute &cells, size_t own, TensorId piece,
                             const std::vector<int64_t> &sizes) {
  if (const std::optional<MakerKey> key = makerKey(&cells, own, cells.type, sizes))
    state.allocators[piece] = allocatorBy(*key);
}

// Does the same for what the current instruction moves to a cell. Most are executed once; then they
// have no makers, which are never released.
strata_allocator Moves::allocatorForMoved(size_t own, TypeId type,
                                          const std::vector<int64_t> &sizes) {
  const std::optional<MakerKey> key = makerKey(current, own, type, sizes);
  return !key || makers.try_emplace(*key, nullptr).second ? strata_default_allocator()
                                                          : allocatorBy(*key);
}

Status Moves::execute(const Fetch &fetch) {
  std::vector<TensorId> from = fetch.lists;
  from.push_back(fetch.from);
  return once(&fetch, from, fetch.to, [&] { return bring(fetch); });
}

Status Moves::bring(const Fetch &fetch) {
  const Tensor &from = state.tensor(fetch.from);
  copiedBytes = 0;
  Result<std::vector<Tensor>> made =
      fetch.comesFromCells ? fetchFromCells(fetch) : fetchHere(fetch);
  if (!made)
    return made.takeStatus();
  if (takesRows(fetch, program.type(from.type)))
    observer.copied(*current, copiedBytes);
  Result<std::shared_ptr<Pieces>> pieces = emptyPieces(fetch.type, from.sizes());
  if (!pieces)
    return pieces.takeStatus();
  for (size_t own = 0; own < made->size(); ++own)
    (*pieces)->own[own].tensor = std::move((*made)[own]);
  state.define(fetch.to, {.type = fetch.type, .pieces = std::move(*pieces)});
  return Status();
}

} // namespace strata::host
