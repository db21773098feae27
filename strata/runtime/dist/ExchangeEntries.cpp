// Sends lists as bytes: column after column, then the values.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/dist/ExchangeEntries.h"

#include "strata/runtime/CopyBytes.h"
#include "strata/runtime/storage/ValueTypes.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

namespace strata::runtime::dist {
namespace {

// Writes the columns of a list from an entry of another one on, `lo` further.
void put(Coordinates &to, int64_t at, const Coordinates &from, const std::vector<int64_t> &lo) {
  for (int dim = 0; dim < to.order(); ++dim)
    withCoordinateType(to.coordinateType(), [&]<typename To>(To *) {
      withCoordinateType(from.coordinateType(), [&]<typename From>(From *) {
        To *target = to.column(dim).as<To>() + at;
        const From *source = from.column(dim).as<From>();
        for (int64_t entry = 0; entry < from.count(); ++entry)
          target[entry] = static_cast<To>(source[entry] + lo[size_t(dim)]);
      });
    });
  const size_t bytes = valueBytes(to.valueType());
  if (from.count() > 0)
    std::memcpy(static_cast<char *>(to.values().data()) + size_t(at) * bytes, from.values().data(),
                size_t(from.count()) * bytes);
}

size_t coordinateBytes(const Coordinates &list) {
  return list.coordinateType() == STRATA_I32 ? sizeof(int32_t) : sizeof(int64_t);
}

// Returns how many bytes an entry has.
size_t entryBytes(const Coordinates &list) {
  return size_t(list.order()) * coordinateBytes(list) + valueBytes(list.valueType());
}

// Copies the columns, then the values, of the entries of these numbers.
Result<Buffer> bytesOf(const Coordinates &list, std::span<const int64_t> entries) {
  Result<Buffer> bytes = roomForMessages(int64_t(entries.size() * entryBytes(list)));
  if (!bytes)
    return bytes;
  char *to = static_cast<char *>(bytes->data());
  auto append = [&](const void *data, size_t size) {
    for (int64_t entry : entries) {
      std::memcpy(to, static_cast<const char *>(data) + size_t(entry) * size, size);
      to += size;
    }
  };
  for (int dim = 0; dim < list.order(); ++dim)
    append(list.column(dim).data(), coordinateBytes(list));
  append(list.values().data(), valueBytes(list.valueType()));
  return bytes;
}

// Does the same for entries that stand one behind the other.
Result<Buffer> bytesOf(const Coordinates &list, EntryRange range) {
  Result<Buffer> bytes = roomForMessages((range.end - range.begin) * int64_t(entryBytes(list)));
  if (!bytes)
    return bytes;
  char *to = static_cast<char *>(bytes->data());
  auto append = [&](const void *data, size_t size) {
    const size_t count = size_t(range.end - range.begin) * size;
    copyBytes(to, static_cast<const char *>(data) + size_t(range.begin) * size, count);
    to += count;
  };
  for (int dim = 0; dim < list.order(); ++dim)
    append(list.column(dim).data(), coordinateBytes(list));
  append(list.values().data(), valueBytes(list.valueType()));
  return bytes;
}

// Moves entries that stand one behind the other within a list, to where `to` is the first of them.
void shift(Coordinates &list, EntryRange range, int64_t to) {
  if (range.begin == to || range.begin == range.end)
    return;
  auto move = [&](Buffer &buffer, size_t size) {
    char *data = static_cast<char *>(buffer.data());
    std::memmove(data + size_t(to) * size, data + size_t(range.begin) * size,
                 size_t(range.end - range.begin) * size);
  };
  for (int dim = 0; dim < list.order(); ++dim)
    move(list.column(dim), coordinateBytes(list));
  move(list.values(), valueBytes(list.valueType()));
}

// Puts the entries of bytes into a list, from an entry on. Gives how many they were.
int64_t take(Coordinates &list, int64_t at, const Buffer &bytes) {
  const size_t count = size_t(bytes.count()) / entryBytes(list);
  const char *from = static_cast<const char *>(bytes.data());
  auto next = [&](void *data, size_t size) {
    if (count > 0)
      std::memcpy(static_cast<char *>(data) + size_t(at) * size, from, count * size);
    from += count * size;
  };
  for (int dim = 0; dim < list.order(); ++dim)
    next(list.column(dim).data(), coordinateBytes(list));
  next(list.values().data(), valueBytes(list.valueType()));
  return int64_t(count);
}

} // namespace

Result<Coordinates> joined(std::span<const Boxed> lists, const std::vector<int64_t> &sizes,
                           strata_type valueType) {
  int64_t count = 0;
  for (const Boxed &one : lists)
    count += one.list.count();
  Result<Coordinates> all = Coordinates::create(sizes, valueType, count);
  if (!all)
    return all;
  int64_t at = 0;
  for (const Boxed &one : lists) {
    put(*all, at, one.list, one.box->lo);
    at += one.list.count();
  }
  return all;
}

Result<Coordinates> EntryTransfer::finish() {
  Result<std::vector<Buffer>> in = messages.finish();
  if (!in)
    return in.takeStatus();
  int64_t bytes = 0;
  for (const Buffer &one : *in)
    bytes += one.count();
  if (bytes == 0)
    return std::move(kept);
  // What is kept stays in its memory, behind what comes of the processes before this one.
  const int64_t size = int64_t(entryBytes(kept));
  int64_t before = 0;
  for (size_t rank = 0; rank < size_t(self); ++rank)
    before += (*in)[rank].count() / size;
  const int64_t own = kept.count();
  if (Status room = kept.resize(own + bytes / size); !room.ok())
    return room;
  shift(kept, {0, own}, before);
  int64_t at = 0;
  for (size_t rank = 0; rank < in->size(); ++rank)
    at += int32_t(rank) == self ? own : take(kept, at, std::exchange((*in)[rank], Buffer()));
  return std::move(kept);
}

// Sends others their bytes; `kept` are the entries of this process. Others wait for it already.
static Result<EntryTransfer> beginTransfer(World &world, Result<Coordinates> kept,
                                           Result<std::vector<Buffer>> out,
                                           std::string_view operation) {
  if (!kept || !out)
    return world.lose(kept ? out.takeStatus() : kept.takeStatus(), operation);
  Result<Transfer> messages = Transfer::begin(world, std::move(*out), operation);
  if (!messages)
    return messages.takeStatus();
  return EntryTransfer(world.rank(), std::move(*kept), std::move(*messages));
}

static Result<Coordinates> finish(Result<EntryTransfer> transfer) {
  return transfer ? transfer->finish() : transfer.takeStatus();
}

Result<Coordinates> gatherEntries(World &world, const Coordinates &own,
                                  std::string_view operation) {
  Result<Coordinates> kept = own.clone();
  Result<Buffer> out = bytesOf(own, EntryRange{0, own.count()});
  if (!kept || !out)
    return world.lose(kept ? out.takeStatus() : kept.takeStatus(), operation);
  Result<Transfer> messages = Transfer::beginToAll(world, std::move(*out), operation);
  if (!messages)
    return messages.takeStatus();
  return EntryTransfer(world.rank(), std::move(*kept), std::move(*messages)).finish();
}

// Copies what goes to other processes: those of the entries that are chosen for each, by their
// numbers or a range.
template <typename Chosen>
static Result<std::vector<Buffer>> bytesForOthers(const World &world, const Coordinates &own,
                                                  const Chosen &chosen) {
  std::vector<Buffer> out(size_t(world.size()));
  for (size_t rank = 0; rank < out.size(); ++rank) {
    if (int32_t(rank) == world.rank())
      continue;
    Result<Buffer> bytes = bytesOf(own, chosen[rank]);
    if (!bytes)
      return bytes.takeStatus();
    out[rank] = std::move(*bytes);
  }
  return out;
}

Result<EntryTransfer> EntryTransfer::begin(World &world, const Coordinates &own,
                                           const NumberLists &chosen, std::string_view operation) {
  return beginTransfer(world, picked(own, chosen[size_t(world.rank())]),
                       bytesForOthers(world, own, chosen), operation);
}

Result<Coordinates> scatterEntries(World &world, Coordinates &&own, const NumberLists &chosen,
                                   std::string_view operation) {
  Result<std::vector<Buffer>> out = bytesForOthers(world, own, chosen);
  const std::span<const int64_t> here = chosen[size_t(world.rank())];
  Result<Coordinates> kept =
      int64_t(here.size()) == own.count() ? std::move(own) : picked(own, here);
  own = Coordinates();
  return finish(beginTransfer(world, std::move(kept), std::move(out), operation));
}

std::optional<std::vector<EntryRange>> rangesOfOwners(const Coordinates &list, const Grid &grid,
                                                      const Places &places, int64_t ranks) {
  const auto cuts = [](const Place &place) { return place.cuts(); };
  const auto cut = std::ranges::find_if(places, cuts);
  const bool isOfOne = std::ranges::none_of(
      places, [](const Place &place) { return place.kind == Place::Kind::All; });
  if (cut == places.end() || cut->kind != Place::Kind::Share || cut->dims.size() != 1 || !isOfOne ||
      std::ranges::count_if(places, cuts) != 1)
    return std::nullopt;
  // The cells of an axis ascend, and so do their processes.
  const int64_t size = list.sizes()[size_t(cut->dims.front())];
  std::vector<int64_t> cell;
  for (const Place &place : places)
    cell.push_back(place.kind == Place::Kind::At ? place.cell : 0);
  auto ownerOf = [&](int64_t part) {
    cell[size_t(cut - places.begin())] = part;
    int64_t number = 0;
    for (size_t axis = 0; axis < cell.size(); ++axis)
      number = number * grid.axes()[axis] + cell[axis];
    return grid.owner(number);
  };
  const int64_t parts = grid.axes()[size_t(cut - places.begin())], share = shareOf(size, parts);
  std::vector<EntryRange> ranges(size_t(ranks), {0, 0});
  const bool isOrdered = withCoordinateType(list.coordinateType(), [&]<typename C>(C *) {
    const C *column = list.column(int(cut->dims.front())).as<C>();
    int64_t entry = 0, behind = -1; // the part of the last entries
    while (entry < list.count()) {
      const int64_t part = int64_t(column[entry]) / share, begin = entry;
      if (part <= behind)
        return false;
      behind = part;
      const auto [lo, hi] = chunkOf(size, share, part);
      while (entry < list.count() && column[entry] >= lo && column[entry] < hi)
        ++entry;
      EntryRange &own = ranges[size_t(ownerOf(part))];
      own = {own.begin == own.end ? begin : own.begin, entry};
    }
    return true;
  });
  return isOrdered ? std::optional(std::move(ranges)) : std::nullopt;
}

Result<Coordinates> scatterRanges(World &world, Coordinates own, std::span<const EntryRange> ranges,
                                  std::string_view operation) {
  Result<std::vector<Buffer>> out = bytesForOthers(world, own, ranges);
  const EntryRange kept = ranges[size_t(world.rank())];
  shift(own, kept, 0);
  if (Status cut = own.resize(kept.end - kept.begin); !cut.ok())
    return world.lose(cut, operation);
  return finish(beginTransfer(world, std::move(own), std::move(out), operation));
}

Result<Coordinates> scatterIntervals(World &world, Coordinates own, int64_t dim,
                                     std::string_view operation) {
  const int64_t ranks = world.size(), share = shareOf(own.sizes()[size_t(dim)], ranks);
  std::vector<int64_t> counts(static_cast<size_t>(ranks));
  auto forEach = [&](auto body) {
    withCoordinateType(own.coordinateType(), [&]<typename C>(C *) {
      const C *column = own.column(int(dim)).as<C>();
      for (int64_t entry = 0; entry < own.count(); ++entry)
        body(size_t(column[entry] / share), entry);
    });
  };
  forEach([&](size_t rank, int64_t) { ++counts[rank]; });
  Result<NumberLists> chosen = NumberLists::make(counts);
  if (!chosen)
    return world.lose(chosen.takeStatus(), operation);
  std::vector<int64_t *> next = chosen->places();
  forEach([&](size_t rank, int64_t entry) { *next[rank]++ = entry; });
  return scatterEntries(world, std::move(own), *chosen, operation);
}

Result<Numbered> numberEntries(World &world, Coordinates own, const std::vector<int64_t> &dims,
                               std::string_view operation) {
  // Each process numbers the entries of an interval of the first dimension.
  Result<Coordinates> list = scatterIntervals(world, std::move(own), dims.front(), operation);
  if (!list)
    return list.takeStatus();
  Result<StoredNumbers> numbered = numberStored(*list, dims);
  if (!numbered)
    return world.lose(numbered.takeStatus(), operation);
  StoredNumbers stored = std::move(*numbered);
  Result<std::vector<int64_t>> totals = world.allgather({&stored.total, 1}, operation);
  if (!totals)
    return totals.takeStatus();
  const int64_t before =
      std::accumulate(totals->begin(), totals->begin() + world.rank(), int64_t(0));
  for (int64_t &number : stored.numbers)
    number += before;
  stored.total = std::accumulate(totals->begin(), totals->end(), int64_t(0));
  return Numbered{std::move(*list), std::move(stored)};
}

Result<Numbered> scatterNumbered(World &world, Numbered own, const NumberLists &chosen,
                                 std::string_view operation) {
  Result<Coordinates> list = scatterEntries(world, std::move(own.list), chosen, operation);
  if (!list)
    return list.takeStatus();
  if (own.stored.total == 0) // in all processes
    return Numbered{std::move(*list), {}};
  std::vector<Buffer> out;
  for (size_t rank = 0; rank < chosen.size(); ++rank) {
    const std::span<const int64_t> entries = chosen[rank];
    Result<Buffer> bytes = roomForMessages(int64_t(entries.size() * sizeof(int64_t)));
    if (!bytes)
      return world.lose(bytes.takeStatus(), operation);
    char *to = static_cast<char *>(bytes->data());
    for (size_t at = 0; at < entries.size(); ++at)
      std::memcpy(to + at * sizeof(int64_t), &own.stored.numbers[size_t(entries[at])],
                  sizeof(int64_t));
    out.push_back(std::move(*bytes));
  }
  Result<std::vector<Buffer>> in = exchange(world, std::move(out), operation);
  if (!in)
    return in.takeStatus();
  Result<Array<int64_t>> numbers = Array<int64_t>::make(list->count());
  if (!numbers)
    return numbers.takeStatus();
  int64_t *next = numbers->begin();
  for (const Buffer &bytes : *in) {
    copyBytes(next, bytes.data(), size_t(bytes.count()));
    next += bytes.count() / int64_t(sizeof(int64_t));
  }
  return Numbered{std::move(*list), {std::move(*numbers), own.stored.total}};
}

} // namespace strata::runtime::dist
