// Numbers of any element type, with what the reference interpreter knows about each of them.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_REFERENCE_NUMBER_H
#define STRATA_REFERENCE_NUMBER_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/Types.h"
#include "strata/runtime/abi.h"

#include <complex>
#include <cstdint>
#include <optional>
#include <string>

namespace strata::reference {

/// An element type: `width` is that of an integer, of a real number, or of a real part.
struct ElementType {
  enum class Family { integer, real, complex };
  Family family = Family::real;
  unsigned width = 64;
  bool isUnsigned = false; ///< of integers that are stored so; those inside statements have no sign
  bool brain = false;      ///< of the real numbers of 16 bits, bfloat16

  bool isInteger() const { return family == Family::integer; }
  bool operator==(const ElementType &) const = default;
};

/// Integers up to 64 bits, f16, bf16, f32, f64 and complex of the last two; nothing for other
/// types.
std::optional<ElementType> elementType(mlir::Type type);
/// The type that stores such elements; nothing for types that only occur inside statements.
std::optional<strata_type> storedType(ElementType type);
ElementType elementType(strata_type type);
/// The unit roundoff: half the distance from 1 to the next number; 0 for integers.
double roundoff(ElementType type);

/// A number of any element type. Integers use `integer`, the others `value`. An unsigned integer of
/// 64 bits has its bits there; others are as they are, those without a sign as if they had one.
struct Number {
  std::complex<double> value = 0;
  int64_t integer = 0;
};

/// Nothing for an attribute that is no number of a supported type.
std::optional<Number> numberOf(mlir::Attribute attribute);
Number numberOf(ElementType type, double value);
/// An integer's bits, read as a type of that width; other numbers as they are.
Number readAs(ElementType type, Number number);
/// The number whose bits as `to` are those of a number as `from`: integers and real numbers of the
/// same width.
Number withBitsOf(ElementType from, const Number &number, ElementType to);
/// The number of a real or complex type that is nearest.
Number rounded(ElementType type, std::complex<double> value);
/// NaN equals NaN here, and 0 equals -0.
bool equal(ElementType type, const Number &a, const Number &b);
bool isFinite(ElementType type, const Number &number);
std::string text(ElementType type, const Number &number);

/// The value of an expression at one place.
struct Scalar {
  Number number;
  /// A bound on how far rounding, in any order of evaluation, moves the value; absolute.
  double error = 0;
  /// It follows from constants and from what operands do not store: no stored value was read.
  bool known = false;
  /// It follows from constants alone: then it annihilates no infinity and no NaN.
  bool literal = false;
  /// It would be known but for masks that let it pass.
  bool masked = false;
  /// It divides an integer by zero.
  bool undefined = false;
  /// There is no value: something that is not stored was read by an access that tells.
  bool missing = false;
};

} // namespace strata::reference
#endif // STRATA_REFERENCE_NUMBER_H
