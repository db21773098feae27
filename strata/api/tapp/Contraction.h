// A tensor product as what Strata computes: a contraction of dense tensors, and what is done to its
// operands before and to its result after.
#ifndef STRATA_API_TAPP_CONTRACTION_H
#define STRATA_API_TAPP_CONTRACTION_H

#include "strata/api/tapp/Elements.h"
#include "strata/api/tapp/Loops.h"
#include "strata/api/tapp/TensorInfo.h"

#include <string>

namespace strata::tapp {

/// A tensor of a product, with its indices.
struct Term {
  TAPP_element_op op = TAPP_IDENTITY;
  TensorInfo info = {};
  std::vector<int64_t> indices = {};
};

/// The first and the last element that a tensor has, as offsets.
struct Span {
  int64_t first = 0, last = 0;
};

/// How the contraction takes A or B: where it lies, as a part of a dense tensor, or packed.
struct Operand {
  TAPP_datatype type = TAPP_F32;
  bool conjugate = false;
  bool packed = false, sums = false; ///< `sums`: several elements become one
  std::vector<Loop<2>> loops = {};   ///< of packing: from, to
  std::vector<int64_t> sizes = {};   ///< of the dense tensor
  int64_t count = 1;                 ///< of its elements
  Span span = {};
  std::string access = {}; ///< "A(i0,k0(0,5))"
};

struct Contraction {
  TAPP_datatype type = TAPP_F32;   ///< of the contraction
  TAPP_datatype finish = TAPP_F32; ///< in which alpha and beta are applied
  Operand A = {}, B = {};
  std::vector<int64_t> sizes = {}; ///< of its result, R
  int64_t count = 1;
  std::string text = {}; ///< "R(i0) = A(i0,k0) * B(k0)"
  bool isEmpty = false;  ///< D has no elements
  bool hasTerms = true;  ///< else all sums are 0
  double factor = 1;     ///< how often each term is added
  bool isD = false;      ///< the result lies in memory as D does
  TAPP_datatype typeC = TAPP_F32, typeD = TAPP_F32;
  bool conjugateC = false, conjugateD = false;
  bool likeC = false;              ///< C lies in memory as D does
  std::vector<Loop<3>> loops = {}; ///< of what follows: R, C, D
  Span spanC = {}, spanD = {};
};

/// Fails with what is wrong with indices, extents and strides.
TAPP_error analyze(const Term &A, const Term &B, const Term &C, const Term &D, TAPP_prectype prec,
                   Contraction &contraction);

} // namespace strata::tapp

#endif // STRATA_API_TAPP_CONTRACTION_H
