// Recognizes digits and puts numbers together from them.
#include "strata/dialect/ta/Digits.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace strata::ta {

std::optional<Digit> asDigit(AffineExpr expr) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  auto factor = binary ? dyn_cast<AffineConstantExpr>(binary.getRHS()) : AffineConstantExpr();
  if (!factor || factor.getValue() <= 0)
    return std::nullopt;
  int64_t by = factor.getValue();
  bool quotient = expr.getKind() == AffineExprKind::FloorDiv;
  if (!quotient && expr.getKind() != AffineExprKind::Mod)
    return std::nullopt;
  std::optional<Digit> inner = asDigit(binary.getLHS());
  if (!inner)
    return quotient ? Digit{binary.getLHS(), by, 0} : Digit{binary.getLHS(), 1, by};
  if (inner->modulus == 0)
    return quotient ? Digit{inner->number, inner->divisor * by, 0}
                    : Digit{inner->number, inner->divisor, by};
  // (i mod 8) floordiv 2 is (i floordiv 2) mod 4.
  if (quotient && inner->modulus % by == 0)
    return Digit{inner->number, inner->divisor * by, inner->modulus / by};
  return std::nullopt;
}

using Equations = llvm::ArrayRef<std::pair<AffineExpr, AffineExpr>>;

// The number whose leading digit is that of an equation, which has no modulus.
static Digits fromLeading(unsigned leading, AffineExpr number, Equations equations) {
  Digits digits{equations[leading].second, {leading}};
  // From the coarsest to the finest: each digit divides what the one before it leaves.
  for (int64_t divisor = asDigit(equations[leading].first)->divisor; divisor > 1;) {
    std::optional<Digit> next;
    unsigned at = 0;
    for (; at < equations.size() && !next; ++at)
      if (next = asDigit(equations[at].first);
          next && (next->number != number || next->modulus <= 1 ||
                   next->divisor * next->modulus != divisor))
        next.reset();
    if (!next)
      return {};
    digits.used.push_back(at - 1);
    digits.value = digits.value * next->modulus + equations[at - 1].second;
    divisor = next->divisor;
  }
  return digits;
}

Digits fromDigits(AffineExpr number, Equations equations) {
  for (auto [at, equation] : llvm::enumerate(equations)) {
    std::optional<Digit> digit = asDigit(equation.first);
    if (!digit || digit->number != number || digit->modulus != 0)
      continue;
    if (Digits digits = fromLeading(at, number, equations); digits.value)
      return digits;
  }
  return {};
}

} // namespace strata::ta
