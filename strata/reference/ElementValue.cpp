// The values of operations, and how far roundings may have moved them.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/reference/Element.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <limits>

namespace strata::reference {

using Family = ElementType::Family;

// What an operand that annihilates makes of the operation.
static Number annihilated(const Element &element, unsigned at, const Number &number) {
  if (std::isnan(number.value.real()))
    return number;
  if (element.op == Operator::subtract && at == 1)
    return {-number.value};
  if (element.op == Operator::multiply || element.op == Operator::divide ||
      element.op == Operator::remainder || element.op == Operator::copySign)
    return numberOf(element.result, 0);
  return number;
}

// Two infinities, or one and NaN, of which each would win: then plain arithmetic decides.
static bool disagree(const Element &element, std::span<const Scalar> operands) {
  if (element.op != Operator::add && element.op != Operator::subtract)
    return false;
  return annihilates(element, 0, operands[0]) && annihilates(element, 1, operands[1]);
}

static std::optional<int64_t> integerValue(const Element &element, int64_t a, int64_t b) {
  // Unsigned arithmetic wraps; the width's upper bits are cut off afterwards.
  auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
  switch (element.op) {
  case Operator::add:
    return static_cast<int64_t>(x + y);
  case Operator::subtract:
    return static_cast<int64_t>(x - y);
  case Operator::multiply:
    return static_cast<int64_t>(x * y);
  case Operator::divide:
    if (b == 0)
      return std::nullopt;
    if (element.isUnsigned)
      return static_cast<int64_t>(x / y);
    return b == -1 ? static_cast<int64_t>(0 - x) : a / b;
  case Operator::minimum:
    return element.isUnsigned ? static_cast<int64_t>(std::min(x, y)) : std::min(a, b);
  case Operator::maximum:
    return element.isUnsigned ? static_cast<int64_t>(std::max(x, y)) : std::max(a, b);
  case Operator::bitwiseOr:
    return a | b;
  case Operator::bitwiseAnd:
    return a & b;
  case Operator::bitwiseXor:
    return a ^ b;
  case Operator::shiftLeft:
  case Operator::shiftRight:
    if (b < 0 || b >= element.operand.width)
      return std::nullopt;
    return element.op == Operator::shiftLeft ? static_cast<int64_t>(x << b)
           : element.isUnsigned              ? static_cast<int64_t>(x >> b)
                                             : a >> b;
  case Operator::absolute:
    return a < 0 ? static_cast<int64_t>(0 - x) : a;
  case Operator::convert:
    return a;
  default:
    break;
  }
  return std::nullopt;
}

static std::complex<double> product(Family family, std::complex<double> a, std::complex<double> b) {
  if (family == Family::real)
    return a.real() * b.real();
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

static double extremum(bool least, double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<double>::quiet_NaN();
  return least ? std::min(a, b) : std::max(a, b);
}

// Functions of real numbers alone.
static double realValue(Operator op, double a, double b) {
  switch (op) {
  case Operator::remainder:
    return std::fmod(a, b);
  case Operator::copySign:
    return std::copysign(a, b);
  case Operator::arcSine:
    return std::asin(a);
  case Operator::arcCosine:
    return std::acos(a);
  case Operator::arcTangent:
    return std::atan(a);
  case Operator::arcTangent2:
    return std::atan2(a, b);
  case Operator::hyperbolicSine:
    return std::sinh(a);
  case Operator::hyperbolicCosine:
    return std::cosh(a);
  case Operator::areaSine:
    return std::asinh(a);
  case Operator::areaCosine:
    return std::acosh(a);
  case Operator::areaTangent:
    return std::atanh(a);
  case Operator::logarithm2:
    return std::log2(a);
  case Operator::logarithm10:
    return std::log10(a);
  case Operator::logarithmPlus1:
    return std::log1p(a);
  case Operator::exponentialMinus1:
    return std::expm1(a);
  case Operator::cubeRoot:
    return std::cbrt(a);
  case Operator::errorFunction:
    return std::erf(a);
  case Operator::complementaryErrorFunction:
    return std::erfc(a);
  default:
    return 0;
  }
}

static std::complex<double> inexactValue(const Element &element, std::complex<double> a,
                                         std::complex<double> b) {
  bool real = element.operand.family == Family::real;
  switch (element.op) {
  case Operator::add:
    return a + b;
  case Operator::subtract:
    return a - b;
  case Operator::multiply:
    return product(element.operand.family, a, b);
  case Operator::divide:
    return real ? std::complex<double>(a.real() / b.real()) : a / b;
  case Operator::minimum:
  case Operator::maximum:
    return extremum(element.op == Operator::minimum, a.real(), b.real());
  case Operator::negate:
    return real ? std::complex<double>(-a.real()) : -a;
  case Operator::absolute:
    return std::abs(a);
  case Operator::squareRoot:
    return real ? std::complex<double>(std::sqrt(a.real())) : std::sqrt(a);
  case Operator::exponential:
    return real ? std::complex<double>(std::exp(a.real())) : std::exp(a);
  case Operator::sine:
    return real ? std::complex<double>(std::sin(a.real())) : std::sin(a);
  case Operator::cosine:
    return real ? std::complex<double>(std::cos(a.real())) : std::cos(a);
  case Operator::convert:
    return a;
  case Operator::makeComplex:
    return {a.real(), b.real()};
  case Operator::realPart:
    return a.real();
  case Operator::imaginaryPart:
    return a.imag();
  case Operator::logarithm:
    return real ? std::complex<double>(std::log(a.real())) : std::log(a);
  case Operator::tangent:
    return real ? std::complex<double>(std::tan(a.real())) : std::tan(a);
  case Operator::hyperbolicTangent:
    return real ? std::complex<double>(std::tanh(a.real())) : std::tanh(a);
  case Operator::floor:
    return std::floor(a.real());
  case Operator::ceiling:
    return std::ceil(a.real());
  case Operator::power:
    return real ? std::complex<double>(std::pow(a.real(), b.real())) : std::pow(a, b);
  case Operator::conjugate:
    return std::conj(a);
  default:
    break;
  }
  return realValue(element.op, a.real(), b.real());
}

// How far a function of real numbers moves within the errors of its operands. At the edge of where
// it is defined the other side counts.
static double moved(Operator op, const Scalar &a, const Scalar &b) {
  double x = a.number.value.real(), y = b.number.value.real(), middle = realValue(op, x, y);
  double result = 0;
  for (double da : {-a.error, a.error})
    for (double db : {-b.error, b.error}) {
      double distance = std::abs(realValue(op, x + da, y + db) - middle);
      if (distance > result)
        result = distance;
    }
  return result;
}

// How far the operands' errors move the result, to first order.
static double carriedError(const Element &element, const Scalar &a, const Scalar &b,
                           double result) {
  double x = std::abs(a.number.value), y = std::abs(b.number.value);
  switch (element.op) {
  case Operator::multiply:
    return x * b.error + y * a.error;
  case Operator::divide:
    return y == 0 ? 0 : a.error / y + result * (b.error / y);
  case Operator::minimum:
  case Operator::maximum:
    return std::max(a.error, b.error);
  case Operator::squareRoot:
    return result == 0 ? std::sqrt(a.error) : a.error / result;
  case Operator::exponential:
    return a.error * result;
  case Operator::logarithm:
    return x == 0 ? 0 : a.error / x;
  case Operator::tangent:
    return a.error * (1 + result * result);
  case Operator::power:
    return x == 0 ? 0 : result * (y * (a.error / x) + std::abs(std::log(x)) * b.error);
  case Operator::floor:
  case Operator::ceiling:
    return a.error == 0 ? 0 : 1;
  case Operator::add:
  case Operator::subtract:
  case Operator::makeComplex:
    return a.error + b.error;
  case Operator::remainder:
  case Operator::copySign:
  case Operator::arcSine:
  case Operator::arcCosine:
  case Operator::arcTangent:
  case Operator::arcTangent2:
  case Operator::hyperbolicSine:
  case Operator::hyperbolicCosine:
  case Operator::areaSine:
  case Operator::areaCosine:
  case Operator::areaTangent:
  case Operator::logarithm2:
  case Operator::logarithm10:
  case Operator::logarithmPlus1:
  case Operator::exponentialMinus1:
  case Operator::cubeRoot:
  case Operator::errorFunction:
  case Operator::complementaryErrorFunction:
    return a.error == 0 && b.error == 0 ? 0 : 2 * moved(element.op, a, b);
  default:
    return a.error;
  }
  return 0;
}

static void finishInteger(const Element &element, Scalar &result, std::optional<int64_t> value) {
  result.undefined |= !value;
  result.number = readAs(element.result, {0, value.value_or(0)});
}

static Scalar realToInteger(const Element &element, const Scalar &a, Scalar result) {
  double value = std::trunc(a.number.value.real());
  double beyond = std::ldexp(1, static_cast<int>(element.result.width) - !element.isUnsigned);
  double least = element.isUnsigned ? 0 : -beyond;
  if (element.op == Operator::saturate) {
    if (std::isnan(value))
      value = 0;
    if (!(value >= least && value < beyond)) {
      result.number.integer = value < 0            ? static_cast<int64_t>(least)
                              : element.isUnsigned ? -1
                                                   : llvm::maxIntN(element.result.width);
      result.number = readAs(element.result, result.number);
      return result;
    }
  }
  result.undefined |= !(value >= least && value < beyond);
  if (!result.undefined)
    result.number.integer = value >= 0 ? static_cast<int64_t>(static_cast<uint64_t>(value))
                                       : static_cast<int64_t>(value);
  result.number = readAs(element.result, result.number);
  double low = a.number.value.real() - a.error, high = a.number.value.real() + a.error;
  result.error = std::trunc(low) == std::trunc(high) ? 0 : 1;
  return result;
}

// An integer of a statement as the operation reads it.
static Number read(const Element &element, const Number &number) {
  ElementType type = element.operand;
  type.isUnsigned |= element.isUnsigned;
  return readAs(type, number);
}

// An infinite operand makes an infinite result, whatever is rounded: unless that decides its sign.
static bool isSurelyInfinite(const Scalar &result, const Scalar &a, const Scalar &b) {
  auto isInfinite = [](const Scalar &one) { return std::isinf(std::abs(one.number.value)); };
  auto isSure = [&](const Scalar &one) {
    return std::isfinite(one.error) &&
           (one.error == 0 || isInfinite(one) || std::abs(one.number.value) > one.error);
  };
  return isInfinite(result) && (isInfinite(a) || isInfinite(b)) && isSure(a) && isSure(b);
}

static Scalar arithmetic(const Element &element, std::span<const Scalar> operands) {
  const Scalar &a = operands[0];
  static const Scalar none{.number = {}, .known = true};
  const Scalar &b = operands.size() > 1 ? operands[1] : none;
  Scalar result;
  // Of two that annihilate NaN wins.
  std::optional<unsigned> winner;
  for (unsigned at = 0; at < operands.size(); ++at)
    if (annihilates(element, at, operands[at]) && !disagree(element, operands) &&
        (!winner || std::isnan(operands[at].number.value.real())))
      winner = at;
  if (winner) {
    result.number = annihilated(element, *winner, operands[*winner].number);
    result.known = true;
    return result;
  }
  result.known = a.known && b.known;
  result.literal = llvm::all_of(operands, [](const Scalar &one) { return one.literal; });
  result.undefined = a.undefined || b.undefined;
  bool toInteger = element.result.isInteger();
  if (element.op == Operator::reinterpret) {
    result.number = withBitsOf(element.operand, a.number, element.result);
    // Of a number that is not certain the bits may be any.
    result.error = a.error == 0 ? 0 : std::numeric_limits<double>::infinity();
    return result;
  }
  if (element.operand.isInteger() && toInteger) {
    finishInteger(
        element, result,
        integerValue(element, read(element, a.number).integer, read(element, b.number).integer));
    result.error = a.error + b.error;
    return result;
  }
  if (toInteger)
    return realToInteger(element, a, result);
  // One known factor 1 keeps the other as it is, also a complex one with infinite parts.
  const Number one = numberOf(element.operand, 1);
  for (const auto &[factor, other] : {std::pair(&a, &b), std::pair(&b, &a)})
    if (element.op == Operator::multiply && factor->known &&
        equal(element.operand, factor->number, one)) {
      result.number = other->number;
      result.error = other->error;
      return result;
    }
  std::complex<double> from = a.number.value;
  if (element.operand.isInteger()) {
    int64_t bits = read(element, a.number).integer;
    from = element.isUnsigned ? static_cast<double>(static_cast<uint64_t>(bits))
                              : static_cast<double>(bits);
  }
  result.number = rounded(element.result, inexactValue(element, from, b.number.value));
  double magnitude = std::abs(result.number.value);
  bool exact = element.op == Operator::floor || element.op == Operator::ceiling ||
               element.op == Operator::negate ||
               (element.op == Operator::absolute && element.operand.family == Family::real) ||
               element.op == Operator::minimum || element.op == Operator::maximum ||
               element.op == Operator::realPart || element.op == Operator::imaginaryPart ||
               element.op == Operator::makeComplex || element.op == Operator::conjugate ||
               element.op == Operator::remainder || element.op == Operator::copySign;
  if (!isSurelyInfinite(result, a, b))
    result.error = carriedError(element, a, b, magnitude) +
                   (exact ? 0 : 2 * roundoff(element.result) * magnitude);
  return result;
}

static bool isTrue(const Element &element, const Scalar &value) {
  return !equal(element.operand, value.number, numberOf(element.operand, 0));
}

// The value of the operand `at`, known if all that decided is.
static Scalar chosen(std::span<const Scalar> operands, unsigned at) {
  Scalar result = operands[at];
  result.known = llvm::all_of(operands, [](const Scalar &one) { return one.known; });
  result.literal = llvm::all_of(operands, [](const Scalar &one) { return one.literal; });
  return result;
}

static Scalar presence(const Element &element, std::span<const Scalar> operands) {
  static const Scalar none{.number = {}, .missing = true};
  const Scalar &first = operands[0], &second = operands[1];
  auto kept = [&](unsigned at) {
    Scalar result = chosen(operands, at);
    result.literal = operands[at].literal; // whatever let it pass
    return result;
  };
  if (element.op == Operator::either)
    return kept(first.missing ? 1 : second.missing ? 0 : 2);
  bool passes =
      element.op == Operator::unmasked
          ? second.missing
          : !second.missing && (element.op == Operator::masked ||
                                isTrue({element.op, element.result, element.mask}, second));
  Scalar result = passes ? kept(0) : none;
  // What is known to be missing leaves nothing to the other operand.
  bool certain = (first.missing && first.known) ||
                 (element.op != Operator::unmasked && second.missing && second.known);
  result.known = certain || chosen(operands, 0).known;
  result.masked = first.known || first.masked;
  return result;
}

static std::optional<bool> comparedAs(const Element &element, const Scalar &a, const Scalar &b) {
  bool integers = element.operand.isInteger();
  double x = a.number.value.real(), y = b.number.value.real();
  int64_t i = read(element, a.number).integer, j = read(element, b.number).integer;
  bool less = element.isUnsigned ? static_cast<uint64_t>(i) < static_cast<uint64_t>(j) : i < j;
  bool unequal = integers ? i != j : a.number.value != b.number.value;
  switch (element.op) {
  case Operator::equal:
    return !unequal;
  case Operator::notEqual:
    return unequal;
  case Operator::less:
    return integers ? less : x < y;
  case Operator::lessOrEqual:
    return integers ? less || !unequal : x <= y;
  case Operator::greater:
    return integers ? !less && unequal : x > y;
  case Operator::greaterOrEqual:
    return integers ? !less : x >= y;
  default:
    return std::nullopt;
  }
}

// A truth combined with anything that can be zero; what is neutral leaves it as it is. What decides
// alone is known if that is.
static std::optional<Scalar> logical(const Element &element, std::span<const Scalar> operands) {
  bool second = isTrue(element, operands[1]);
  Scalar result = chosen(operands, 0);
  auto decides = [&](double number, bool truth) {
    const Scalar &first = operands[0];
    result.known |=
        first.known && equal(element.operand, first.number, numberOf(element.operand, number));
    result.known |= operands[1].known && second == truth;
    if (second == truth)
      result.number = numberOf(element.result, number);
  };
  switch (element.op) {
  case Operator::logicalOr:
    decides(1, true);
    break;
  case Operator::logicalAnd:
    decides(0, false);
    break;
  case Operator::logicalXor:
    if (second)
      result.number = numberOf(element.result, !isTrue(element, operands[0]));
    break;
  default:
    return std::nullopt;
  }
  result.undefined |= operands[1].undefined;
  if (operands[1].error > 0 && std::abs(operands[1].number.value) <= operands[1].error)
    result.error += 1;
  return result;
}

// Operations whose value is one of two: 1 or 0, or one of the operands. Where rounding may decide,
// both are possible.
static std::optional<Scalar> decision(const Element &element, std::span<const Scalar> operands) {
  if (element.op == Operator::any) {
    // One of them, as it is: what is absent stays so.
    Scalar result = operands[1];
    const Number &x = operands[0].number, &y = operands[1].number;
    double distance = element.operand.isInteger() ? std::abs(double(x.integer) - double(y.integer))
                                                  : std::abs(x.value - y.value);
    result.error = operands[0].error + operands[1].error + distance;
    return result;
  }
  if (element.op == Operator::select) {
    bool first = isTrue({element.op, element.result, element.condition}, operands[0]);
    Scalar result = operands[first ? 1 : 2];
    bool same = operands[1].known && operands[2].known &&
                equal(element.result, operands[1].number, operands[2].number);
    result.known = same || (operands[0].known && result.known);
    result.literal &= operands[0].literal || (same && operands[1].literal && operands[2].literal);
    result.undefined |= operands[0].undefined;
    if (operands[0].error > 0 && std::abs(operands[0].number.value) <= operands[0].error)
      result.error += std::abs(operands[1].number.value - operands[2].number.value);
    return result;
  }
  if (operands.size() != 2)
    return std::nullopt;
  if (std::optional<Scalar> combined = logical(element, operands))
    return combined;
  std::optional<bool> holds = comparedAs(element, operands[0], operands[1]);
  if (!holds)
    return std::nullopt;
  Scalar result = chosen(operands, 0);
  double error = operands[0].error + operands[1].error;
  bool close = std::abs(operands[0].number.value - operands[1].number.value) <= error;
  result.error = error > 0 && close ? 1 : 0;
  result.undefined |= operands[1].undefined;
  result.number = numberOf(element.result, *holds);
  return result;
}

Scalar valueOf(const Element &element, std::span<const Scalar> operands) {
  if (tellsMissing(element.op))
    return presence(element, operands);
  if (llvm::any_of(operands, [](const Scalar &one) { return one.missing; })) {
    bool certain =
        llvm::any_of(operands, [](const Scalar &one) { return one.missing && one.known; });
    return {.number = {}, .known = certain, .undefined = false, .missing = true};
  }
  std::optional<Scalar> decided = decision(element, operands);
  Scalar result = decided ? *decided : arithmetic(element, operands);
  if (element.ofLabels)
    result.known = result.literal = true;
  result.masked = !result.known &&
                  llvm::all_of(operands, [](const Scalar &one) { return one.known || one.masked; });
  return result;
}

} // namespace strata::reference
