// Which operations the reference knows, what is neutral, and what annihilates.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/reference/Element.h"

#include "strata/dialect/ta/LabelValues.h"

#include "llvm/ADT/StringSwitch.h"

#include <cmath>
#include <limits>

namespace strata::reference {

using Family = ElementType::Family;

static Operator comparison(ta::Relation relation) {
  switch (relation) {
  case ta::Relation::eq:
    return Operator::equal;
  case ta::Relation::ne:
    return Operator::notEqual;
  case ta::Relation::lt:
  case ta::Relation::ult:
    return Operator::less;
  case ta::Relation::le:
  case ta::Relation::ule:
    return Operator::lessOrEqual;
  case ta::Relation::gt:
  case ta::Relation::ugt:
    return Operator::greater;
  case ta::Relation::ge:
  case ta::Relation::uge:
    return Operator::greaterOrEqual;
  }
  return Operator::equal;
}

// Operations that read their operands without a sign.
static bool readsUnsigned(mlir::Operation *op) {
  if (auto compare = mlir::dyn_cast<ta::CompareOp>(op))
    return compare.getRelation() >= ta::Relation::ult;
  if (auto integer = mlir::dyn_cast<ta::ToIntegerOp>(op))
    return integer.getIsUnsigned();
  return llvm::StringSwitch<bool>(op->getName().getStringRef())
      .Cases({"arith.minui", "arith.maxui", "arith.divui", "arith.shrui"}, true)
      .Cases({"arith.extui", "arith.uitofp"}, true)
      .Default(false);
}

bool tellsMissing(Operator op) {
  return op == Operator::masked || op == Operator::unmasked || op == Operator::filter ||
         op == Operator::either;
}

std::optional<Element> elementOf(mlir::Operation *op) {
  std::optional<Operator> known =
      llvm::StringSwitch<std::optional<Operator>>(op->getName().getStringRef())
          .Cases({"arith.addf", "arith.addi", "complex.add"}, Operator::add)
          .Cases({"arith.subf", "arith.subi", "complex.sub"}, Operator::subtract)
          .Cases({"arith.mulf", "arith.muli", "complex.mul"}, Operator::multiply)
          .Cases({"arith.divf", "arith.divsi", "arith.divui", "complex.div"}, Operator::divide)
          .Cases({"arith.minimumf", "arith.minsi", "arith.minui"}, Operator::minimum)
          .Cases({"arith.maximumf", "arith.maxsi", "arith.maxui"}, Operator::maximum)
          .Case("arith.ori", Operator::bitwiseOr)
          .Case("arith.andi", Operator::bitwiseAnd)
          .Case("arith.xori", Operator::bitwiseXor)
          .Case("arith.shli", Operator::shiftLeft)
          .Cases({"arith.shrsi", "arith.shrui"}, Operator::shiftRight)
          .Case("arith.remf", Operator::remainder)
          .Case("math.copysign", Operator::copySign)
          .Case("complex.conj", Operator::conjugate)
          .Case("math.asin", Operator::arcSine)
          .Case("math.acos", Operator::arcCosine)
          .Case("math.atan", Operator::arcTangent)
          .Case("math.atan2", Operator::arcTangent2)
          .Case("math.sinh", Operator::hyperbolicSine)
          .Case("math.cosh", Operator::hyperbolicCosine)
          .Case("math.asinh", Operator::areaSine)
          .Case("math.acosh", Operator::areaCosine)
          .Case("math.atanh", Operator::areaTangent)
          .Case("math.log2", Operator::logarithm2)
          .Case("math.log10", Operator::logarithm10)
          .Case("math.log1p", Operator::logarithmPlus1)
          .Case("math.expm1", Operator::exponentialMinus1)
          .Case("math.cbrt", Operator::cubeRoot)
          .Case("math.erf", Operator::errorFunction)
          .Case("math.erfc", Operator::complementaryErrorFunction)
          .Cases({"arith.negf", "complex.neg"}, Operator::negate)
          .Cases({"math.absf", "math.absi", "complex.abs"}, Operator::absolute)
          .Cases({"math.sqrt", "complex.sqrt"}, Operator::squareRoot)
          .Cases({"math.exp", "complex.exp"}, Operator::exponential)
          .Cases({"math.sin", "complex.sin"}, Operator::sine)
          .Cases({"math.cos", "complex.cos"}, Operator::cosine)
          .Cases({"arith.extf", "arith.truncf", "arith.sitofp"}, Operator::convert)
          .Cases({"arith.fptosi", "arith.extsi", "arith.trunci"}, Operator::convert)
          .Cases({"arith.extui", "arith.uitofp"}, Operator::convert)
          .Case("arith.bitcast", Operator::reinterpret)
          .Case("ta.to_integer", Operator::saturate)
          .Cases({"math.log", "complex.log"}, Operator::logarithm)
          .Cases({"math.tan", "complex.tan"}, Operator::tangent)
          .Cases({"math.tanh", "complex.tanh"}, Operator::hyperbolicTangent)
          .Case("math.floor", Operator::floor)
          .Case("math.ceil", Operator::ceiling)
          .Cases({"math.powf", "complex.pow"}, Operator::power)
          .Case("ta.select", Operator::select)
          .Case("ta.masked", Operator::masked)
          .Case("ta.unmasked", Operator::unmasked)
          .Case("ta.filter", Operator::filter)
          .Case("ta.union", Operator::either)
          .Case("complex.create", Operator::makeComplex)
          .Case("complex.re", Operator::realPart)
          .Case("complex.im", Operator::imaginaryPart)
          .Default(std::nullopt);
  if (auto compare = mlir::dyn_cast<ta::CompareOp>(op))
    known = comparison(compare.getRelation());
  if (!known || op->getNumResults() != 1 || op->getNumOperands() == 0)
    return std::nullopt;
  auto result = elementType(op->getResult(0).getType());
  auto operand = elementType(op->getOperand(0).getType());
  if (!result || !operand)
    return std::nullopt;
  Element element{*known, *result, *operand};
  element.isUnsigned = readsUnsigned(op);
  element.ofLabels = op->hasAttr(ta::ofLabelsAttribute);
  if (*known == Operator::select) {
    auto value = elementType(op->getOperand(1).getType());
    if (!value)
      return std::nullopt;
    element.condition = *operand;
    element.operand = *value;
  }
  if (*known == Operator::filter || *known == Operator::masked || *known == Operator::unmasked) {
    auto mask = elementType(op->getOperand(1).getType());
    if (!mask)
      return std::nullopt;
    element.mask = *mask;
  }
  return element;
}

//===------------------------------------------------------------------------------------------===//
// Identities and annihilators
//===------------------------------------------------------------------------------------------===//

Element combining(ta::Combine combine, ElementType type) {
  switch (combine) {
  case ta::Combine::add:
    return {Operator::add, type, type};
  case ta::Combine::mul:
    return {Operator::multiply, type, type};
  case ta::Combine::min:
    return {Operator::minimum, type, type};
  case ta::Combine::max:
    return {Operator::maximum, type, type};
  case ta::Combine::umin:
    return {Operator::minimum, type, type, {}, true};
  case ta::Combine::umax:
    return {Operator::maximum, type, type, {}, true};
  case ta::Combine::any:
    return {Operator::any, type, type};
  case ta::Combine::lor:
    return {Operator::logicalOr, type, type};
  case ta::Combine::land:
    return {Operator::logicalAnd, type, type};
  case ta::Combine::lxor:
    return {Operator::logicalXor, type, type};
  }
  return {};
}

Number identity(ta::Combine combine, ElementType type) {
  double infinity = std::numeric_limits<double>::infinity();
  switch (combine) {
  case ta::Combine::add:
  case ta::Combine::any:
  case ta::Combine::lor:
  case ta::Combine::lxor:
    return numberOf(type, 0);
  case ta::Combine::mul:
  case ta::Combine::land:
    return numberOf(type, 1);
  case ta::Combine::min:
    return type.isInteger() ? Number{0, llvm::maxIntN(type.width)} : Number{infinity};
  case ta::Combine::max:
    return type.isInteger() ? Number{0, llvm::minIntN(type.width)} : Number{-infinity};
  case ta::Combine::umin:
    return readAs(type, {0, -1});
  case ta::Combine::umax:
    return numberOf(type, 0);
  }
  return {};
}

bool annihilates(const Element &element, unsigned at, const Scalar &absent) {
  // Integers have neither infinity nor NaN: of them a constant does the same.
  if (!absent.known || absent.undefined || (absent.literal && !element.operand.isInteger()))
    return false;
  const Number &number = absent.number;
  const bool isNaN = element.operand.family == Family::real && std::isnan(number.value.real());
  bool zero = equal(element.operand, number, numberOf(element.operand, 0));
  switch (element.op) {
  case Operator::multiply:
    return zero;
  case Operator::divide:
  case Operator::remainder:
    return (zero || isNaN) && at == 0 && !absent.literal;
  case Operator::copySign:
    return zero && at == 0 && !absent.literal;
  case Operator::minimum:
    return isNaN || equal(element.operand, number,
                          identity(element.isUnsigned ? ta::Combine::umax : ta::Combine::max,
                                   element.operand));
  case Operator::maximum:
    return isNaN || equal(element.operand, number,
                          identity(element.isUnsigned ? ta::Combine::umin : ta::Combine::min,
                                   element.operand));
  case Operator::bitwiseAnd:
    return zero;
  case Operator::shiftLeft:
  case Operator::shiftRight:
    return zero && at == 0;
  case Operator::bitwiseOr:
    return !zero && element.operand.width == 1;
  case Operator::add:
  case Operator::subtract:
    return element.operand.family == Family::real && (isNaN || std::isinf(number.value.real()));
  default:
    return false;
  }
  return false;
}

} // namespace strata::reference
