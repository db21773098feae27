// Counts what a storage will hold from the entries that go into it.
#include "strata/estimate/Estimate.h"

#include "strata/dialect/ta/LevelRoom.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/level/LevelFormat.h"
#include "strata/runtime/Counted.h"
#include "strata/tensor/ElementTypes.h"
#include "strata/tensor/Quantities.h"

#include "llvm/Support/FormatVariadic.h"
#include <unistd.h>

using namespace mlir;
using strata::runtime::Coordinates;
using strata::runtime::Error;
using strata::runtime::Status;

namespace strata {

Status checkMemory(const std::string &what, double bytes, const std::string &instead) {
  double memory = double(sysconf(_SC_PHYS_PAGES)) * double(sysconf(_SC_PAGESIZE));
  if (memory <= 0 || bytes <= memory)
    return Status();
  return Error{Error::MemoryLimit,
               llvm::formatv("{0} would take about {1:F1} GiB, and this machine has {2:F1} GiB of "
                             "memory",
                             what, bytes / (1 << 30), memory / (1 << 30)),
               instead};
}

// For each number of leading columns: how many different coordinates they have.
static SmallVector<int64_t> distinctPrefixes(const Coordinates &levels) {
  SmallVector<int64_t> firstDifference(levels.order() + 1, 0);
  runtime::withCoordinateType(levels.coordinateType(), [&](auto *tag) {
    using Coordinate = std::remove_pointer_t<decltype(tag)>;
    SmallVector<const Coordinate *> columns;
    for (int at = 0; at < levels.order(); ++at)
      columns.push_back(levels.column(at).template as<Coordinate>());
    for (int64_t entry = 0; entry < levels.count(); ++entry) {
      int column = 0;
      while (entry > 0 && column < levels.order() &&
             columns[column][entry] == columns[column][entry - 1])
        ++column;
      ++firstDifference[column];
    }
  });
  SmallVector<int64_t> distinct{levels.count() > 0 ? 1 : 0};
  for (int column = 0; column < levels.order(); ++column)
    distinct.push_back((column > 0 ? distinct.back() : 0) + firstDifference[column]);
  return distinct;
}

// How many coordinates of `column` lie between the first and the last below the same coordinates of
// the columns before it; or between the least possible one and the last.
static int64_t stretches(const Coordinates &levels, unsigned column, bool fromLeast) {
  int64_t places = 0;
  runtime::withCoordinateType(levels.coordinateType(), [&](auto *tag) {
    using Coordinate = std::remove_pointer_t<decltype(tag)>;
    SmallVector<const Coordinate *> columns;
    for (unsigned at = 0; at <= column; ++at)
      columns.push_back(levels.column(at).template as<Coordinate>());
    for (int64_t entry = 0; entry < levels.count(); ++entry) {
      bool follows = entry > 0;
      for (unsigned at = 0; at < column; ++at)
        follows = follows && columns[at][entry] == columns[at][entry - 1];
      int64_t here = columns[column][entry];
      places += follows ? here - columns[column][entry - 1] : fromLeast ? here + 1 : 1;
    }
  });
  return places;
}

static int64_t timesOrMost(int64_t a, int64_t b) {
  int64_t product;
  return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

// How many different tuples of coordinates begin at a level, which is that of a column; nothing
// where tuples repeat. (The level alone is one, if its coordinates are unique.)
static std::optional<int64_t> distinctTuples(ta::FormatAttr format, unsigned lvl, unsigned column,
                                             ArrayRef<int64_t> distinct) {
  unsigned end = ta::levelProperties(format, lvl).unique ? lvl : ta::endOfTuple(format, lvl);
  if (!ta::levelProperties(format, end).unique)
    return std::nullopt;
  for (unsigned at = lvl + 1; at <= end; ++at)
    column += !findLevelTraits(format.getLevels()[at].getName())->computed;
  return distinct[column];
}

// How many positions each level will have.
static SmallVector<int64_t> positionsOf(const Coordinates &levels, ta::FormatAttr format) {
  SmallVector<int64_t> distinct = distinctPrefixes(levels), positions;
  int64_t places = 1;
  unsigned column = 0;
  for (unsigned lvl = 0; lvl < format.getLvlRank(); ++lvl) {
    const LevelTraits &traits = *findLevelTraits(format.getLevels()[lvl].getName());
    if (!traits.computed) {
      ++column;
      LevelProperties properties = ta::levelProperties(format, lvl);
      if (traits.places)
        places = timesOrMost(places, levels.sizes()[column - 1]);
      else if (traits.fillsGaps)
        places = stretches(levels, column - 1, traits.fillsFront);
      else if (traits.pads && !properties.branchless)
        places = timesOrMost(places, format.getLevels()[lvl].getParameter());
      else if (!properties.branchless)
        places = distinctTuples(format, lvl, column, distinct).value_or(levels.count());
    }
    positions.push_back(places);
  }
  return positions;
}

double elementBytes(ta::LevelAttr level, BufferKind kind) {
  switch (kind) {
  case BufferKind::Position:
    return level.getPosWidth() / 8;
  case BufferKind::Coordinate:
    return level.getCrdWidth() / 8;
  case BufferKind::Byte:
    return 1;
  case BufferKind::Word:
    return sizeof(int64_t);
  }
  return 0;
}

// The bytes of the buffers of levels with so many positions, and of the values.
static double bytesOf(RankedTensorType type, ArrayRef<int64_t> positions) {
  ta::FormatAttr format = ta::formatOf(type);
  double bytes = 0, parents = 1;
  for (auto [lvl, level] : llvm::enumerate(format.getLevels())) {
    const LevelFormat &levelFormat = *findLevelFormat(level.getName());
    LevelCounts counts{parents, double(positions[lvl]), lvl == 0};
    for (auto [at, spec] : llvm::enumerate(levelFormat.buffers()))
      bytes += levelFormat.elements(at, counts) * elementBytes(level, spec.kind);
    parents = counts.positions;
  }
  return bytes + parents * double(strata_type_bytes(*runtimeType(type.getElementType())));
}

// Is that absurdly much for so many entries? A list of them is what it is compared with.
static double mostBytes(double list) {
  return std::max(16.0 * 1024 * 1024, 20 * std::max(list, 1.0));
}
static bool isAbsurd(double bytes, double list) { return bytes > mostBytes(list); }

double storageBytes(RankedTensorType type, ArrayRef<int64_t> sizes, int64_t entries) {
  type = withDecidedWidths(type, sizes, std::nullopt);
  ta::FormatAttr format = ta::formatOf(type);
  return bytesOf(type, mostPositions(format, levelExtents(format, sizes), entries));
}

double patternBytes(RankedTensorType type, ArrayRef<int64_t> sizes, int64_t entries) {
  type = withDecidedWidths(type, sizes, std::nullopt);
  ta::FormatAttr format = ta::formatOf(type);
  SmallVector<int64_t> positions = mostPositions(format, levelExtents(format, sizes), entries);
  double values = double(positions.empty() ? 1 : positions.back()) *
                  double(strata_type_bytes(*runtimeType(type.getElementType())));
  return bytesOf(type, positions) - values;
}

// What a list of the entries takes.
static double listBytes(RankedTensorType type, ArrayRef<int64_t> sizes, int64_t entries) {
  double entry = double(type.getRank()) * strata_type_bytes(runtime::coordinateTypeFor(sizes)) +
                 strata_type_bytes(*runtimeType(type.getElementType()));
  return double(entries) * entry;
}

bool canGrow(RankedTensorType type, ArrayRef<int64_t> sizes, int64_t entries) {
  ta::FormatAttr format = ta::formatOf(type);
  return isAbsurd(bytesOf(type, mostPositions(format, levelExtents(format, sizes), entries)),
                  listBytes(type, sizes, entries));
}

double packedBytes(RankedTensorType type, ArrayRef<int64_t> sizes, int64_t entries, bool force) {
  double bytes = storageBytes(type, sizes, entries);
  if (force || ta::formatOf(type).isFull())
    return bytes;
  return std::min(bytes, mostBytes(listBytes(type, sizes, entries)));
}

static Status checkBytes(RankedTensorType type, int64_t entries, double list, double bytes) {
  double source = std::max<double>(list, 1);
  if (!isAbsurd(bytes, source))
    return Status();
  std::string occurs = type.getRank() == 2 ? "DCSR" : type.getRank() == 1 ? "SparseVector" : "CSF";
  return Error{Error::MemoryLimit,
               "stored as " + ta::formatName(ta::formatOf(type)) + " these " +
                   counted(entries, "entry") + " would take about " + bytesInWords(bytes) + ", " +
                   std::to_string(int64_t(bytes / source)) + " times as much as a list of them",
               "a format that stores only what occurs, such as " + occurs +
                   " or COO, or --force if this is what you want"};
}

static Status checkBytes(const Coordinates &list, RankedTensorType type, double bytes) {
  return checkBytes(type, list.count(), double(list.bytes()), bytes);
}

Status checkGrowth(RankedTensorType type, ArrayRef<int64_t> sizes, int64_t entries,
                   KnownPositions known) {
  ta::FormatAttr format = ta::formatOf(type);
  return checkBytes(
      type, entries, listBytes(type, sizes, entries),
      bytesOf(type, mostPositions(format, levelExtents(format, sizes), entries, known)));
}

Status checkRanks(const Coordinates &list, RankedTensorType type) {
  double bytes = 0;
  for (unsigned dim : ta::formatOf(type).sortedDims())
    bytes += 16.0 * double(list.sizes()[dim]);
  return checkBytes(list, type, bytes);
}

Status checkGrowth(const Coordinates &levels, RankedTensorType type) {
  ta::FormatAttr format = ta::formatOf(type);
  if (format.isFull())
    return Status();
  return checkBytes(levels, type, bytesOf(type, positionsOf(levels, format)));
}

} // namespace strata
