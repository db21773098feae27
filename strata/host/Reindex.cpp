// Lists entries by the index variables that reach them.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/Reindex.h"

#include "strata/runtime/CopyBytes.h"
#include "strata/runtime/Parallel.h"
#include "strata/runtime/storage/Array.h"
#include "strata/runtime/storage/Generate.h"

#include <algorithm>
#include <numeric>

using strata::runtime::Array;
using strata::runtime::Coordinates;
using strata::runtime::Error;
using strata::runtime::Result;
using strata::runtime::Status;

namespace strata::host {
namespace {

// Entries that are written one after the other into a list with values of the same type as
// another's.
class EntryWriter {
public:
  /// Begins with entry `first` of `to`.
  EntryWriter(Coordinates &to, int64_t first)
      : to(to), bytes(size_t(strata_type_bytes(to.valueType()))), at(first) {}

  void add(std::span<const int64_t> coordinates, const Coordinates &from, int64_t entry) {
    runtime::withCoordinateType(to.coordinateType(), [&](auto *tag) {
      using Coordinate = std::remove_pointer_t<decltype(tag)>;
      for (size_t dim = 0; dim < coordinates.size(); ++dim)
        to.column(int(dim)).template as<Coordinate>()[at] = Coordinate(coordinates[dim]);
    });
    runtime::copyBytes(static_cast<char *>(to.values().data()) + size_t(at++) * bytes,
                       static_cast<const char *>(from.values().data()) + size_t(entry) * bytes,
                       bytes);
  }

