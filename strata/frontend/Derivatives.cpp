// The table of derivatives.
#include "strata/frontend/Derivatives.h"
#include "strata/frontend/Clones.h"
#include "strata/frontend/Reductions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

namespace strata::frontend {

//===------------------------------------------------------------------------------------------===//
// Making elements
//===------------------------------------------------------------------------------------------===//

ElementPtr numberElement(double value) {
  std::optional<int64_t> integer;
  if (value == std::trunc(value) && std::abs(value) < 1e9)
    integer = int64_t(value);
  return makeConstant(value, integer, {});
}

ElementPtr negated(ElementPtr element) { return makeNegate(std::move(element), {}); }

static ElementPtr combined(ElementPtr a, ElementPtr b, bool adds, bool inverse) {
  std::vector<Element::Operand> operands;
  operands.push_back({false, std::move(a)});
  operands.push_back({inverse, std::move(b)});
  return adds ? makeAdd(std::move(operands), {}) : makeMultiply(std::move(operands), {});
}

ElementPtr productOf(ElementPtr a, ElementPtr b) {
  return combined(std::move(a), std::move(b), false, false);
}
ElementPtr quotientOf(ElementPtr a, ElementPtr b) {
  return combined(std::move(a), std::move(b), false, true);
}
static ElementPtr sumOf(ElementPtr a, ElementPtr b) {
  return combined(std::move(a), std::move(b), true, false);
}
static ElementPtr differenceOf(ElementPtr a, ElementPtr b) {
  return combined(std::move(a), std::move(b), true, true);
}

ElementPtr applied(Operator op, ElementPtr a) {
  std::vector<ElementPtr> operands;
  operands.push_back(std::move(a));
  return makeApply(op, std::move(operands), {});
}
ElementPtr applied(Operator op, ElementPtr a, ElementPtr b) {
  std::vector<ElementPtr> operands;
  operands.push_back(std::move(a));
  operands.push_back(std::move(b));
  return makeApply(op, std::move(operands), {});
}
ElementPtr whereElement(ElementPtr condition, ElementPtr a, ElementPtr b) {
  std::vector<ElementPtr> operands;
  operands.push_back(std::move(condition));
  operands.push_back(std::move(a));
  operands.push_back(std::move(b));
  return makeApply(Operator::Where, std::move(operands), {});
}

//===------------------------------------------------------------------------------------------===//
// Derivatives
//===------------------------------------------------------------------------------------------===//

namespace {

class Rules {
public:
  Rules(const Element &apply, size_t which, std::vector<IndexVar> &vars)
      : apply(apply), which(which), vars(vars) {}

  ElementPtr ofOne();
  ElementPtr ofTwo();
  ElementPtr ofExtreme();

private:
  static ElementPtr number(double value) { return numberElement(value); }
  ElementPtr x(size_t at = 0) { return withOwnVars(*apply.operands[at].element, vars); }
  ElementPtr self() { return withOwnVars(apply, vars); }
  ElementPtr square(size_t at = 0) { return productOf(x(at), x(at)); }
  ElementPtr of(Operator op) { return applied(op, x()); }
  ElementPtr oneOver(ElementPtr divisor) { return quotientOf(number(1), std::move(divisor)); }
  ElementPtr indicator(Operator op, ElementPtr a, ElementPtr b) {
    return whereElement(applied(op, std::move(a), std::move(b)), number(1), number(0));
  }
  ElementPtr power();

