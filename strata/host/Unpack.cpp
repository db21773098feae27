// Unpacks storages into lists of coordinates.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/Unpack.h"

#include "strata/host/LevelSpace.h"
#include "strata/host/Ranks.h"
#include "strata/runtime/CopyBytes.h"

#include <algorithm>
#include <cstring>

using strata::runtime::Coordinates;
using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::Storage;

namespace strata::host {

Status dropFills(Coordinates &list, std::span<const char> fill) {
  size_t bytes = fill.size();
  char *values = static_cast<char *>(list.values().data());
  int64_t kept = 0;
  for (int64_t entry = 0; entry < list.count(); ++entry) {
    const char *value = values + size_t(entry) * bytes;
    if (std::memcmp(value, fill.data(), bytes) == 0)
      continue;
    std::memmove(values + size_t(kept) * bytes, value, bytes);
    for (int dim = 0; dim < list.order(); ++dim)
      runtime::withCoordinateType(list.coordinateType(), [&](auto *tag) {
        auto *column = list.column(dim).template as<std::remove_pointer_t<decltype(tag)>>();
        column[kept] = column[entry];
      });
    ++kept;
  }
  return list.resize(kept);
}

// All levels full: the values lie in the order of the levels' coordinates.
static Result<Coordinates> unpackFull(const Storage &storage, const StoredFormat &format) {
  std::vector<Extent> extents = format.extents(storage.sizes());
  size_t bytes = format.fill.size();
  const char *values = static_cast<const char *>(storage.values().data);
  auto isFill = [&](int64_t place) {
    return std::memcmp(values + size_t(place) * bytes, format.fill.data(), bytes) == 0;
  };
  int64_t places = storage.values().count, stored = 0;
  for (int64_t place = 0; place < places; ++place)
    stored += !isFill(place);
  Result<Coordinates> list = Coordinates::create(storage.sizes(), format.element, stored);
  if (!list)
    return list;
  std::vector<int64_t> level(extents.size());
  int64_t entry = 0;
  for (int64_t place = 0; place < places; ++place) {
    if (isFill(place))
      continue;
    int64_t rest = place;
    for (size_t at = extents.size(); at-- > 0;) {
      level[at] = rest % extents[at].extent + extents[at].first;
      rest /= extents[at].extent;
    }
    for (int dim = 0; dim < list->order(); ++dim)
      runtime::withCoordinateType(list->coordinateType(), [&](auto *tag) {
        using Coordinate = std::remove_pointer_t<decltype(tag)>;
        list->column(dim).template as<Coordinate>()[entry] =
            Coordinate(format.inverse[size_t(dim)].evaluate(level));
      });
    std::memcpy(static_cast<char *>(list->values().data()) + size_t(entry) * bytes,
                values + size_t(place) * bytes, bytes);
    ++entry;
  }
  if (Status status = list->sort(); !status.ok())
    return status;
  return list;
}

// Copies coordinates of dimensions, which are not negative, whatever their width.
template <typename C> static void widen(const strata_buffer &from, C *to) {
  auto copy = [&](auto *data) { std::copy(data, data + from.count, to); };
  switch (strata_type_bytes(from.type)) {
  case 1:
    return copy(static_cast<const uint8_t *>(from.data));
  case 2:
    return copy(static_cast<const uint16_t *>(from.data));
  case 4:
    return copy(static_cast<const int32_t *>(from.data));
  default:
    return copy(static_cast<const int64_t *>(from.data));
  }
}

// A list with an array for each level is one already: its entries are copied, without a kernel.
static Result<Coordinates> copyList(const Storage &storage, const StoredFormat &format) {
  const strata_buffer &values = storage.values();
  Result<Coordinates> list =
      Coordinates::create(storage.sizes(), strata_type(values.type), values.count);
  if (!list)
    return list;
  runtime::copyBytes(list->values().data(), values.data,
                     size_t(values.count * strata_type_bytes(values.type)));
  int64_t first = 0;
  for (const StoredLevel &level : format.levels) {
    const strata_buffer &buffer = storage.buffer(first + level.buffers - 1);
    runtime::withCoordinateType(list->coordinateType(), [&](auto *tag) {
      widen(buffer, list->column(int(level.coordinate.input()))
                        .template as<std::remove_pointer_t<decltype(tag)>>());
    });
    first += level.buffers;
  }
  return list;
}

// With ranks for coordinates of dimensions that the format sorts.
static Result<Coordinates> unpackRanks(const Storage &storage, const StoredFormat &format,
                                       const MakeListKernel &makeKernel) {
  if (format.full)
    return unpackFull(storage, format);
  if (format.list)
    return copyList(storage, format);
  std::vector<int64_t> extents = format.levelSizes(storage.sizes(), slotsOf(storage, format));
  Result<ListKernel> kernel = makeKernel(extents);
  if (!kernel)
    return kernel.takeStatus();
  Storage source = inLevelSpace(storage, format, extents);
  std::vector<strata_type> types{STRATA_I64};
  types.insert(types.end(), extents.size(), kernel->coordinates);
  types.push_back(format.element);
  Storage result(extents, types);
  Storage *operand = &source;
  if (Status status = kernel->kernel(result, {&operand, 1}, extents); !status.ok())
    return status;
  Result<Coordinates> list = Coordinates::fromStorage(std::move(result));
  if (!list)
    return list;
  if (format.padded)
    if (Status status = dropFills(*list, format.fill); !status.ok())
      return status;
  if (!format.isPermutation())
    return fromLevels(std::move(*list), format, storage.sizes());
  std::vector<int> levelOf(format.levels.size());
  for (size_t at = 0; at < format.levels.size(); ++at)
    levelOf[size_t(format.levels[at].coordinate.input())] = int(at);
  if (Status permuted = list->permute(levelOf); !permuted.ok())
    return permuted;
  return list;
}

Result<Coordinates> unpack(const Storage &storage, const StoredFormat &format,
                           const MakeListKernel &kernel) {
  Result<Coordinates> list = unpackRanks(storage, format, kernel);
  if (list)
    restoreCoordinates(*list, storage, format);
  return list;
}

Status settle(Coordinates &list) {
  if (Status status = list.convertCoordinates(runtime::coordinateTypeFor(list.sizes()));
      !status.ok())
    return status;
  return list.sumDuplicates().takeStatus();
}

} // namespace strata::host
