// Counts what a storage will hold from the entries that go into it.
#include "strata/execution/Estimate.h"

#include "strata/dialect/ta/Shorthands.h"
#include "strata/execution/ElementTypes.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using strata::runtime::Coordinates;
using strata::runtime::Error;
using strata::runtime::Status;

namespace strata {

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
// the columns before it.
static int64_t stretches(const Coordinates &levels, unsigned column) {
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
      places += follows ? int64_t(columns[column][entry]) - columns[column][entry - 1] : 1;
    }
  });
  return places;
}

int64_t estimatePlaces(const Coordinates &levels, ta::FormatAttr format) {
  SmallVector<int64_t> distinct = distinctPrefixes(levels);
  int64_t places = 1;
  unsigned column = 0;
  for (unsigned lvl = 0; lvl < format.getLvlRank(); ++lvl) {
    const LevelTraits &traits = *findLevelTraits(format.getLevels()[lvl].getName());
    if (traits.computed)
      continue;
    ++column;
    LevelProperties properties = ta::levelProperties(format, lvl);
    if (traits.places) {
      if (__builtin_mul_overflow(places, levels.sizes()[column - 1], &places))
        return INT64_MAX;
    } else if (traits.fillsGaps) {
      places = stretches(levels, column - 1);
    } else if (!properties.branchless) {
      places = properties.unique ? distinct[column] : levels.count();
    }
  }
  return places;
}

static std::string inBytes(double bytes) {
  const char *units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  unsigned unit = 0;
  for (; bytes >= 1024 && unit < 4; ++unit)
    bytes /= 1024;
  return llvm::formatv("{0:F1} {1}", bytes, units[unit]).str();
}

Status checkGrowth(const Coordinates &levels, ta::FormatAttr format) {
  if (format.isFull())
    return Status();
  double bytes =
      double(estimatePlaces(levels, format)) * double(strata_type_bytes(levels.valueType()));
  double source = std::max<double>(double(levels.bytes()), 1);
  if (bytes <= 16 * 1024 * 1024 || bytes <= 20 * source)
    return Status();
  return Error{"stored as " + ta::formatName(format) + " these " + std::to_string(levels.count()) +
                   " entries would take about " + inBytes(bytes) + ", " +
                   std::to_string(int64_t(bytes / source)) + " times as much as a list of them",
               "a format that stores only what occurs, such as CSR or COO, or --force if this is "
               "what you want"};
}

} // namespace strata