  const Element &apply;
  size_t which;
  std::vector<IndexVar> &vars;
};

} // namespace

static constexpr double pi = 3.14159265358979323846;

// Null: none is known.
ElementPtr Rules::ofOne() {
  switch (apply.op) {
  case Operator::Absolute:
    return of(Operator::Sign);
  case Operator::Square:
    return productOf(number(2), x());
  case Operator::SquareRoot:
    return quotientOf(number(0.5), self());
  case Operator::CubeRoot:
    return quotientOf(number(1), productOf(number(3), applied(Operator::Square, self())));
  case Operator::Exponential:
    return self();
  case Operator::ExponentialMinus1:
    return of(Operator::Exponential);
  case Operator::Logarithm:
    return oneOver(x());
  case Operator::Logarithm2:
    return quotientOf(number(1 / std::log(2.0)), x());
  case Operator::Logarithm10:
    return quotientOf(number(1 / std::log(10.0)), x());
  case Operator::LogarithmPlus1:
    return oneOver(sumOf(number(1), x()));
  case Operator::Sine:
    return of(Operator::Cosine);
  case Operator::Cosine:
    return negated(of(Operator::Sine));
  case Operator::Tangent:
    return sumOf(number(1), applied(Operator::Square, self()));
  case Operator::HyperbolicTangent:
    return differenceOf(number(1), applied(Operator::Square, self()));
  case Operator::ArcSine:
    return oneOver(applied(Operator::SquareRoot, differenceOf(number(1), square())));
  case Operator::ArcCosine:
    return quotientOf(number(-1), applied(Operator::SquareRoot, differenceOf(number(1), square())));
  case Operator::ArcTangent:
    return oneOver(sumOf(number(1), square()));
  case Operator::HyperbolicSine:
    return of(Operator::HyperbolicCosine);
  case Operator::HyperbolicCosine:
    return of(Operator::HyperbolicSine);
  case Operator::AreaSine:
    return oneOver(applied(Operator::SquareRoot, sumOf(square(), number(1))));
  case Operator::AreaCosine:
    return oneOver(applied(Operator::SquareRoot, differenceOf(square(), number(1))));
  case Operator::AreaTangent:
    return oneOver(differenceOf(number(1), square()));
  case Operator::ErrorFunction:
  case Operator::ComplementaryErrorFunction:
    return productOf(number((apply.op == Operator::ErrorFunction ? 2 : -2) / std::sqrt(pi)),
                     applied(Operator::Exponential, negated(square())));
  default:
    return nullptr;
  }
}

// By the exponent, the derivative is 0 where the base is 0: log(0) is not computed with.
ElementPtr Rules::power() {
  const Element &exponent = *apply.operands[1].element;
  if (which == 1)
    return whereElement(
        applied(Operator::Equal, x(), number(0)), number(0),
        productOf(self(),
                  applied(Operator::Logarithm,
                          whereElement(applied(Operator::Equal, x(), number(0)), number(1), x()))));
  if (exponent.kind == Element::Kind::Constant && exponent.imaginary == 0) {
    if (exponent.value == 0)
      return number(0);
    if (exponent.value == 1)
      return number(1);
    if (exponent.value == 2)
      return productOf(number(2), x());
    return productOf(number(exponent.value),
                     applied(Operator::Power, x(), number(exponent.value - 1)));
  }
  return whereElement(
      applied(Operator::Equal, x(1), number(0)), number(0),
      productOf(x(1), applied(Operator::Power, x(), differenceOf(x(1), number(1)))));
}

ElementPtr Rules::ofTwo() {
  switch (apply.op) {
  case Operator::Power:
    return power();
  case Operator::ArcTangent2: {
    ElementPtr other = x(1 - which);
    if (which == 1)
      other = negated(std::move(other));
    return quotientOf(std::move(other), sumOf(square(0), square(1)));
  }
  case Operator::Modulo:
    return which == 0 ? number(1) : negated(applied(Operator::Floor, quotientOf(x(0), x(1))));
  case Operator::CopySign:
    return which == 1 ? number(0)
                      : productOf(applied(Operator::Sign, x(0)),
                                  applied(Operator::CopySign, number(1), x(1)));
  case Operator::Heaviside:
    return which == 0 ? number(0) : indicator(Operator::Equal, x(0), number(0));
  default:
    return nullptr;
  }
}

// The share of an operand of `min` or `max`: it must be the extreme one of those that are not
// numbers, which it shares with its equals, and beyond all numbers.
ElementPtr Rules::ofExtreme() {
  const bool least = apply.op == Operator::Min;
  std::vector<size_t> others;
  std::optional<double> bound;
  for (size_t at = 0; at < apply.operands.size(); ++at) {
    const Element &operand = *apply.operands[at].element;
    if (operand.kind == Element::Kind::Constant)
      bound = bound ? evaluate(apply.op, {*bound, operand.value}) : operand.value;
    else if (at != which)
      others.push_back(at);
  }
  ElementPtr share = number(1);
  if (others.size() == 1)
    share =
        whereElement(applied(Operator::Equal, x(which), x(others[0])), number(0.5),
                     indicator(least ? Operator::Less : Operator::Greater, x(which), x(others[0])));
  else if (!others.empty()) {
    auto extreme = [&] {
      ElementPtr result = x(which);
      for (size_t at : others)
        result = applied(apply.op, std::move(result), x(at));
      return result;
    };
    ElementPtr count = indicator(Operator::Equal, x(which), extreme());
    for (size_t at : others)
      count = sumOf(std::move(count), indicator(Operator::Equal, x(at), extreme()));
    share = quotientOf(indicator(Operator::Equal, x(which), extreme()), std::move(count));
  }
  if (!bound)
    return share;
  ElementPtr beyond =
      indicator(least ? Operator::Less : Operator::Greater, x(which), number(*bound));
  return others.empty() ? std::move(beyond) : productOf(std::move(share), std::move(beyond));
}

static bool isStep(Operator op) {
  return compares(op) || op == Operator::Floor || op == Operator::Ceiling || op == Operator::Sign ||
         op == Operator::Not || op == Operator::Or || op == Operator::And || op == Operator::Xor;
}

Derivative derivativeOf(const Element &apply, size_t which, bool isComplex,
                        std::vector<IndexVar> &vars) {
  using Kind = Derivative::Kind;
  if (isComplex && apply.op == Operator::Sign)
    return {Kind::Unknown};
  if (isStep(apply.op) || infoOf(apply.op).of == Operands::Bits)
    return {Kind::Zero};
  Rules rules(apply, which, vars);
  ElementPtr factor;
  if (apply.op == Operator::Min || apply.op == Operator::Max)
    factor = rules.ofExtreme();
  else
    factor = apply.operands.size() == 1 ? rules.ofOne() : rules.ofTwo();
  if (!factor)
    return {Kind::Unknown};
  if (factor->kind != Element::Kind::Constant)
    return {Kind::Factor, std::move(factor)};
  if (factor->value == 0)
    return {Kind::Zero};
  return factor->value == 1 ? Derivative{Kind::One} : Derivative{Kind::Factor, std::move(factor)};
}

} // namespace strata::frontend
