// What a tensor stores in an interval of its first level's dimension, where that is one stretch of
// each buffer: rows of CSR, slices of CSF.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_HOST_SLICE_H
#define STRATA_HOST_SLICE_H

#include "strata/host/StoredFormat.h"
#include "strata/runtime/storage/Storage.h"

namespace strata::host {

/// Tells whether slices of tensors in this format are one stretch of each buffer, and are again
/// such tensors. Then each level is a dimension, and `dim` is that of the first one.
bool hasSlices(const StoredFormat &format, int64_t dim);
/// Tells whether both store the same in the same way, except for the widths of positions and
/// coordinates.
bool differInWidthsAlone(const StoredFormat &one, const StoredFormat &other);

/// The coordinates [lo, hi) of the first level.
class Slice {
public:
  /// The storage and its format, which has slices, outlive this.
  Slice(const runtime::Storage &from, const StoredFormat &format, int64_t lo, int64_t hi);

  /// How many values are stored.
  int64_t count() const { return positions.back().end - positions.back().begin; }
  /// A tensor of these sizes, in buffers of its own. Its coordinates count from `lo`. `format`
  /// differs in widths alone.
  runtime::Result<runtime::Storage>
  copy(std::vector<int64_t> sizes, const StoredFormat &format,
       strata_allocator allocator = strata_default_allocator()) const;

private:
  struct Positions {
    int64_t begin, end;
  };
  const runtime::Storage &from;
  const StoredFormat &format;
  int64_t lo;
  std::vector<Positions> positions; // of each level, the root's before
};

} // namespace strata::host

#endif // STRATA_HOST_SLICE_H