  /// The first entry that is not written.
  int64_t end() const { return at; }

private:
  Coordinates &to;
  size_t bytes;
  int64_t at;
};

// Calls `body(entry, coordinates)` with the entries [begin, end).
template <typename Body>
void forEachEntry(const Coordinates &list, int64_t begin, int64_t end, Body body) {
  runtime::withCoordinateType(list.coordinateType(), [&](auto *tag) {
    using Coordinate = std::remove_pointer_t<decltype(tag)>;
    std::vector<const Coordinate *> columns(size_t(list.order()));
    for (size_t dim = 0; dim < columns.size(); ++dim)
      columns[dim] = list.column(int(dim)).template as<Coordinate>();
    std::vector<int64_t> coordinates(columns.size());
    for (int64_t entry = begin; entry < end; ++entry) {
      for (size_t dim = 0; dim < columns.size(); ++dim)
        coordinates[dim] = columns[dim][entry];
      body(entry, std::span<const int64_t>(coordinates));
    }
  });
}

// How many entries a thread takes at a time.
constexpr int64_t entriesOfShare = int64_t(1) << 16;

} // namespace

Result<Coordinates> reindexed(const Coordinates &list, const Place &place,
                              const std::vector<int64_t> &extents) {
  // One entry may be reached in several ways: each share of the entries is counted, then written
  // behind the shares before it.
  int64_t shares = divideCeil(list.count(), entriesOfShare);
  auto forEachReached = [&](int64_t share, auto body) {
    PlaceSolver solver(place, extents);
    int64_t begin = share * entriesOfShare, end = std::min(begin + entriesOfShare, list.count());
    forEachEntry(list, begin, end, [&](int64_t entry, std::span<const int64_t> coordinates) {
      solver.solve(coordinates,
                   [&](std::span<const int64_t> variables) { body(entry, variables); });
    });
  };
  std::vector<int64_t> firsts(size_t(shares) + 1);
  runtime::parallelFor(int64_t(0), shares, [&](int64_t share) {
    int64_t count = 0;
    forEachReached(share, [&](int64_t, std::span<const int64_t>) { ++count; });
    firsts[size_t(share) + 1] = count;
  });
  std::partial_sum(firsts.begin(), firsts.end(), firsts.begin());
  Result<Coordinates> result = Coordinates::create(extents, list.valueType(), firsts.back());
  if (!result)
    return result;
  runtime::parallelFor(int64_t(0), shares, [&](int64_t share) {
    EntryWriter writer(*result, firsts[size_t(share)]);
    forEachReached(share, [&](int64_t entry, std::span<const int64_t> variables) {
      writer.add(variables, list, entry);
    });
  });
  return result;
}

Result<Coordinates> overlaid(const Coordinates &part, const Coordinates &whole, const Place &place,
                             const std::vector<int64_t> &extents) {
  PlaceSolver solver(place, extents);
  Result<Coordinates> result =
      Coordinates::create(whole.sizes(), whole.valueType(), whole.count() + part.count());
  if (!result)
    return result;
  EntryWriter writer(*result, 0);
  forEachEntry(whole, 0, whole.count(), [&](int64_t entry, std::span<const int64_t> coordinates) {
    bool reached = false;
    solver.solve(coordinates, [&](std::span<const int64_t>) { reached = true; });
    if (!reached)
      writer.add(coordinates, whole, entry);
  });
  std::vector<int64_t> reached(size_t(whole.order()));
  forEachEntry(part, 0, part.count(), [&](int64_t entry, std::span<const int64_t> variables) {
    for (size_t dim = 0; dim < reached.size(); ++dim)
      reached[dim] = place.coordinates[dim].evaluate(variables);
    writer.add(reached, part, entry);
  });
  if (Status status = result->resize(writer.end()); !status.ok())
    return status;
  return result;
}

// What `tensor` holds at each of its places: the fill, but for what it stores.
static std::vector<int64_t> elementsOf(const Coordinates &list, int64_t fill) {
  int64_t places = 1;
  for (int64_t size : list.sizes())
    places *= size;
  std::vector<int64_t> values(size_t(places), fill);
  for (int64_t entry = 0; entry < list.count(); ++entry) {
    int64_t place = 0;
    for (int dim = 0; dim < list.order(); ++dim)
      place = place * list.sizes()[size_t(dim)] + list.coordinate(dim, entry);
    values[size_t(place)] = int64_t(list.value(entry).real());
  }
  return values;
}

Result<Coordinates> oneHot(const Coordinates &source, int64_t fill, int64_t size,
                           const std::string &name) {
  std::vector<int64_t> elements = elementsOf(source, fill);
  for (int64_t at : elements)
    if (at < 0 || at >= size)
      return Error{Error::Coordinate, "an element of " + name + " is " + std::to_string(at) +
                                          ", where a coordinate from 0 to " +
                                          std::to_string(size - 1) + " is looked up"};
  std::vector<int64_t> sizes = source.sizes();
  sizes.push_back(size);
  return runtime::generateSelector(sizes, elements);
}

Result<Coordinates> inside(const Affine &coordinate, const runtime::dist::Box &box) {
  const size_t order = box.lo.size() - 1; // of the variables
  const std::vector<int64_t> sizes = box.sizes();
  const int64_t first = box.lo[order], size = sizes[order];
  int64_t count = 1;
  for (size_t at = 0; at < order; ++at)
    count *= sizes[at];
  Result<Array<int64_t>> places = Array<int64_t>::make(count);
  if (!places)
    return places.takeStatus();
  std::vector<int64_t> variables(box.lo.begin(), box.lo.end() - 1);
  // All values of the variables, the last one fastest.
  for (int64_t &place : *places) {
    place = coordinate.evaluate(variables) - first;
    if (place < 0 || place >= size)
      place = -1;
    for (size_t at = order; at-- > 0 && ++variables[at] == box.hi[at];)
      variables[at] = box.lo[at];
  }
  return runtime::generateSelector(sizes, {places->begin(), places->end()});
}

Status checkReach(std::span<const Affine> coordinates, std::span<const int64_t> extents,
                  std::span<const int64_t> sizes, const std::string &name) {
  if (std::find(extents.begin(), extents.end(), 0) != extents.end())
    return Status(); // nothing is reached
  std::vector<Interval> ranges;
  for (int64_t extent : extents)
    ranges.push_back({0, extent - 1});
  for (size_t dim = 0; dim < coordinates.size(); ++dim) {
    Interval values = coordinates[dim].values(ranges);
    if (values.least < 0 || values.most >= sizes[dim])
      return Error{Error::Coordinate,
                   "the statement reaches coordinate " +
                       std::to_string(values.least < 0 ? values.least : values.most) +
                       " of dimension " + std::to_string(dim + 1) + " of " + name +
                       ", whose size is " + std::to_string(sizes[dim])};
  }
  return Status();
}

Status checkWhole(std::span<const Affine> coordinates, std::span<const int64_t> extents,
                  std::span<const int64_t> sizes, const std::string &name) {
  std::vector<Interval> ranges;
  for (int64_t extent : extents)
    ranges.push_back({0, extent - 1});
  for (size_t dim = 0; dim < coordinates.size(); ++dim)
    if (coordinates[dim].input() >= 0
            ? coordinates[dim].values(ranges).most + 1 != sizes[dim]
            : std::find(extents.begin(), extents.end(), 0) != extents.end())
      return Error{
          Error::Unsupported,
          "the statement reads a part of " + name +
              ", for which its schedule, in a program that is compiled ahead, has no loops",
          "labels whose sizes are those of the tensor"};
  return Status();
}

} // namespace strata::host
