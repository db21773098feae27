// A tensor as a list of stored coordinates and their values: what files are read into, and what
// packing starts from.
//
// One array of coordinates per dimension (counted from 0) and one of values:
//
//        0 1 2 3          column(0)  0 0 2
//     0  5 . 7 .          column(1)  0 2 1
//     1  . . . .          values()   5 7 9
//     2  . 9 . .
//
// Duplicates are allowed and mean their sum. Part of Strata, under the Apache License v2.0 with
// LLVM Exceptions.
#ifndef STRATA_RUNTIME_STORAGE_COORDINATES_H
#define STRATA_RUNTIME_STORAGE_COORDINATES_H

#include "strata/runtime/storage/Storage.h"

#include <span>
#include <vector>

namespace strata::runtime {

/// Which entries of a matrix to keep, by the numbers that programs use.
enum class Triangle { all = 1, strictlyLower = 2, lower = 3, strictlyUpper = 4, upper = 5 };

/// What becomes of a sum of integers that does not fit its type.
enum class Overflow { fails, wraps };

class Coordinates {
public:
  Coordinates() = default;
  /// `count` entries with uninitialized coordinates and values. Coordinates are i32 if all sizes
  /// fit, else i64. The values are of any element type.
  static Result<Coordinates> create(std::vector<int64_t> sizes, strata_type valueType,
                                    int64_t count);
  /// The same with a chosen width of coordinates; fails if i32 cannot hold a size.
  static Result<Coordinates> create(std::vector<int64_t> sizes, strata_type coordinateType,
                                    strata_type valueType, int64_t count);
  /// Columns and values that are already there, all of the same count.
  static Result<Coordinates> assemble(std::vector<int64_t> sizes, std::vector<Buffer> columns,
                                      Buffer values);

  int order() const { return static_cast<int>(extents.size()); }
  const std::vector<int64_t> &sizes() const { return extents; }
  int64_t count() const { return entryCount; }
  strata_type coordinateType() const { return width; }
  strata_type valueType() const { return valueBuffer.type(); }
  int64_t bytes() const;

  Buffer &column(int dimension) { return columns[static_cast<size_t>(dimension)]; }
  const Buffer &column(int dimension) const { return columns[static_cast<size_t>(dimension)]; }
  Buffer &values() { return valueBuffer; }
  const Buffer &values() const { return valueBuffer; }
  /// One coordinate or value, whatever the types: for printing and tests.
  int64_t coordinate(int dimension, int64_t entry) const;
  std::complex<double> value(int64_t entry) const;

  /// Keeps the first `count` entries, or appends uninitialized ones.
  Status resize(int64_t count);
  Result<Coordinates> clone() const;

  // ---- Moves to and from a COO storage, without copies ----

  /// Buffers: positions [0, count] of the root level (of `positionType`), coordinates of dimension
  /// 0, coordinates of dimension 1, …, values. A tensor of order 0 has its values only.
  Result<Storage> intoStorage(strata_type positionType = STRATA_I64) &&;
  /// From such a storage; buffers of somebody else are copied.
  static Result<Coordinates> fromStorage(Storage &&storage);

  // ---- Operations in place; a failure for lack of memory leaves the entries as they were ----
  // `order` lists dimensions from the most to the least significant; those that it leaves out
  // follow in ascending order.

  /// Are the entries in lexicographic order?
  bool isSorted(std::span<const int> order = {}) const;
  /// The same, and no two at the same place?
  bool isStrictlySorted(std::span<const int> order = {}) const;
  /// Sorts lexicographically; entries with equal coordinates keep their order. In parallel; needs
  /// 16 bytes per entry beside the entries.
  Status sort(std::span<const int> order = {});
  /// Sorts if necessary, then adds up entries with equal coordinates, in their order, in their own
  /// type; those of 16 bits with a fraction in float, and of booleans the sum is true if one is.
  /// Returns how many entries disappeared; fails if a sum of integers overflows.
  /// What overflows may wrap instead, as in computed results.
  Result<int64_t> sumDuplicates(std::span<const int> order = {},
                                Overflow overflow = Overflow::fails);
  /// Dimension `d` becomes what was dimension `source[d]`; each dimension is the source of one.
  /// Moves columns only.
  Status permute(std::span<const int> source);
  /// Removes a dimension of size 1.
  Status dropDimension(int dimension);
  /// Changes the type of the values. Fails on values that the new type cannot express: an integer
  /// out of range or with a fraction, a finite number that becomes infinite, a complex number with
  /// an imaginary part. Rounding to a narrower floating-point type is no failure.
  Status convertValues(strata_type type);
  /// Changes the width of coordinates (i32 or i64).
  Status convertCoordinates(strata_type type);
  /// Drops the entries of a matrix outside a triangle; keeps the order of the others.
  Status keepTriangle(Triangle part);

private:
  std::vector<int64_t> extents;
  std::vector<Buffer> columns;
  Buffer valueBuffer;
  int64_t entryCount = 0;
  strata_type width = STRATA_I32;
};

/// The narrower coordinate type that holds all sizes.
strata_type coordinateTypeFor(std::span<const int64_t> sizes);

/// Changes the type of values, as Coordinates::convertValues does.
Status convertValues(Buffer &values, strata_type type);
/// The first value that a type cannot express, or -1.
int64_t firstInexpressible(const Buffer &values, strata_type type);

/// Calls `body` with a null pointer to int32_t or int64_t.
template <typename Body> auto withCoordinateType(strata_type type, Body body) {
  return type == STRATA_I32 ? body(static_cast<int32_t *>(nullptr))
                            : body(static_cast<int64_t *>(nullptr));
}

} // namespace strata::runtime
#endif // STRATA_RUNTIME_STORAGE_COORDINATES_H
