// Packs lists of coordinates into storages.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/Pack.h"

#include "strata/host/LevelSpace.h"
#include "strata/host/Ranks.h"
#include "strata/runtime/CopyBytes.h"
#include "strata/runtime/storage/TotalOf.h"
#include "strata/runtime/storage/Words.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <unordered_map>

using strata::runtime::Buffer;
using strata::runtime::Coordinates;
using strata::runtime::Error;
using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::Storage;
using strata::runtime::TotalOf;

namespace strata::host {

Packer::~Packer() = default;

std::vector<int> Packer::order(const Coordinates &levels) {
  std::vector<int> columns(size_t(levels.order()));
  std::iota(columns.begin(), columns.end(), 0);
  return columns;
}

Status Packer::check(const Coordinates &, std::span<const int64_t>) { return Status(); }

static Result<Storage> packScalar(Coordinates list, const StoredFormat &format) {
  if (Result<int64_t> summed = list.sumDuplicates(); !summed)
    return summed.takeStatus();
  Storage storage(std::vector<int64_t>(), format.buffers);
  if (Status status = storage.allocate(0, 1); !status.ok())
    return status;
  size_t bytes = size_t(strata_type_bytes(format.element));
  std::memset(storage.values().data, 0, bytes);
  if (list.count() > 0)
    runtime::copyBytes(storage.values().data, list.values().data(), bytes);
  return storage;
}

// Where each entry's value lies if all levels are full: mixed-radix numbers of level coordinates.
static std::vector<int64_t> placesOf(const Coordinates &list, const StoredFormat &format,
                                     const std::vector<Extent> &extents) {
  std::vector<int64_t> places(size_t(list.count()), 0), dims(size_t(list.order()));
  for (size_t lvl = 0; lvl < format.levels.size(); ++lvl) {
    const Affine &coordinate = format.levels[lvl].coordinate;
    Extent level = extents[lvl];
    auto append = [&](int64_t entry, int64_t crd) {
      int64_t &place = places[size_t(entry)];
      place = place * level.extent + crd - level.first;
    };
    if (int64_t dim = coordinate.input(); dim >= 0) {
      runtime::withCoordinateType(list.coordinateType(), [&](auto *tag) {
        using T = std::remove_pointer_t<decltype(tag)>;
        const T *column = list.column(int(dim)).template as<T>();
        for (int64_t entry = 0; entry < list.count(); ++entry)
          append(entry, column[entry]);
      });
      continue;
    }
    for (int64_t entry = 0; entry < list.count(); ++entry) {
      for (int at = 0; at < list.order(); ++at)
        dims[size_t(at)] = list.coordinate(at, entry);
      append(entry, coordinate.evaluate(dims));
    }
  }
  return places;
}

// Adds numbers whose sums are made in a wider type, entry by entry: those of places that occur
// again are kept beside, until all are known.
template <typename T>
static void addRounded(const Coordinates &list, const std::vector<int64_t> &placeOf, T *places,
                       int64_t count) {
  const T *values = list.values().as<T>();
  std::vector<bool> taken(static_cast<size_t>(count));
  std::unordered_map<int64_t, TotalOf<T>> totals;
  for (int64_t entry = 0; entry < list.count(); ++entry) {
    int64_t place = placeOf[size_t(entry)];
    if (taken[size_t(place)])
      totals.try_emplace(place, places[place]).first->second += values[entry];
    else
      places[place] = values[entry];
    taken[size_t(place)] = true;
  }
  for (const auto &[place, total] : totals)
    places[place] = T(total);
}

// Adds entry by entry into zeros; false where a sum of integers overflows.
template <typename T>
static bool addEntries(const Coordinates &list, const std::vector<int64_t> &placeOf, T *places,
                       int64_t count) {
  if constexpr (!std::is_same_v<TotalOf<T>, T>)
    return addRounded(list, placeOf, places, count), true;
  const T *values = list.values().as<T>();
  for (int64_t entry = 0; entry < list.count(); ++entry) {
    int64_t place = placeOf[size_t(entry)];
    if constexpr (std::is_same_v<T, bool>) {
      places[place] |= values[entry];
    } else if constexpr (std::is_integral_v<T>) {
      if (__builtin_add_overflow(places[place], values[entry], &places[place]))
        return false;
    } else {
      places[place] += values[entry];
    }
  }
  return true;
}

Result<Storage> allPlaces(const StoredFormat &format, std::vector<int64_t> sizes,
                          strata_allocator allocator) {
  int64_t places = 1;
  for (Extent level : format.extents(sizes))
    if (__builtin_mul_overflow(places, level.extent, &places))
      return Error{Error::MemoryLimit, "a dense tensor of this size does not fit any memory"};
  Storage storage(std::move(sizes), format.buffers, allocator);
  if (Status status = storage.allocate(storage.bufferCount() - 1, places); !status.ok())
    return status;
  return storage;
}

// All levels full: values go straight to their places, without order and without a kernel.
static Result<Storage> packFull(const Coordinates &list, const StoredFormat &format) {
  Result<Storage> storage = allPlaces(format, list.sizes());
  if (!storage)
    return storage;
  const strata_buffer &values = storage->values();
  if (values.count > 0) // else there may be no block at all
    std::memset(values.data, 0, size_t(values.count * strata_type_bytes(values.type)));
  bool fits = runtime::withValueType(list.valueType(), [&](auto *tag) {
    using T = std::remove_pointer_t<decltype(tag)>;
    return addEntries<T>(list, placesOf(list, format, format.extents(list.sizes())),
                         static_cast<T *>(values.data), values.count);
  });
  if (!fits)
    return Error{Error::ElementValue, "the sum of repeated entries does not fit the type " +
                                          std::string(runtime::typeName(list.valueType()))};
  return storage;
}

// A storage in level space from a list of levels that is sorted by `order`.
static Result<Storage> copyList(Coordinates levels, const StoredFormat &format,
                                std::vector<int> order, std::vector<int64_t> extents,
                                Packer &packer) {
  Result<Packer::Copy> copy = packer.copy(levels, order, extents);
  if (!copy)
    return copy.takeStatus();
  if (Status permuted = levels.permute(order); !permuted.ok())
    return permuted;
  Result<Storage> source = std::move(levels).intoStorage(STRATA_I64);
  if (!source)
    return source;
  source->setSizes(extents);
  Storage filled(extents, format.levelBuffers());
  Storage *operand = &*source;
  if (Status status = copy->kernel(filled, {&operand, 1}, extents); !status.ok())
    return status;
  if (!copy->keepsValues)
    return filled;
  Result<Buffer> values = source->take(source->bufferCount() - 1);
  if (!values)
    return values.takeStatus();
  if (Status moved = filled.put(filled.bufferCount() - 1, std::move(*values)); !moved.ok())
    return moved;
  return filled;
}

// Marks where each row begins and the last one ends: `coordinates` are those of the entries' rows,
// which ascend.
template <typename Coordinate, typename Position>
static void markRows(std::span<const Coordinate> coordinates, std::span<Position> positions) {
  std::fill(positions.begin(), positions.end(), Position(0));
  for (size_t entry = 0; entry < coordinates.size(); ++entry)
    positions[size_t(coordinates[entry]) + 1] = Position(entry + 1);
  for (size_t row = 1; row < positions.size(); ++row)
    positions[row] = std::max(positions[row], positions[row - 1]);
}

// Tells whether words of that type can be as large as `most`, whether or not they have a sign.
static bool canHold(strata_type type, int64_t most) {
  int64_t bytes = strata_type_bytes(type);
  return bytes == 8 || most <= (bytes == 4 ? INT32_MAX : (int64_t(1) << (8 * bytes)) - 1);
}

// Is the storage of a list that is sorted by `order` made by moveRows? Not where the format has
// another fill, so that more is stored than is listed.
static bool canMoveRows(const Coordinates &levels, const StoredFormat &format, bool silentZero,
                        std::span<const int> order, std::span<const int64_t> extents) {
  return format.rows && silentZero && !format.hasFill &&
         std::is_sorted(order.begin(), order.end()) && canHold(format.buffers[0], levels.count()) &&
         canHold(format.buffers[1], extents[1]);
}

// A storage of rows in level space from a list that is sorted by them. The arrays of the values
// and, if they have the same width, of the columns are the list's own.
static Result<Storage> moveRows(Coordinates levels, const StoredFormat &format,
                                std::vector<int64_t> extents) {
  int64_t rows = extents.front();
  Storage filled(std::move(extents), format.levelBuffers());
  if (Status status = filled.allocate(0, rows + 1); !status.ok())
    return status;
  bool narrows = levels.coordinateType() != format.buffers[1];
  if (narrows)
    if (Status status = filled.allocate(1, levels.count()); !status.ok())
      return status;
  runtime::withCoordinateType(levels.coordinateType(), [&](auto *tag) {
    using Coordinate = std::remove_pointer_t<decltype(tag)>;
    auto column = [&](int level) {
      return std::span<const Coordinate>(levels.column(level).template as<Coordinate>(),
                                         size_t(levels.count()));
    };
    runtime::withWords(filled.buffer(0), [&](auto positions) { markRows(column(0), positions); });
    if (narrows)
      runtime::withWords(filled.buffer(1),
                         [&](auto to) { std::ranges::copy(column(1), to.begin()); });
  });
  if (!narrows)
    if (Status moved = filled.put(1, std::move(levels.column(1))); !moved.ok())
      return moved;
  if (Status moved = filled.put(2, std::move(levels.values())); !moved.ok())
    return moved;
  return filled;
}

Result<Storage> pack(Coordinates list, const StoredFormat &format, bool silentZero,
                     Packer &packer) {
  std::vector<int64_t> sizes = list.sizes();
  if (Status status = list.convertValues(format.element); !status.ok())
    return status;
  if (format.order() == 0)
    return packScalar(std::move(list), format);
  if (format.full && silentZero)
    return packFull(list, format);
  std::vector<Ranks> ranks;
  if (!format.sorted.empty()) {
    if (Result<int64_t> summed = list.sumDuplicates(); !summed)
      return summed.takeStatus();
    Result<std::vector<Ranks>> ranked = rankCoordinates(list, format);
    if (!ranked)
      return ranked.takeStatus();
    ranks = std::move(*ranked);
  }
  Result<Coordinates> levels = toLevels(std::move(list), format);
  if (!levels)
    return levels.takeStatus();
  std::vector<int64_t> slots;
  if (Status status = countSlots(*levels, format, sizes, slots); !status.ok())
    return status;
  std::vector<int> order = packer.Packer::order(*levels);
  if (!levels->isStrictlySorted(order)) {
    order = packer.order(*levels);
    if (Result<int64_t> summed = levels->sumDuplicates(order); !summed)
      return summed.takeStatus();
  }
  if (Status fits = packer.check(*levels, slots); !fits.ok())
    return fits;
  if (Status stored = storedCoordinates(*levels, format, sizes); !stored.ok())
    return stored;
  std::vector<int64_t> extents = format.levelSizes(sizes, slots);
  Result<Storage> filled =
      canMoveRows(*levels, format, silentZero, order, extents)
          ? moveRows(std::move(*levels), format, std::move(extents))
          : copyList(std::move(*levels), format, std::move(order), std::move(extents), packer);
  if (!filled)
    return filled;
  Storage storage(sizes, format.buffers);
  if (Status status = fromLevelSpace(*filled, format, slots, storage); !status.ok())
    return status;
  if (Status stored = storeRanks(std::move(ranks), storage); !stored.ok())
    return stored;
  return storage;
}

Result<Storage> filled(const StoredFormat &format, std::vector<int64_t> sizes,
                       std::span<const char> element) {
  Result<Storage> storage = allPlaces(format, std::move(sizes));
  if (!storage)
    return storage;
  char *data = static_cast<char *>(storage->values().data);
  runtime::withValueType(format.element, [&](auto *tag) {
    using T = std::remove_pointer_t<decltype(tag)>;
    T value;
    std::memcpy(static_cast<void *>(&value), element.data(), sizeof(T));
    T *values = static_cast<T *>(static_cast<void *>(data));
    std::fill_n(values, storage->values().count, value);
  });
  return storage;
}

Result<Storage> cloned(const Storage &storage, strata_allocator allocator) {
  std::vector<strata_type> types;
  for (int64_t at = 0; at < storage.bufferCount(); ++at)
    types.push_back(strata_type(storage.buffer(at).type));
  Storage copy(storage.sizes(), types, allocator);
  for (int64_t at = 0; at < copy.bufferCount(); ++at) {
    const strata_buffer &from = storage.buffer(at);
    if (Status status = copy.allocate(at, from.count); !status.ok())
      return status;
    if (from.count > 0) // else there may be no block at all
      runtime::copyBytes(copy.buffer(at).data, from.data,
                         size_t(from.count * strata_type_bytes(from.type)));
  }
  return copy;
}

} // namespace strata::host
