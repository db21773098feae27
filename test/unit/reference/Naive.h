// Statements evaluated by looping over all values of all index variables: short enough to be seen
// to be right, and only good for tiny tensors.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_TEST_UNIT_REFERENCE_NAIVE_H
#define STRATA_TEST_UNIT_REFERENCE_NAIVE_H

#include "strata/reference/Reference.h"

namespace strata::reference {

/// A value; integers are integers. `known`: no stored value was read.
struct Cell {
  std::complex<double> value;
  bool known = false;
  bool literal =
      false; ///< made of constants alone: not absent, so it annihilates no more than a stored value
};

/// The value at every coordinate of the result; known and worth the fill means: not stored. The
/// extents are constants, or given by ta.dim of inputs.
std::map<std::vector<int64_t>, Cell> naive(ta::ComputeOp op, const std::vector<Tensor> &inputs,
                                           const Tensor *init);

/// Where the reference and the loops disagree, on values or on what is stored; empty if nowhere.
std::string differences(const Expected &expected,
                        const std::map<std::vector<int64_t>, Cell> &cells);

} // namespace strata::reference
#endif // STRATA_TEST_UNIT_REFERENCE_NAIVE_H
