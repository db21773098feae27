// The reference's own arithmetic: element operations and reductions on numbers.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_REFERENCE_ELEMENT_H
#define STRATA_REFERENCE_ELEMENT_H

#include "strata/dialect/ta/Ta.h"
#include "strata/reference/Number.h"

#include <span>

namespace strata::reference {

enum class Operator {
  add,
  subtract,
  multiply,
  divide,
  minimum,
  maximum,
  negate,
  absolute,
  squareRoot,
  exponential,
  sine,
  cosine,
  reinterpret, ///< the same bits as another type of that width
  convert,     ///< to another width or family; to integers toward zero
  saturate,    ///< to integers toward zero, and to the nearest that there is; 0 for NaN
  bitwiseOr,
  bitwiseAnd,
  bitwiseXor,
  shiftLeft,
  shiftRight, ///< without a sign zeros come in, else copies of it
  remainder,  ///< of a division that is rounded toward zero
  copySign,
  conjugate,
  arcSine,
  arcCosine,
  arcTangent,
  arcTangent2,
  hyperbolicSine,
  hyperbolicCosine,
  areaSine,
  areaCosine,
  areaTangent,
  logarithm2,
  logarithm10,
  logarithmPlus1,
  exponentialMinus1,
  cubeRoot,
  errorFunction,
  complementaryErrorFunction,
  makeComplex, ///< from a real and an imaginary part
  realPart,
  imaginaryPart,
  logarithm,
  tangent,
  hyperbolicTangent,
  floor,
  ceiling,
  power,
  any,       ///< one of the operands, whichever
  logicalOr, ///< of what is not zero: 1 or 0
  logicalAnd,
  logicalXor,
  equal, ///< comparisons: 1 or 0
  notEqual,
  less,
  lessOrEqual,
  greater,
  greaterOrEqual,
  select,   ///< the second operand where the first is not zero, else the third
  masked,   ///< the first operand where the second is there
  unmasked, ///< the first operand where the second is missing
  filter,   ///< the first operand where the second is not zero
  either    ///< that of the first two operands that is there, or the third if both are
};

/// Does the operation tell missing operands from others?
bool tellsMissing(Operator op);

/// An element operation and its types. All its operands have one type, but for masks and
/// conditions.
struct Element {
  Operator op = Operator::add;
  ElementType result, operand;
  ElementType mask = {};      ///< of the second operand of `filter`
  bool isUnsigned = false;    ///< the operands are read without a sign
  ElementType condition = {}; ///< of the first operand of `select`
  /// A comparison of labels: whatever it gives is a constant of the place.
  bool ofLabels = false;
};

/// The element operation that an MLIR operation stands for, by its name and types; nothing for
/// operations and types that the reference does not know.
std::optional<Element> elementOf(mlir::Operation *op);

/// The operation's value. Where an operand is known and annihilates (annihilates()), it does so
/// whatever the other is, NaN, infinite or undefined.
Scalar valueOf(const Element &element, std::span<const Scalar> operands);

/// Whether an operand `at` that is worth `absent` where nothing is stored determines the result
/// there: 0 as factor and numerator, the least value of a minimum, the greatest of a maximum, an
/// infinity in a sum or difference of real numbers (so that min-plus algebra is sparse), and NaN in
/// these, as numerator and in a minimum or maximum of real numbers.
bool annihilates(const Element &element, unsigned at, const Scalar &absent);

/// The element operation of a combining operator.
Element combining(ta::Combine combine, ElementType type);
/// The number that `combine` leaves others unchanged with.
Number identity(ta::Combine combine, ElementType type);

/// One group of a reduction. Sums are kept more precise than any element type; the bound on the
/// error holds for every order of summation.
class Accumulator {
public:
  /// Combines with `times` copies of a term.
  void add(ta::Combine combine, ElementType type, const Scalar &term, uint64_t times = 1);
  /// How many terms there were, missing ones included.
  uint64_t count() const { return terms; }
  /// Were all terms missing?
  bool empty() const { return combined == 0; }
  /// Counts terms that are missing.
  void skip(uint64_t times) { terms += times; }
  /// The reduction's value; without terms the identity, or missing if that is asked for.
  Scalar value(ta::Combine combine, ElementType type, bool missing) const;

private:
  uint64_t terms = 0, combined = 0;
  std::complex<long double> sum = 0;
  long double magnitude = 0, error = 0;
  bool undefined = false;
  Scalar other; // integers, products, minima and maxima
};

} // namespace strata::reference
#endif // STRATA_REFERENCE_ELEMENT_H
