// Divides entries by the coordinates that they have in the levels of a part.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/Divide.h"

#include "strata/host/LevelSpace.h"
#include "strata/runtime/CopyBytes.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>

using strata::runtime::Buffer;
using strata::runtime::Coordinates;
using strata::runtime::Result;
using strata::runtime::Status;

namespace strata::host {
namespace {

// One flag for each entry of a list: true if a part takes it.
using Taken = std::vector<char>;

// Entries in the space of a part's levels, sorted by them; their values are their numbers in the
// list that is divided.
class PartLevels {
public:
  PartLevels(const StoredFormat &part, const Division &division, std::vector<int64_t> sizes)
      : part(part), division(division), sizes(std::move(sizes)) {}

  Status read(const Coordinates &list);
  Taken taken() const;

private:
  // The columns above one, but for slots: an entry begins a group where one changes.
  std::vector<int> columnsAbove(int64_t column) const;
  bool changes(int64_t entry, int column) const {
    return entry == 0 || levels.coordinate(column, entry) != levels.coordinate(column, entry - 1);
  }
  bool begins(int64_t entry, const std::vector<int> &columns) const {
    return entry == 0 || std::any_of(columns.begin(), columns.end(),
                                     [&](int column) { return changes(entry, column); });
  }
  size_t numberOf(int64_t entry) const { return size_t(levels.values().as<int64_t>()[entry]); }
  int64_t usual() const;
  void takeSlots(Taken &taken) const;
  void takeRoom(int64_t column, int64_t places, Taken &taken) const;
  void takeShare(int64_t percent, Taken &taken) const;

