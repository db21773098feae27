// Lists the coordinates of a storage, and numbers them by such lists, where they lie.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_HOST_RENUMBER_H
#define STRATA_HOST_RENUMBER_H

#include "strata/host/StoredFormat.h"
#include "strata/runtime/storage/Coordinates.h"
#include "strata/runtime/storage/Storage.h"

#include <memory>
#include <span>

namespace strata::host {

/// Coordinates of one dimension, ascending.
using CoordinateList = std::span<const int64_t>;

/// Finds the numbers of coordinates in a list, which outlives this: by a subtraction, if the list
/// is an interval, by a table, unless that is longer than what is to be found, or by a search.
class NumbersIn {
public:
  NumbersIn(CoordinateList list, int64_t finds);

  /// Returns -1 of a coordinate that is not in the list.
  int64_t operator()(int64_t coordinate) const {
    const int64_t offset = inInterval(coordinate);
    if (offset < 0 || interval)
      return offset;
    return table.empty() ? search(coordinate) : table[size_t(offset)];
  }
  /// Tells whether the list has all coordinates from its first to its last one.
  bool isInterval() const { return interval; }
  /// Returns the number that it would have then.
  int64_t inInterval(int64_t coordinate) const {
    const uint64_t offset = uint64_t(coordinate) - uint64_t(first);
    return offset < extent ? int64_t(offset) : -1;
  }

private:
  int64_t search(int64_t coordinate) const;

  CoordinateList list;
  int64_t first = 0;
  uint64_t extent = 0; // from the first coordinate to the last one
  bool interval = false;
  std::vector<int32_t> table; // by coordinate, from the first one on
};

/// Lists the coordinates of a dimension of this size that entries have, ascending, each once.
std::vector<int64_t> differentCoordinates(const runtime::Coordinates &entries, int64_t dim,
                                          int64_t size);

/// Tells whether a buffer has the coordinates of each of these dimensions, of every entry that is
/// stored, and other coordinates in the same order are again such a tensor.
bool storesCoordinates(const StoredFormat &format, std::span<const int64_t> dims);
/// Lists the coordinates of such a dimension, ascending, each once.
std::vector<int64_t> storedCoordinates(const runtime::Storage &storage, const StoredFormat &format,
                                       int64_t dim);
/// Returns a storage of the same entries whose coordinates in such dimensions are their numbers in
/// lists; null if one is in no list. `first` are the coordinates from which those of the storage
/// count; `sizes` are the new ones, and `wanted` differs from the format in widths alone. What
/// stays as it is lies where it lay: the new storage keeps the one that it is made of.
runtime::Result<std::shared_ptr<runtime::Storage>>
renumbered(const std::shared_ptr<runtime::Storage> &from, const StoredFormat &format,
           std::span<const int64_t> first, std::span<const int64_t> dims,
           std::span<const CoordinateList> lists, std::vector<int64_t> sizes,
           const StoredFormat &wanted);

} // namespace strata::host

#endif // STRATA_HOST_RENUMBER_H
