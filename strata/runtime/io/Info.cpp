// How the facts of a tensor are found.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/Info.h"
#include "strata/runtime/Parallel.h"

#include <algorithm>
#include <array>

namespace strata::runtime {
namespace {

template <typename V> int64_t countZeros(const Coordinates &list) {
  const V *values = list.values().as<V>();
  return std::count(values, values + list.count(), V(0));
}

/// The slices that have entries: where each begins, and the end behind the last.
template <typename C> std::vector<int64_t> sliceStarts(const Coordinates &sorted) {
  const C *column = sorted.column(0).as<C>();
  std::vector<int64_t> starts;
  for (int64_t e = 0; e < sorted.count(); ++e)
    if (e == 0 || column[e] != column[e - 1])
      starts.push_back(e);
  starts.push_back(sorted.count());
  return starts;
}

SliceLengths measureSlices(int64_t size, const std::vector<int64_t> &starts) {
  SliceLengths result;
  const auto present = static_cast<int64_t>(starts.size()) - 1;
  result.empty = size - present;
  result.least = size == 0 || result.empty > 0 ? 0 : INT64_MAX;
  for (size_t s = 0; s + 1 < starts.size(); ++s) {
    const int64_t length = starts[s + 1] - starts[s];
    result.least = std::min(result.least, length);
    result.greatest = std::max(result.greatest, length);
  }
  if (size > 0)
    result.mean = static_cast<double>(starts.back()) / static_cast<double>(size);
  return result;
}

template <typename C> SliceLengths measureColumns(const Coordinates &sorted) {
  const C *column = sorted.column(1).as<C>();
  std::vector<C> columns(column, column + sorted.count());
  parallelSort(columns.begin(), columns.end());
  std::vector<int64_t> starts;
  for (size_t e = 0; e < columns.size(); ++e)
    if (e == 0 || columns[e] != columns[e - 1])
      starts.push_back(static_cast<int64_t>(e));
  starts.push_back(sorted.count());
  return measureSlices(sorted.sizes()[1], starts);
}

/// The number of blocks of a size that have an entry: those of each row of blocks are gathered.
template <typename C> int64_t countBlocks(const Coordinates &sorted, int64_t size) {
  const C *rows = sorted.column(0).as<C>(), *columns = sorted.column(1).as<C>();
  std::vector<int64_t> blocks;
  int64_t total = 0;
  for (int64_t e = 0; e < sorted.count();) {
    const int64_t row = rows[e] / size;
    blocks.clear();
    for (; e < sorted.count() && rows[e] / size == row; ++e)
      blocks.push_back(columns[e] / size);
    std::ranges::sort(blocks);
    total += std::ranges::unique(blocks).begin() - blocks.begin();
  }
  return total;
}

/// Compares blocks by their values and one coordinate each.
template <typename C> void measureBlocks(const Coordinates &sorted, MatrixInfo &info) {
  const int64_t value = strata_type_bytes(sorted.valueType()), coordinate = 4;
  int64_t least = sorted.count() * (value + coordinate);
  for (int64_t size : {2, 3, 4, 6, 8}) {
    const int64_t blocks = countBlocks<C>(sorted, size), elements = blocks * size * size;
    const int64_t bytes = elements * value + blocks * coordinate;
    if (bytes >= least)
      continue;
    least = bytes;
    info.blockSize = size;
    info.blockFill = static_cast<double>(sorted.count()) / static_cast<double>(elements);
  }
}

template <typename C> void measureDiagonals(const Coordinates &sorted, MatrixInfo &info) {
  const C *rows = sorted.column(0).as<C>(), *columns = sorted.column(1).as<C>();
  const int64_t count = sorted.count(), height = sorted.sizes()[0], width = sorted.sizes()[1];
  for (int64_t e = 0; e < count; ++e) {
    info.lowerBandwidth = std::max(info.lowerBandwidth, int64_t{rows[e]} - columns[e]);
    info.upperBandwidth = std::max(info.upperBandwidth, int64_t{columns[e]} - rows[e]);
    info.onDiagonal += rows[e] == columns[e];
  }
  info.bandwidth = std::max(info.lowerBandwidth, info.upperBandwidth);
  // Marks if they take less memory than the entries, else the sorted list of diagonals.
  if (height / 64 + width / 64 <= count) {
    std::vector<bool> marks(static_cast<size_t>(info.lowerBandwidth + info.upperBandwidth + 1));
    for (int64_t e = 0; e < count; ++e)
      marks[static_cast<size_t>(columns[e] - rows[e] + info.lowerBandwidth)] = true;
    info.diagonals = count == 0 ? 0 : std::count(marks.begin(), marks.end(), true);
    return;
  }
  std::vector<int64_t> offsets(static_cast<size_t>(count));
  for (int64_t e = 0; e < count; ++e)
    offsets[static_cast<size_t>(e)] = int64_t{columns[e]} - rows[e];
  parallelSort(offsets.begin(), offsets.end());
  info.diagonals = std::unique(offsets.begin(), offsets.end()) - offsets.begin();
}

template <typename V> V conjugate(const V &value) {
  if constexpr (isComplexNumber<V>)
    return std::conj(value);
  else
    return value;
}

template <typename V> bool opposite(const V &a, const V &b) {
  if constexpr (std::is_same_v<V, bool>) {
    return !a && !b;
  } else if constexpr (std::is_integral_v<V>) {
    V negative;
    return !__builtin_sub_overflow(V(0), b, &negative) && a == negative;
  } else {
    return a == -b;
  }
}

/// Compares a sorted matrix with its sorted transpose, both in one pass.
template <typename C, typename V>
void compareMirrored(const Coordinates &sorted, const Coordinates &mirrored, MatrixInfo &info) {
  const C *rows = sorted.column(0).as<C>(), *columns = sorted.column(1).as<C>();
  const C *otherRows = mirrored.column(0).as<C>(), *otherColumns = mirrored.column(1).as<C>();
  const V *values = sorted.values().as<V>(), *otherValues = mirrored.values().as<V>();
  int64_t outside = 0, present = 0, equal = 0, negated = 0, conjugated = 0;
  bool skewDiagonal = true, realDiagonal = true;
  int64_t other = 0;
  auto behind = [&](int64_t e) {
    return otherRows[other] < rows[e] ||
           (otherRows[other] == rows[e] && otherColumns[other] < columns[e]);
  };
  for (int64_t e = 0; e < sorted.count(); ++e) {
    const V &value = values[e];
    if (rows[e] == columns[e]) {
      skewDiagonal &= value == V(0);
      realDiagonal &= value == conjugate(value);
      continue;
    }
    ++outside;
    while (other < mirrored.count() && behind(e))
      ++other;
    if (other == mirrored.count() || otherRows[other] != rows[e] ||
        otherColumns[other] != columns[e])
      continue;
    const V &image = otherValues[other];
    ++present;
    equal += value == image;
    negated += opposite(value, image);
    conjugated += value == conjugate(image);
  }
  auto share = [&](int64_t part) {
    return outside == 0 ? 1.0 : static_cast<double>(part) / static_cast<double>(outside);
  };
  info.patternSymmetry = share(present);
  info.numericSymmetry = share(equal);
  info.skewSymmetric = skewDiagonal && negated == outside;
  info.hermitian = realDiagonal && conjugated == outside;
}

/// Finds how a square matrix compares with its transpose.
Status measureSymmetry(const Coordinates &sorted, MatrixInfo &info) {
  Result<Coordinates> mirrored = sorted.clone();
  if (!mirrored)
    return mirrored.takeStatus();
  if (Status permuted = mirrored->permute(std::array{1, 0}); !permuted.ok())
    return permuted;
  if (Status done = mirrored->sort(); !done.ok())
    return done;
  withCoordinateType(sorted.coordinateType(), [&]<typename C>(C *) {
    withValueType(sorted.valueType(),
                  [&]<typename V>(V *) { compareMirrored<C, V>(sorted, *mirrored, info); });
  });
  return {};
}

} // namespace

std::vector<int64_t> countInGrid(const Coordinates &list, int64_t rows, int64_t columns,
                                 std::array<int, 2> dimensions) {
  std::vector<int64_t> counts(static_cast<size_t>(rows * columns));
  // Products of sizes and parts may not fit 64 bits.
  auto part = [&](int dimension, int64_t entry, int64_t parts) {
    const auto size = static_cast<double>(list.sizes()[static_cast<size_t>(dimension)]);
    const double at = static_cast<double>(list.coordinate(dimension, entry));
    return std::min(static_cast<int64_t>(at / size * static_cast<double>(parts)), parts - 1);
  };
  for (int64_t e = 0; e < list.count(); ++e)
    ++counts[static_cast<size_t>(part(dimensions[0], e, rows) * columns +
                                 part(dimensions[1], e, columns))];
  return counts;
}

Result<TensorInfo> describe(const Coordinates &list) {
  TensorInfo info;
  info.sizes = list.sizes();
  info.valueType = list.valueType();
  info.stored = list.count();
  info.explicitZeros =
      withValueType(list.valueType(), [&]<typename V>(V *) { return countZeros<V>(list); });
  if (list.order() == 0) {
    info.density = 1;
    return info;
  }
  Result<Coordinates> sorted = list.clone();
  if (!sorted)
    return sorted.takeStatus();
  Result<int64_t> duplicates = sorted->sumDuplicates();
  if (!duplicates)
    return duplicates.takeStatus();
  info.duplicates = *duplicates;
  double places = 1;
  for (int64_t size : list.sizes())
    places *= static_cast<double>(size);
  if (places > 0)
    info.density = static_cast<double>(sorted->count()) / places;
  withCoordinateType(sorted->coordinateType(), [&]<typename C>(C *) {
    const std::vector<int64_t> starts = sliceStarts<C>(*sorted);
    info.slices = measureSlices(list.sizes()[0], starts);
    if (list.order() == 2) {
      measureDiagonals<C>(*sorted, info.matrix.emplace());
      info.matrix->columns = measureColumns<C>(*sorted);
      measureBlocks<C>(*sorted, *info.matrix);
    }
  });
  if (info.matrix && list.sizes()[0] == list.sizes()[1])
    if (Status done = measureSymmetry(*sorted, *info.matrix); !done.ok())
      return done;
  return info;
}

} // namespace strata::runtime
