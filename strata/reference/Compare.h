// Comparing what was computed with what the reference expects.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_REFERENCE_COMPARE_H
#define STRATA_REFERENCE_COMPARE_H

#include "strata/reference/Reference.h"

namespace strata::reference {

/// What is asked of the coordinates that a result stores.
enum class Pattern {
  ignored, ///< values only
  covers,  ///< all expected ones; what else is stored is worth the fill (blocks are padded)
  exact    ///< the expected ones
};

struct Tolerance {
  /// Integers are compared exactly. Other values may differ by this many times the bound on what
  /// rounding does to them, which grows with the number and size of the terms that were summed.
  double errorBounds = 4;
  /// And by this share of the expected value, whatever the bound: for sums that are known to be
  /// less precise than that.
  double relative = 0;
};

struct Difference {
  std::vector<int64_t> coordinate;
  Number expected, actual;
  bool expectedStored = true, actualStored = true;
  /// "at (3, 5): expected 1.5, found 2"
  std::string text;
};

struct Comparison {
  std::vector<Difference> differences; ///< the first few, in the order of coordinates
  int64_t differing = 0, compared = 0;

  bool equal() const { return differing == 0; }
  /// Lines for all listed differences, and how many more there are; empty if there are none.
  std::string text() const;
};

struct CompareOptions {
  Pattern pattern = Pattern::ignored;
  Tolerance tolerance = {};
  size_t maxDifferences = 5;
};

/// Compares at all coordinates that are expected or stored, or at the sampled ones if the
/// reference did not evaluate everything. What `actual` does not store is worth the fill. NaN
/// equals NaN, and 0 equals -0. Fails if sizes or element types differ.
runtime::Result<Comparison> compare(const Expected &expected, const Tensor &actual,
                                    const CompareOptions &options = {});
/// The same with stored entries of the result, as unpacking gives them.
runtime::Result<Comparison> compare(const Expected &expected, const runtime::Coordinates &actual,
                                    const CompareOptions &options = {});

} // namespace strata::reference
#endif // STRATA_REFERENCE_COMPARE_H
