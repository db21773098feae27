// The reference interpreter: what a statement of index notation means, evaluated from its
// definition on coordinates and values. It shares no code with the compiler below the ta dialect.
//
// What an operand does not store is worth its fill, and an absent fill that annihilates does so
// whatever it meets: absent 0 * NaN = 0, while a stored 0 * NaN = NaN. Which values annihilate is
// said at annihilates() in Element.h. An operand in a format that stores every coordinate has no
// absent ones. A reduction runs over all values of its variables; what is missing, and what absent
// operands make the identity, is no term. Without terms it is the identity, and counts as absent.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_REFERENCE_REFERENCE_H
#define STRATA_REFERENCE_REFERENCE_H

#include "strata/reference/Statement.h"

namespace strata::reference {

struct Options {
  /// How many values of operands to look at. A statement that needs more is evaluated at sampled
  /// coordinates of its result instead (with as much work again, at most).
  int64_t maxWork = 10'000'000;
  /// How many coordinates to sample: most where stored entries of operands meet, some anywhere.
  int64_t samples = 1000;
  uint64_t seed = 1;
};

/// What the result of a statement has to be.
struct Expected {
  struct Entry {
    Number value;
    /// A bound on what rounding does to the value in any order of evaluation, to first order.
    double error = 0;
    /// Whether the result stores this coordinate. It does not where folding the statement, absent
    /// operands replaced by their fills, gives the result's fill.
    bool stored = true;
  };

  std::vector<int64_t> sizes;
  ElementType type;
  strata_type storedType = STRATA_F64;
  Number fill;       ///< the value of what is not listed, if `complete`
  bool full = false; ///< the result's format stores every coordinate
  /// Distinct coordinates in lexicographic order, one after the other, and their entries. If
  /// `complete`, all that are stored (those worth the fill may be left out where the result is
  /// full); else a sample, with some that are not.
  std::vector<int64_t> coordinates;
  std::vector<Entry> entries;
  /// Everything was evaluated; otherwise `entries` are those that were sampled, perhaps none.
  bool complete = true;
  /// Values of operands that were looked at.
  int64_t work = 0;

  std::span<const int64_t> coordinate(size_t entry) const {
    return std::span(coordinates).subspan(entry * sizes.size(), sizes.size());
  }
  /// The result as an operand of further statements. Only if `complete`.
  runtime::Result<Tensor> tensor() const;
};

/// Evaluates a statement. `init` is null if it has none. `indexValue` (may be null) gives extents
/// and sizes; constants, and ta.dim of the operands, are found without it.
runtime::Result<Expected> evaluate(ta::ComputeOp op, std::span<const Tensor> inputs,
                                   const Tensor *init = nullptr, IndexValue indexValue = nullptr,
                                   const Options &options = {});

/// Tensors one behind the other along a dimension, as values of `type`: at each coordinate what the
/// tensor stores whose range of coordinates it lies in.
runtime::Result<Expected> concatenate(std::span<const Tensor> tensors, unsigned dimension,
                                      strata_type type, Number fill);

} // namespace strata::reference
#endif // STRATA_REFERENCE_REFERENCE_H
