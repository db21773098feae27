// From the coordinates of dimensions to those of levels, and back.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/LevelSpace.h"
#include "strata/runtime/Parallel.h"

#include <algorithm>
#include <atomic>
#include <cstring>

using strata::runtime::Buffer;
using strata::runtime::Coordinates;
using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::Storage;

namespace strata::host {

// Calls `body(begin, block)` for each block of entries, several at once; `block` has a place for
// each of them.
template <typename Body> static void forBlocks(int64_t count, Body body) {
  runtime::parallelFor(int64_t(0), divideCeil(count, blockSize), [&](int64_t number) {
    int64_t begin = number * blockSize;
    Block block(size_t(std::min(blockSize, count - begin)));
    body(begin, block);
  });
}

// Copies the coordinates of a column from entry `begin` on.
static void readColumn(const Coordinates &list, int64_t column, int64_t begin, Block &out) {
  runtime::withCoordinateType(list.coordinateType(), [&](auto *tag) {
    const auto *from = list.column(int(column)).template as<std::remove_pointer_t<decltype(tag)>>();
    std::copy_n(from + begin, out.size(), out.begin());
  });
}

// The column of a level whose coordinate is no single dimension, counted from `first`: lists hold
// no negative coordinates.
static Result<Buffer> levelColumn(const Coordinates &list, const Affine &coordinate, int64_t first,
                                  strata_type width) {
  Result<Buffer> column = Buffer::allocate(width, list.count());
  if (!column)
    return column.takeStatus();
  runtime::withCoordinateType(width, [&](auto *tag) {
    auto *out = column->template as<std::remove_pointer_t<decltype(tag)>>();
    forBlocks(list.count(), [&](int64_t begin, Block &values) {
      coordinate.evaluate([&](int64_t dim, Block &to) { readColumn(list, dim, begin, to); },
                          values);
      for (size_t at = 0; at < values.size(); ++at)
        out[begin + int64_t(at)] = std::remove_pointer_t<decltype(tag)>(values[at] - first);
    });
  });
  return column;
}

static Result<Coordinates> permuted(Coordinates list, const StoredFormat &format) {
  std::vector<int> source;
  for (const StoredLevel &level : format.levels)
    source.push_back(int(level.coordinate.input()));
  if (Status status = list.permute(source); !status.ok())
    return status;
  return list;
}

Result<Coordinates> toLevels(Coordinates list, const StoredFormat &format) {
  if (format.isPermutation())
    return permuted(std::move(list), format);
  // Until they are counted, there may be as many slots as entries; all entries are in the first.
  std::vector<int64_t> most(format.levels.size(), list.count() + 1);
  std::vector<int64_t> sizes = format.levelSizes(list.sizes(), most);
  std::vector<Extent> extents = format.extents(list.sizes());
  strata_type width = runtime::coordinateTypeFor(sizes);
  const Affine zero({{Affine::Kind::Constant, 0}});
  std::vector<Buffer> columns;
  for (size_t at = 0; at < format.levels.size(); ++at) {
    auto isUsedLater = [&](int64_t dim) {
      return std::any_of(format.levels.begin() + ptrdiff_t(at) + 1, format.levels.end(),
                         [&](const StoredLevel &level) { return level.coordinate.uses(dim); });
    };
    const StoredLevel &level = format.levels[at];
    int64_t dim = level.coordinate.input();
    if (dim >= 0 && width == list.coordinateType() && !isUsedLater(dim)) {
      columns.push_back(std::move(list.column(int(dim))));
      continue;
    }
    Result<Buffer> column =
        levelColumn(list, level.isSlot() ? zero : level.coordinate, extents[at].first, width);
    if (!column)
      return column.takeStatus();
    columns.push_back(std::move(*column));
    // What no level below needs is given back at once.
    for (int other = 0; other < list.order(); ++other)
      if (!isUsedLater(other))
        list.column(other) = Buffer(list.coordinateType());
  }
  return Coordinates::assemble(std::move(sizes), std::move(columns), std::move(list.values()));
}

// Numbers what the slot at column `at` numbers: the values of column `numbered`, below equal values
// of the columns before it. Returns how many slots there are.
static Result<int64_t> numberSlots(Coordinates &levels, int at, int numbered) {
  std::vector<int> order;
  for (int column = 0; column < levels.order(); ++column)
    if (column != at)
      order.push_back(column);
  order.push_back(at);
  if (Status status = levels.sort(order); !status.ok())
    return status;
  int64_t slots = 0;
  runtime::withCoordinateType(levels.coordinateType(), [&](auto *tag) {
    using Coordinate = std::remove_pointer_t<decltype(tag)>;
    std::vector<const Coordinate *> group;
    for (int column = 0; column < numbered; ++column)
      if (column != at)
        group.push_back(levels.column(column).template as<Coordinate>());
    const auto *values = levels.column(numbered).template as<Coordinate>();
    auto *slot = levels.column(at).template as<Coordinate>();
    for (int64_t entry = 0; entry < levels.count(); ++entry) {
      bool first = entry == 0 || std::any_of(group.begin(), group.end(), [&](const auto *column) {
                     return column[entry] != column[entry - 1];
                   });
      slot[entry] = first ? 0 : slot[entry - 1] + (values[entry] != values[entry - 1]);
      slots = std::max<int64_t>(slots, slot[entry] + 1);
    }
  });
  return slots;
}

Status countSlots(Coordinates &levels, const StoredFormat &format, std::span<const int64_t> sizes,
                  std::vector<int64_t> &slots) {
  for (size_t at = 0; at < format.levels.size(); ++at) {
    if (!format.levels[at].isSlot())
      continue;
    Result<int64_t> count = numberSlots(levels, int(at), int(format.levels[at].numbered));
    if (!count)
      return count.takeStatus();
    slots.push_back(*count);
  }
  if (slots.empty())
    return Status();
  std::vector<Buffer> columns;
  for (int column = 0; column < levels.order(); ++column)
    columns.push_back(std::move(levels.column(column)));
  Result<Coordinates> sized = Coordinates::assemble(format.levelSizes(sizes, slots),
                                                    std::move(columns), std::move(levels.values()));
  if (!sized)
    return sized.takeStatus();
  levels = std::move(*sized);
  return Status();
}

strata_type storedType(std::span<const Extent> extents) {
  bool fits = std::ranges::all_of(extents, [](const Extent &level) {
    int64_t end;
    return !__builtin_add_overflow(level.first, level.extent, &end) && level.first >= INT32_MIN &&
           level.extent <= INT32_MAX && end <= INT32_MAX;
  });
  return fits ? STRATA_I32 : STRATA_I64;
}

Status storedCoordinates(Coordinates &levels, const StoredFormat &format,
                         std::span<const int64_t> sizes) {
  std::vector<Extent> extents = format.extents(sizes);
  if (levels.coordinateType() == STRATA_I32)
    if (Status status = levels.convertCoordinates(storedType(extents)); !status.ok())
      return status;
  for (size_t at = 0; at < format.levels.size(); ++at) {
    int64_t first = extents[at].first;
    if (first == 0 || !format.levels[at].listed)
      continue;
    runtime::withCoordinateType(levels.coordinateType(), [&](auto *tag) {
      auto *column = levels.column(int(at)).template as<std::remove_pointer_t<decltype(tag)>>();
      for (int64_t entry = 0; entry < levels.count(); ++entry)
        column[entry] += std::remove_reference_t<decltype(*column)>(first);
    });
  }
  return Status();
}

// Writes the coordinates of dimensions, block by block at once. Those outside the tensor are marked
// by -1; says whether there are any.
static bool invertLevels(const Coordinates &levels, const StoredFormat &format,
                         const std::vector<int64_t> &sizes, std::vector<Buffer> &columns) {
  std::vector<Extent> extents = format.extents(sizes);
  std::atomic<bool> outside = false;
  forBlocks(levels.count(), [&](int64_t begin, Block &values) {
    auto column = [&](int64_t at, Block &out) {
      readColumn(levels, at, begin, out);
      int64_t first = format.levels[size_t(at)].listed ? 0 : extents[size_t(at)].first;
      for (int64_t &value : out)
        value += first;
    };
    for (size_t dim = 0; dim < sizes.size(); ++dim) {
      format.inverse[dim].evaluate(column, values);
      runtime::withCoordinateType(columns[dim].type(), [&](auto *tag) {
        using Coordinate = std::remove_pointer_t<decltype(tag)>;
        auto *to = columns[dim].template as<Coordinate>() + begin;
        for (size_t at = 0; at < values.size(); ++at) {
          bool inside = values[at] >= 0 && values[at] < sizes[dim];
          to[at] = inside ? Coordinate(values[at]) : Coordinate(-1);
          if (!inside)
            outside.store(true, std::memory_order_relaxed);
        }
      });
    }
  });
  return outside;
}

// Drops the entries with a coordinate that is marked; the others keep their order.
static Status dropMarked(Coordinates &list) {
  size_t bytes = size_t(strata_type_bytes(list.valueType()));
  auto *values = static_cast<char *>(list.values().data());
  int64_t kept = 0;
  runtime::withCoordinateType(list.coordinateType(), [&](auto *tag) {
    using Coordinate = std::remove_pointer_t<decltype(tag)>;
    std::vector<Coordinate *> columns;
    for (int dim = 0; dim < list.order(); ++dim)
      columns.push_back(list.column(dim).template as<Coordinate>());
    for (int64_t entry = 0; entry < list.count(); ++entry) {
      if (std::any_of(columns.begin(), columns.end(),
                      [&](Coordinate *column) { return column[entry] < 0; }))
        continue;
      for (Coordinate *column : columns)
        column[kept] = column[entry];
      std::memmove(values + size_t(kept++) * bytes, values + size_t(entry) * bytes, bytes);
    }
  });
  return list.resize(kept);
}

Result<Coordinates> fromLevels(Coordinates levels, const StoredFormat &format,
                               const std::vector<int64_t> &sizes) {
  strata_type width = runtime::coordinateTypeFor(sizes);
  std::vector<Buffer> columns;
  for (size_t dim = 0; dim < sizes.size(); ++dim) {
    Result<Buffer> column = Buffer::allocate(width, levels.count());
    if (!column)
      return column.takeStatus();
    columns.push_back(std::move(*column));
  }
  bool outside = invertLevels(levels, format, sizes, columns);
  Result<Coordinates> list =
      Coordinates::assemble(sizes, std::move(columns), std::move(levels.values()));
  if (list && outside)
    if (Status status = dropMarked(*list); !status.ok())
      return status;
  return list;
}

// Calls `body(to, from)` for each buffer of a storage and the one that it is in level space, with
// `from` -1 for the numbers of slots, which level space has among its sizes. (The orders of sorted
// dimensions are left out: level space is of ranks.)
template <typename Body> static Status forBuffers(const StoredFormat &format, Body body) {
  int64_t to = 0, from = 0;
  for (const StoredLevel &level : format.levels) {
    for (int64_t own = level.buffers - level.isSlot(); own > 0; --own)
      if (Status status = body(to++, from++); !status.ok())
        return status;
    if (level.isSlot())
      if (Status status = body(to++, int64_t(-1)); !status.ok())
        return status;
  }
  return body(to + 2 * int64_t(format.sorted.size()), from);
}

std::vector<int64_t> slotsOf(const Storage &storage, const StoredFormat &format) {
  std::vector<int64_t> slots;
  (void)forBuffers(format, [&](int64_t to, int64_t from) -> Status {
    if (from < 0)
      slots.push_back(*static_cast<const int64_t *>(storage.buffer(to).data));
    return Status();
  });
  return slots;
}

Storage inLevelSpace(const Storage &storage, const StoredFormat &format,
                     std::span<const int64_t> sizes) {
  Storage view(std::vector<int64_t>(sizes.begin(), sizes.end()), format.levelBuffers());
  (void)forBuffers(format, [&](int64_t to, int64_t from) -> Status {
    const strata_buffer &buffer = storage.buffer(to);
    if (from >= 0)
      view.adopt(from, buffer.data, buffer.count, strata_type(buffer.type));
    return Status();
  });
  return view;
}

Status fromLevelSpace(Storage &filled, const StoredFormat &format, std::span<const int64_t> slots,
                      Storage &result) {
  return forBuffers(format, [&](int64_t to, int64_t from) -> Status {
    if (from >= 0) {
      Result<Buffer> buffer = filled.take(from);
      if (!buffer)
        return buffer.takeStatus();
      return result.put(to, std::move(*buffer));
    }
    if (Status status = result.allocate(to, 1); !status.ok())
      return status;
    *static_cast<int64_t *>(result.buffer(to).data) = slots.front();
    slots = slots.subspan(1);
    return Status();
  });
}

} // namespace strata::host