  const StoredFormat &part;
  const Division &division;
  std::vector<int64_t> sizes;
  Coordinates levels;
};

Status PartLevels::read(const Coordinates &list) {
  std::vector<Buffer> columns;
  for (int dim = 0; dim < list.order(); ++dim) {
    Result<Buffer> column = list.column(dim).clone();
    if (!column)
      return column.takeStatus();
    columns.push_back(std::move(*column));
  }
  Result<Buffer> numbers = Buffer::allocate(STRATA_I64, list.count());
  if (!numbers)
    return numbers.takeStatus();
  std::iota(numbers->as<int64_t>(), numbers->as<int64_t>() + list.count(), int64_t(0));
  Result<Coordinates> numbered =
      Coordinates::assemble(sizes, std::move(columns), std::move(*numbers));
  if (!numbered)
    return numbered.takeStatus();
  // Which entries a part takes does not depend on the order of its rows: ranks are not looked at.
  Result<Coordinates> mapped = toLevels(std::move(*numbered), part);
  if (!mapped)
    return mapped.takeStatus();
  levels = std::move(*mapped);
  std::vector<int64_t> slots;
  return part.hasSlots() ? countSlots(levels, part, sizes, slots) : levels.sort();
}

std::vector<int> PartLevels::columnsAbove(int64_t column) const {
  std::vector<int> columns;
  for (int64_t above = 0; above < column; ++above)
    if (!part.levels[size_t(above)].isSlot())
      columns.push_back(int(above));
  return columns;
}

int64_t PartLevels::usual() const {
  int slot = int(division.slot);
  std::vector<int> above = columnsAbove(part.levels[size_t(slot)].numbered);
  std::vector<int64_t> filled; // in how many rows slot k holds something
  for (int64_t entry = 0; entry < levels.count(); ++entry) {
    if (!begins(entry, above) && !changes(entry, slot))
      continue;
    auto number = size_t(levels.coordinate(slot, entry));
    filled.resize(std::max(filled.size(), number + 1));
    ++filled[number];
  }
  double rows = 1;
  for (const Affine &counted : division.counted)
    rows *= double(counted.extent(sizes).extent);
  return usualSlots(filled, rows);
}

void PartLevels::takeSlots(Taken &taken) const {
  int64_t slots = division.limit ? division.limit : usual();
  for (int64_t entry = 0; entry < levels.count(); ++entry)
    taken[numberOf(entry)] = levels.coordinate(int(division.slot), entry) < slots;
}

// The first coordinates below each parent, as many as there are places.
void PartLevels::takeRoom(int64_t column, int64_t places, Taken &taken) const {
  std::vector<int> above = columnsAbove(column);
  int64_t held = 0;
  for (int64_t entry = 0; entry < levels.count(); ++entry) {
    if (begins(entry, above))
      held = 1;
    else
      held += changes(entry, int(column));
    taken[numberOf(entry)] &= held <= places;
  }
}

// The groups of places of which enough hold an entry.
void PartLevels::takeShare(int64_t percent, Taken &taken) const {
  std::vector<int> above = columnsAbove(division.group);
  double places = 1;
  std::vector<Extent> extents = part.extents(sizes);
  for (size_t column = size_t(division.group); column < extents.size(); ++column)
    places *= double(extents[column].extent);
  for (int64_t begin = 0, end = 0; begin < levels.count(); begin = end) {
    for (end = begin + 1; end < levels.count() && !begins(end, above);)
      ++end;
    bool enough = 100 * double(end - begin) >= double(percent) * places;
    for (int64_t entry = begin; entry < end; ++entry)
      taken[numberOf(entry)] = enough;
  }
}

Taken PartLevels::taken() const {
  Taken taken(size_t(levels.count()), 1);
  switch (division.kind) {
  case Division::Kind::Slots:
    takeSlots(taken);
    break;
  case Division::Kind::Room:
    for (size_t column = 0; column < division.rooms.size(); ++column)
      if (division.rooms[column])
        takeRoom(int64_t(column), division.rooms[column], taken);
    break;
  case Division::Kind::Share:
    takeShare(division.limit ? division.limit : 50, taken);
    break;
  }
  return taken;
}

// The elements of one or the other kind.
Result<Buffer> chosen(const Buffer &from, const Taken &taken, bool which, int64_t count) {
  Result<Buffer> to = Buffer::allocate(from.type(), count);
  if (!to)
    return to;
  size_t bytes = size_t(strata_type_bytes(from.type()));
  const char *source = static_cast<const char *>(from.data());
  char *target = static_cast<char *>(to->data());
  for (size_t entry = 0; entry < taken.size(); ++entry)
    if (bool(taken[entry]) == which) {
      runtime::copyBytes(target, source + entry * bytes, bytes);
      target += bytes;
    }
  return to;
}

Result<Coordinates> chosen(const Coordinates &list, const Taken &taken, bool which) {
  int64_t count =
      std::count_if(taken.begin(), taken.end(), [&](char own) { return bool(own) == which; });
  std::vector<Buffer> columns;
  for (int dim = 0; dim < list.order(); ++dim) {
    Result<Buffer> column = chosen(list.column(dim), taken, which, count);
    if (!column)
      return column.takeStatus();
    columns.push_back(std::move(*column));
  }
  Result<Buffer> values = chosen(list.values(), taken, which, count);
  if (!values)
    return values.takeStatus();
  return Coordinates::assemble(list.sizes(), std::move(columns), std::move(*values));
}

} // namespace

int64_t usualSlots(std::span<const int64_t> filled, double rows) {
  auto end = std::find_if(filled.begin(), filled.end(),
                          [&](int64_t count) { return 3 * double(count) < rows; });
  return end - filled.begin();
}

// Appends the entries of a list with the same sizes, widths and types.
static Status append(Coordinates &to, const Coordinates &from) {
  int64_t before = to.count();
  if (Status status = to.resize(before + from.count()); !status.ok())
    return status;
  auto copy = [&](Buffer &target, const Buffer &source) {
    size_t bytes = size_t(strata_type_bytes(source.type()));
    if (source.count() > 0)
      std::memcpy(static_cast<char *>(target.data()) + size_t(before) * bytes, source.data(),
                  size_t(source.count()) * bytes);
  };
  for (int dim = 0; dim < to.order(); ++dim)
    copy(to.column(dim), from.column(dim));
  copy(to.values(), from.values());
  return Status();
}

Result<Coordinates> joinParts(size_t parts, std::span<const int64_t> sizes,
                              const std::function<Result<Coordinates>(size_t part)> &entriesOf) {
  std::optional<Coordinates> all;
  for (size_t part = 0; part < parts; ++part) {
    Result<Coordinates> list = entriesOf(part);
    if (!list)
      return list;
    if (Status status = list->convertCoordinates(runtime::coordinateTypeFor(sizes)); !status.ok())
      return status;
    if (!all)
      all = std::move(*list);
    else if (Status status = append(*all, *list); !status.ok())
      return status;
  }
  return std::move(*all);
}

Result<std::vector<Coordinates>> divide(Coordinates list, const std::vector<StoredFormat> &parts,
                                        const std::vector<Division> &divisions) {
  std::vector<Coordinates> lists;
  for (size_t at = 0; at < divisions.size(); ++at) {
    PartLevels levels(parts[at], divisions[at], list.sizes());
    if (Status status = levels.read(list); !status.ok())
      return status;
    Taken taken = levels.taken();
    Result<Coordinates> own = chosen(list, taken, true), rest = chosen(list, taken, false);
    if (!own || !rest)
      return own ? rest.takeStatus() : own.takeStatus();
    lists.push_back(std::move(*own));
    list = std::move(*rest);
  }
  lists.push_back(std::move(list));
  return lists;
}

} // namespace strata::host
