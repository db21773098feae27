// Operands and results of the reference: coordinates and their values, as they were before any
// packing into a storage.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_REFERENCE_TENSOR_H
#define STRATA_REFERENCE_TENSOR_H

#include "strata/reference/Number.h"
#include "strata/reference/TupleTable.h"
#include "strata/runtime/storage/Coordinates.h"

#include <map>
#include <memory>
#include <span>
#include <vector>

namespace strata::reference {

/// Immutable; copies share the entries. What is not stored has no value here: the type of the
/// operand that the tensor stands for says its fill.
class Tensor {
public:
  /// Takes the entries; repeated coordinates are summed.
  static runtime::Result<Tensor> fromCoordinates(runtime::Coordinates entries);
  /// The same from entries that the caller keeps.
  static runtime::Result<Tensor> copyOf(const runtime::Coordinates &entries);
  /// Every coordinate has a value: these, the last dimension running fastest. A scalar has no
  /// sizes and one value.
  static runtime::Result<Tensor> fromValues(std::vector<int64_t> sizes, strata_type type,
                                            const void *values);

  const std::vector<int64_t> &sizes() const { return state->sizes; }
  unsigned order() const { return static_cast<unsigned>(state->sizes.size()); }
  ElementType type() const { return state->type; }
  /// Stored entries, numbered from 0.
  int64_t count() const { return state->count; }
  /// Whether every coordinate is stored; then entries are numbered in row-major order.
  bool complete() const { return state->complete; }

  Number value(int64_t entry) const;
  int64_t coordinate(unsigned dimension, int64_t entry) const;
  /// The entry at a coordinate of this tensor; -1 if there is none.
  int64_t find(std::span<const int64_t> coordinate) const;

  /// The entries whose coordinates in the dimensions of `mask` (bit d: dimension d) are these, in
  /// ascending order of dimensions. The first call for a mask builds an index.
  std::span<const int64_t> select(uint64_t mask, std::span<const int64_t> coordinates) const;

private:
  /// Entries grouped by their coordinates in some dimensions.
  struct Index {
    TupleTable groups;
    std::vector<int64_t> starts, entries;
  };
  struct State {
    std::vector<int64_t> sizes;
    ElementType type;
    int64_t count = 0;
    bool complete = false;
    runtime::Coordinates stored; // if not all coordinates are given by the numbering
    runtime::Buffer values;      // else
    std::map<uint64_t, Index> indices;
  };
  Index buildIndex(uint64_t mask) const;

  std::shared_ptr<State> state;
};

/// "(3, 5)"
std::string text(std::span<const int64_t> coordinate);

/// The number of coordinates of a tensor of these sizes, or the greatest integer if there are more.
int64_t countCoordinates(std::span<const int64_t> sizes);

} // namespace strata::reference
#endif // STRATA_REFERENCE_TENSOR_H
