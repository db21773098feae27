// Cuts lists of entries into the parts of cells.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/dist/Placement.h"

#include "strata/runtime/storage/ValueTypes.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <tuple>

namespace strata::runtime::dist {
namespace {

// Returns how many places the dimensions behind the first one have for each of its coordinates.
int64_t placesBehind(const std::vector<int64_t> &sizes, const std::vector<int64_t> &dims) {
  int64_t places = 1;
  for (size_t at = 1; at < dims.size(); ++at)
    places *= sizes[size_t(dims[at])];
  return places;
}

} // namespace

void copyValues(const Coordinates &from, std::span<const int64_t> entries, Coordinates &to) {
  const size_t bytes = valueBytes(from.valueType());
  const char *source = static_cast<const char *>(from.values().data());
  char *target = static_cast<char *>(to.values().data());
  for (int64_t entry : entries) {
    std::memcpy(target, source + size_t(entry) * bytes, bytes);
    target += bytes;
  }
}

Result<StoredNumbers> numberStored(const Coordinates &list, const std::vector<int64_t> &dims) {
  Result<Array<int64_t>> numbers = Array<int64_t>::make(list.count()),
                         sorted = Array<int64_t>::make(list.count());
  if (!numbers || !sorted)
    return numbers ? sorted.takeStatus() : numbers.takeStatus();
  StoredNumbers stored{std::move(*numbers)};
  Array<int64_t> &order = *sorted;
  std::iota(order.begin(), order.end(), 0);
  withCoordinateType(list.coordinateType(), [&]<typename C>(C *) {
    auto compare = [&](int64_t left, int64_t right) {
      for (int64_t dim : dims) {
        const C *column = list.column(int(dim)).as<C>();
        if (column[left] != column[right])
          return column[left] < column[right] ? -1 : 1;
      }
      return 0;
    };
    auto isBefore = [&](int64_t left, int64_t right) { return compare(left, right) < 0; };
    if (!std::is_sorted(order.begin(), order.end(), isBefore))
      std::sort(order.begin(), order.end(), isBefore);
    for (size_t at = 0; at < order.size(); ++at) {
      stored.total += at == 0 || compare(order[at - 1], order[at]) != 0;
      stored.numbers[size_t(order[at])] = stored.total - 1;
    }
  });
  return stored;
}

std::vector<int64_t> Box::sizes() const {
  std::vector<int64_t> result;
  for (size_t dim = 0; dim < lo.size(); ++dim)
    result.push_back(hi[dim] - lo[dim]);
  return result;
}

const std::vector<int64_t> *Cut::storedDims(const Places &places, bool isFull) {
  auto found = std::find_if(places.begin(), places.end(),
                            [](const Place &place) { return place.kind == Place::Kind::Entries; });
  return found == places.end() || isFull ? nullptr : &found->dims;
}

Result<Cut> Cut::make(const Coordinates &list, const Grid &grid, const Places &places, bool isFull,
                      const StoredNumbers &known) {
  Cut cut(list, grid, places);
  cut.parts.resize(places.size());
  cut.shares.resize(places.size());
  cut.hulls.resize(places.size());
  for (size_t axis = 0; axis < places.size(); ++axis)
    if (places[axis].cuts())
      if (Status found = cut.find(axis, isFull, known); !found.ok())
        return found;
  return cut;
}

// Numbers the shares in row-major order of the axes that cut.
int64_t Cut::shareOfCell(const std::vector<int64_t> &cell) const {
  int64_t share = 0;
  for (size_t axis = 0; axis < places.size(); ++axis)
    if (places[axis].cuts())
      share = share * grid.axes()[axis] + cell[axis];
  return share;
}

// Brings the entries of each share together, in the order of the list. Time and memory go with the
// entries, however many shares there are.
Status Cut::group() const {
  const auto count = size_t(list.count());
  Result<Array<int64_t>> shared = Array<int64_t>::filled(list.count(), 0),
                         numbers = Array<int64_t>::make(list.count());
  if (!shared || !numbers)
    return shared ? numbers.takeStatus() : shared.takeStatus();
  if (Status found = findParts(); !found.ok())
    return found;
  goesTo = std::move(*shared);
  int64_t all = 1;
  for (size_t axis = 0; axis < places.size(); ++axis) {
    if (!places[axis].cuts())
      continue;
    all *= grid.axes()[axis];
    for (size_t entry = 0; entry < count; ++entry)
      goesTo[entry] = goesTo[entry] * grid.axes()[axis] + parts[axis][entry];
  }
  grouped = std::move(*numbers);
  std::iota(grouped.begin(), grouped.end(), 0);
  if (all == 1 || std::is_sorted(goesTo.begin(), goesTo.end()))
    return Status();
  if (all > list.count()) {
    std::sort(grouped.begin(), grouped.end(), [&](int64_t a, int64_t b) {
      return std::pair(goesTo[size_t(a)], a) < std::pair(goesTo[size_t(b)], b);
    });
    return Status();
  }
  std::vector<int64_t> next(size_t(all) + 1);
  for (int64_t share : goesTo)
    ++next[size_t(share) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  for (size_t entry = 0; entry < count; ++entry)
    grouped[size_t(next[size_t(goesTo[entry])]++)] = int64_t(entry);
  return Status();
}

Status Cut::find(size_t axis, bool isFull, const StoredNumbers &known) {
  const std::vector<int64_t> &dims = places[axis].dims;
  if (places[axis].kind == Place::Kind::Entries && !isFull) {
    if (known.total > 0)
      return findEntries(axis, known);
    Result<StoredNumbers> numbered = numberStored(list, dims);
    return numbered ? findEntries(axis, *numbered) : numbered.takeStatus();
  }
  int64_t all = 1;
  for (int64_t dim : dims)
    if (__builtin_mul_overflow(all, list.sizes()[size_t(dim)], &all))
      return Error{Error::Placement, "the dimensions that are cut together have too many places"};
  shares[axis] = shareOf(all, grid.axes()[axis]);
  return Status();
}

// Finds the part of each entry on all axes that cut.
Status Cut::findParts() const {
  for (size_t axis = 0; axis < places.size(); ++axis)
    if (places[axis].cuts() && parts[axis].size() != size_t(list.count()))
      if (Status found = findParts(axis); !found.ok())
        return found;
  return Status();
}

Status Cut::findParts(size_t axis) const {
  const std::vector<int64_t> &dims = places[axis].dims;
  Result<Array<int32_t>> room = Array<int32_t>::make(list.count());
  if (!room)
    return room.takeStatus();
  Array<int32_t> &part = parts[axis] = std::move(*room);
  withCoordinateType(list.coordinateType(), [&]<typename C>(C *) {
    if (dims.size() == 1) {
      const C *column = list.column(int(dims.front())).as<C>();
      const auto share = C(std::min<int64_t>(shares[axis], std::numeric_limits<C>::max()));
      for (int64_t entry = 0; entry < list.count(); ++entry)
        part[size_t(entry)] = int32_t(column[entry] / share);
      return;
    }
    for (int64_t entry = 0; entry < list.count(); ++entry) {
      int64_t place = 0;
      for (int64_t dim : dims)
        place = place * list.sizes()[size_t(dim)] + list.column(int(dim)).as<C>()[entry];
      part[size_t(entry)] = int32_t(place / shares[axis]);
    }
  });
  return Status();
}

Status Cut::findEntries(size_t axis, const StoredNumbers &known) {
  const int64_t cells = grid.axes()[axis];
  const auto first = int(places[axis].dims.front());
  Result<Array<int32_t>> room = Array<int32_t>::make(list.count());
  if (!room)
    return room.takeStatus();
  parts[axis] = std::move(*room);
  hulls[axis].assign(size_t(cells), {0, 0});
  for (int64_t entry = 0; entry < list.count(); ++entry) {
    // Cell c begins at total * c / cells.
    const int64_t cell = ((known.numbers[size_t(entry)] + 1) * cells - 1) / known.total;
    parts[axis][size_t(entry)] = int32_t(cell);
    auto &[lo, hi] = hulls[axis][size_t(cell)];
    const int64_t coordinate = list.coordinate(first, entry);
    lo = hi == lo ? coordinate : std::min(lo, coordinate);
    hi = std::max(hi, coordinate + 1);
  }
  return Status();
}

// Tells whether each axis gives something to the cell with these coordinates.
bool Cut::has(const std::vector<int64_t> &cell) const {
  for (size_t axis = 0; axis < places.size(); ++axis)
    if (places[axis].kind == Place::Kind::At && cell[axis] != places[axis].cell)
      return false;
  return true;
}

bool Cut::isFirst(int64_t cell) const {
  const std::vector<int64_t> at = grid.coordinates(cell);
  for (size_t axis = 0; axis < places.size(); ++axis)
    if (places[axis].kind == Place::Kind::All && at[axis] != 0)
      return false;
  return has(at);
}

// Adds the owners of the cells that have an entry, of which the coordinates before `axis` are
// known.
void Cut::addOwners(int64_t entry, size_t axis, int64_t cell, std::vector<int64_t> &owners) const {
  if (axis == places.size()) {
    const int64_t owner = grid.owner(cell);
    if (std::find(owners.begin(), owners.end(), owner) == owners.end())
      owners.push_back(owner);
    return;
  }
  const int64_t size = grid.axes()[axis];
  const Place &place = places[axis];
  const bool isOne = place.kind != Place::Kind::All;
  const int64_t only = place.cuts() ? parts[axis][size_t(entry)] : place.cell;
  for (int64_t at = isOne ? only : 0; at < (isOne ? std::min(only + 1, size) : size); ++at)
    addOwners(entry, axis + 1, cell * size + at, owners);
}

// Finds the process of each entry, where no two cells have the same, and the parts are known.
Result<Array<int32_t>> Cut::ownersOfEntries() const {
  const auto count = size_t(list.count());
  Result<Array<int32_t>> room = Array<int32_t>::make(list.count());
  if (!room)
    return room;
  Array<int32_t> &owners = *room;
  // Where a single axis cuts, the process follows from the part.
  const auto cuts = [](const Place &place) { return place.cuts(); };
  const auto axis = size_t(std::ranges::find_if(places, cuts) - places.begin());
  if (std::ranges::count_if(places, cuts) == 1 && grid.axes()[axis] <= list.count()) {
    std::vector<int32_t> ownerOf;
    for (int64_t part = 0; part < grid.axes()[axis]; ++part) {
      int64_t cell = 0;
      for (size_t at = 0; at < places.size(); ++at)
        cell = cell * grid.axes()[at] + (at == axis ? part : places[at].cell);
      ownerOf.push_back(int32_t(grid.owner(cell)));
    }
    for (size_t entry = 0; entry < count; ++entry)
      owners[entry] = ownerOf[size_t(parts[axis][entry])];
    return room;
  }
  Result<Array<int64_t>> numbers = Array<int64_t>::filled(list.count(), 0);
  if (!numbers)
    return numbers.takeStatus();
  Array<int64_t> &cells = *numbers;
  for (size_t axis = 0; axis < places.size(); ++axis) {
    const int64_t size = grid.axes()[axis];
    if (!places[axis].cuts()) {
      for (int64_t &cell : cells)
        cell = cell * size + places[axis].cell;
      continue;
    }
    for (size_t entry = 0; entry < count; ++entry)
      cells[entry] = cells[entry] * size + parts[axis][entry];
  }
  for (size_t entry = 0; entry < count; ++entry)
    owners[entry] = int32_t(grid.owner(cells[entry]));
  return room;
}

Result<NumberLists> Cut::entriesOfOwners(int64_t ranks) const {
  if (Status found = findParts(); !found.ok())
    return found;
  auto choose = [&](auto forOwners) -> Result<NumberLists> {
    std::vector<int64_t> counts(static_cast<size_t>(ranks));
    forOwners([&](size_t owner, int64_t) { ++counts[owner]; });
    Result<NumberLists> entries = NumberLists::make(counts);
    if (!entries)
      return entries;
    std::vector<int64_t *> next = entries->places();
    forOwners([&](size_t owner, int64_t entry) { *next[owner]++ = entry; });
    return entries;
  };
  const bool isUnique = std::none_of(places.begin(), places.end(), [](const Place &place) {
    return place.kind == Place::Kind::All;
  });
  if (isUnique) {
    const Result<Array<int32_t>> found = ownersOfEntries();
    if (!found)
      return found.error();
    return choose([&](auto body) {
      for (int64_t entry = 0; entry < list.count(); ++entry)
        body(size_t((*found)[size_t(entry)]), entry);
    });
  }
  std::vector<int64_t> owners;
  return choose([&](auto body) {
    for (int64_t entry = 0; entry < list.count(); ++entry) {
      owners.clear();
      addOwners(entry, 0, 0, owners);
      for (int64_t owner : owners)
        body(size_t(owner), entry);
    }
  });
}

Box Cut::boxOf(int64_t cell) const {
  const std::vector<int64_t> at = grid.coordinates(cell);
  Box box = Box::whole(list.sizes());
  if (!has(at))
    return {box.lo, box.lo};
  for (size_t axis = 0; axis < places.size(); ++axis) {
    if (!places[axis].cuts())
      continue;
    const auto first = size_t(places[axis].dims.front());
    if (shares[axis] == 0) {
      std::tie(box.lo[first], box.hi[first]) = hulls[axis][size_t(at[axis])];
      continue;
    }
    const int64_t behind = std::max<int64_t>(placesBehind(list.sizes(), places[axis].dims), 1);
    const int64_t all = list.sizes()[first] * behind;
    const auto [lo, hi] = intervalOf(all, grid.axes()[axis], at[axis]);
    box.lo[first] = lo / behind;
    box.hi[first] = hi > lo ? (hi - 1) / behind + 1 : box.lo[first];
  }
  return box;
}

Result<Coordinates> Cut::entriesOf(int64_t cell) const {
  const std::vector<int64_t> at = grid.coordinates(cell);
  if (!has(at))
    return entriesIn(boxOf(cell), list, {});
  if (grouped.size() != size_t(list.count()))
    if (Status found = group(); !found.ok())
      return found;
  const int64_t share = shareOfCell(at);
  auto beginOf = [&](int64_t wanted) {
    return std::partition_point(grouped.begin(), grouped.end(),
                                [&](int64_t entry) { return goesTo[size_t(entry)] < wanted; });
  };
  return entriesIn(boxOf(cell), list, {beginOf(share), beginOf(share + 1)});
}

Result<Coordinates> picked(const Coordinates &list, std::span<const int64_t> chosen) {
  return entriesIn(Box::whole(list.sizes()), list, chosen);
}

Result<Coordinates> movedInto(const Box &box, Coordinates list) {
  std::vector<Buffer> columns;
  for (int dim = 0; dim < list.order(); ++dim) {
    withCoordinateType(list.coordinateType(), [&]<typename C>(C *) {
      C *column = list.column(dim).as<C>();
      const C lo = static_cast<C>(box.lo[size_t(dim)]);
      for (int64_t entry = 0; lo != 0 && entry < list.count(); ++entry)
        column[entry] -= lo;
    });
    columns.push_back(std::move(list.column(dim)));
  }
  return Coordinates::assemble(box.sizes(), std::move(columns), std::move(list.values()));
}

Result<Coordinates> entriesIn(const Box &box, const Coordinates &list,
                              std::span<const int64_t> chosen) {
  Result<Coordinates> part = Coordinates::create(box.sizes(), list.coordinateType(),
                                                 list.valueType(), int64_t(chosen.size()));
  if (!part)
    return part;
  withCoordinateType(list.coordinateType(), [&]<typename C>(C *) {
    for (int dim = 0; dim < list.order(); ++dim) {
      const C *from = list.column(dim).as<C>();
      C *to = part->column(dim).as<C>();
      for (size_t entry = 0; entry < chosen.size(); ++entry)
        to[entry] = static_cast<C>(from[chosen[entry]] - box.lo[size_t(dim)]);
    }
  });
  copyValues(list, chosen, *part);
  return part;
}

} // namespace strata::runtime::dist
