// Tensors as arrays of a file, level by level, and how they become lists of coordinates.
//
// NumPy's arrays, SciPy's and PyData's matrices and binsparse's formats are all stacks of two kinds
// of levels. A dense level has a place for every coordinate; a sparse one lists those that occur,
// and pointers that say where the list of each place above begins:
//
//   3x4 matrix by rows: dense, sparse         . a . b
//     pointers  0 2 2 4                       . . . .
//     indices   1 3 0 3                       c . . d
//     values    a b c d
//
// A level of rank r stands for r dimensions at once. Part of Strata, under the Apache License v2.0
// with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_LEVELARRAYS_H
#define STRATA_RUNTIME_IO_LEVELARRAYS_H

#include "strata/runtime/io/FileArray.h"

namespace strata::runtime {

struct ArrayLevel {
  bool sparse = false;
  int rank = 1;
  // Of a sparse level:
  /// Absent: at the root, where all entries belong to the one place above.
  std::optional<FileArray> pointers = {};
  std::vector<FileArray> indices = {}; ///< one array for each dimension
  /// What the format promises of the coordinates below one place; checked only if asked for.
  bool sorted = false, unique = false;
};

struct LevelArrays {
  std::vector<int64_t> sizes; ///< of the levels' dimensions, from the root's
  /// Which dimension of the tensor each of them is; empty: they are in order.
  std::vector<int> dimensions = {};
  std::vector<ArrayLevel> levels = {};
  FileArray values = {};
  bool same = false;             ///< `values` has one element, which all entries share
  std::complex<double> fill = 0; ///< what is worth what is not stored
  int64_t base = 0;              ///< what coordinates and pointers count from
  int64_t fileBytes = 0;         ///< what one shared value may stand for is in proportion to this
};

struct LevelArraysOptions {
  bool checkPromises = false; ///< order and uniqueness, too
  bool floating = false;      ///< integers become f64
};

/// Tells whether integers of a file are read as f64, on the way to the type that is asked for.
inline bool readsFloating(std::optional<strata_type> wanted) {
  return wanted && !isIntegerType(*wanted);
}

/// How many places each level has, after the one above the root; every array has an element for
/// each.
Result<std::vector<int64_t>> countPlaces(const LevelArrays &arrays);

/// The entries in the order of the file; all counts, pointers and coordinates are checked first,
/// so that memory is in proportion to the arrays. Dense levels give all their places, zeros too.
Result<Coordinates> coordinatesOf(const LevelArrays &arrays, const LevelArraysOptions &options);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_LEVELARRAYS_H
