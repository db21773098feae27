// Dense tensors as rows, and copies of some rows of one to another.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_HOST_DENSEROWS_H
#define STRATA_HOST_DENSEROWS_H

#include "strata/host/StoredFormat.h"
#include "strata/runtime/storage/Storage.h"

#include <optional>
#include <vector>

namespace strata::host {

/// A dense tensor as rows: what it stores at one coordinate of a dimension.
struct DenseRows {
  char *data;
  int64_t runs;                      ///< of which a row consists
  int64_t count;                     ///< of rows
  int64_t bytes;                     ///< of a run
  int64_t rowStride = bytes;         ///< bytes from a run to that of the next row
  int64_t runStride = count * bytes; ///< bytes from a run to the next one of the row

  /// Nothing, unless the format keeps every place in the order of whole dimensions.
  static std::optional<DenseRows> of(const StoredFormat &format, const runtime::Storage &storage,
                                     int64_t dim);
  /// Rows like those of another tensor, but with all runs of a row one behind the other, as they
  /// are sent.
  static DenseRows packed(char *data, int64_t count, const DenseRows &like) {
    return {data, like.runs, count, like.bytes, like.rowBytes(), like.bytes};
  }
  int64_t rowBytes() const { return runs * bytes; }
  char *run(int64_t number, int64_t row) const {
    return data + number * runStride + row * rowStride;
  }
};

/// Copies rows that lie one behind the other, from number `row` on, to those from number `at` on.
void copyRows(const DenseRows &from, int64_t row, const DenseRows &to, int64_t at, int64_t count);

/// Numbers of rows in some order, mostly ascending: stretches one behind the other, and others one
/// by one where stretches are short.
class RowNumbers {
public:
  void add(int64_t row);
  int64_t count() const { return total; }
  /// The first one, if all lie one behind the other.
  std::optional<int64_t> interval() const;
  /// Copies these rows to those from number `at` on, unless they lie there. Returns the bytes that
  /// it has copied.
  int64_t copy(const DenseRows &from, const DenseRows &to, int64_t at) const;

private:
  struct Stretch {
    int64_t row, count;
    std::vector<int64_t> rows = {}; ///< if they do not lie one behind the other
  };
  void addOneByOne(Stretch &last, int64_t row);

  std::vector<Stretch> stretches;
  int64_t total = 0;
  int64_t ascending = 0; ///< how many of the last ones lie one behind the other
};

} // namespace strata::host

#endif // STRATA_HOST_DENSEROWS_H
