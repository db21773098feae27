// The facts of a tensor that help to choose its format.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_INFO_H
#define STRATA_RUNTIME_IO_INFO_H

#include "strata/runtime/storage/Coordinates.h"

#include <array>
#include <optional>

namespace strata::runtime {

/// How many entries the slices of the first dimension have: the rows of a matrix.
struct SliceLengths {
  int64_t least = 0, greatest = 0, empty = 0;
  double mean = 0;
};

/// Facts of a matrix. Entries with equal coordinates count once, with their sum.
struct MatrixInfo {
  int64_t bandwidth = 0; ///< the largest |row - column|
  int64_t lowerBandwidth = 0, upperBandwidth = 0;
  int64_t diagonals = 0; ///< that have an entry
  int64_t onDiagonal = 0;
  SliceLengths columns;
  /// The size of the square blocks that take the least memory if each that has an entry is stored
  /// as a whole, and the share of their elements that are entries; 1 if single entries take less.
  int64_t blockSize = 1;
  double blockFill = 1;
  /// Shares of the entries outside the main diagonal whose mirrored place has an entry; has an
  /// equal one. 1 if there are none, 0 if the matrix is not square.
  double patternSymmetry = 0, numericSymmetry = 0;
  bool skewSymmetric = false; ///< every entry is the negative of its mirror image
  bool hermitian = false;     ///< every entry is the conjugate of its mirror image
};

struct TensorInfo {
  std::vector<int64_t> sizes;
  strata_type valueType = STRATA_F64;
  int64_t stored = 0;               ///< entries, duplicates and zeros included
  int64_t duplicates = 0;           ///< entries beyond the first with the same coordinates
  int64_t explicitZeros = 0;        ///< stored entries whose value is 0
  double density = 0;               ///< different coordinates stored, of all there are
  SliceLengths slices;              ///< of the first dimension, duplicates counted once
  std::optional<MatrixInfo> matrix; ///< if the order is 2
};

/// How many entries lie in each of `rows` x `columns` equal parts of two dimensions, row by row.
std::vector<int64_t> countInGrid(const Coordinates &list, int64_t rows, int64_t columns,
                                 std::array<int, 2> dimensions = {0, 1});

/// Finds the facts. Works on sorted copies, so that up to three times the memory of the list is in
/// use beside it; nothing is allocated in proportion to the sizes.
Result<TensorInfo> describe(const Coordinates &list);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_INFO_H
