// Reductions: many values become one.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/reference/Element.h"

#include <array>
#include <cmath>

namespace strata::reference {

// x combined with itself, `times` times in all.
static Scalar repeated(const Element &element, Scalar x, uint64_t times) {
  bool idempotent = element.op == Operator::minimum || element.op == Operator::maximum ||
                    element.op == Operator::any || element.op == Operator::logicalOr ||
                    element.op == Operator::logicalAnd || element.op == Operator::bitwiseOr ||
                    element.op == Operator::bitwiseAnd;
  if (idempotent || times == 1)
    return x;
  std::optional<Scalar> result;
  for (; times; times >>= 1) {
    if (times & 1)
      result = result ? valueOf(element, std::array{*result, x}) : x;
    x = valueOf(element, std::array{x, x});
  }
  return *result;
}

void Accumulator::add(ta::Combine combine, ElementType type, const Scalar &term, uint64_t times) {
  if (times == 0)
    return;
  terms += times;
  if (term.missing)
    return;
  undefined |= term.undefined;
  bool first = combined == 0;
  combined += times;
  if (combine != ta::Combine::add || type.isInteger()) {
    // Terms are combined as values: what annihilates does so only as an operand.
    Scalar plain = term;
    plain.known = false;
    Element element = combining(combine, type);
    if (combine == ta::Combine::lor || combine == ta::Combine::land ||
        combine == ta::Combine::lxor) // of truths
      plain = valueOf(element, std::array{Scalar{.number = identity(combine, type)}, plain});
    plain = repeated(element, plain, times);
    other = first ? plain : valueOf(element, std::array{other, plain});
    return;
  }
  auto n = static_cast<long double>(times);
  std::complex<long double> wide(term.number.value.real(), term.number.value.imag());
  sum += times == 1 ? wide : std::complex<long double>(wide.real() * n, wide.imag() * n);
  magnitude += n * std::abs(wide);
  error += n * term.error;
}

Scalar Accumulator::value(ta::Combine combine, ElementType type, bool missing) const {
  Scalar result;
  result.undefined = undefined;
  if (combined == 0) {
    result.number = identity(combine, type);
    result.known = true; // nothing was read
    result.missing = missing;
    return result;
  }
  if (combine != ta::Combine::add || type.isInteger()) {
    result = other;
    result.known = result.masked = false;
    return result;
  }
  result.number = rounded(type, {static_cast<double>(sum.real()), static_cast<double>(sum.imag())});
  // Sums of sums may be added in one go: what they lost on their own they then lose with all terms.
  result.error = static_cast<double>(static_cast<long double>(combined) *
                                     (error + roundoff(type) * magnitude));
  return result;
}

} // namespace strata::reference
