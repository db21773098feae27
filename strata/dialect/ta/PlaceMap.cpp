// Solves places for their index variables.
#include "strata/dialect/ta/PlaceMap.h"

#include "strata/dialect/ta/FormatMap.h"

#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace strata::ta {

//===------------------------------------------------------------------------------------------===//
// Linear equations
//===------------------------------------------------------------------------------------------===//

// The one variable of `expr` that is not known; nothing if there is none, or are several.
static std::optional<unsigned> unknownOf(AffineExpr expr, const llvm::SmallBitVector &known) {
  std::optional<unsigned> unknown;
  for (unsigned variable = 0; variable < known.size(); ++variable) {
    if (known.test(variable) || !expr.isFunctionOfDim(variable))
      continue;
    if (unknown)
      return std::nullopt;
    unknown = variable;
  }
  return unknown;
}

SmallVector<PlaceSolution> solvePlace(AffineMap place) {
  llvm::SmallBitVector known(place.getNumDims());
  SmallVector<PlaceSolution> solutions;
  for (bool progress = true; progress;) {
    progress = false;
    for (auto [coordinate, expr] : llvm::enumerate(place.getResults())) {
      std::optional<unsigned> variable = unknownOf(expr, known);
      int64_t factor = 0;
      AffineExpr rest;
      if (!variable || !splitLinear(expr, *variable, factor, rest) || factor == 0)
        continue;
      solutions.push_back({*variable, unsigned(coordinate), factor, rest});
      known.set(*variable);
      progress = true;
    }
  }
  return solutions;
}

bool usesAllVariables(AffineMap place) {
  return llvm::all_of(llvm::seq<unsigned>(0, place.getNumDims()),
                      [&](unsigned variable) { return place.isFunctionOfDim(variable); });
}

//===------------------------------------------------------------------------------------------===//
// Intervals
//===------------------------------------------------------------------------------------------===//

Interval valuesOf(AffineExpr expr, ArrayRef<Interval> dims) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return {constant.getValue(), constant.getValue()};
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Interval a = valuesOf(binary.getLHS(), dims), b = valuesOf(binary.getRHS(), dims);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return {a.least + b.least, a.most + b.most};
  case AffineExprKind::Mul: {
    int64_t x = a.least * b.least, y = a.most * b.least;
    return {std::min(x, y), std::max(x, y)};
  }
  case AffineExprKind::Mod: {
    int64_t period = llvm::divideFloorSigned(a.least, b.least);
    if (period == llvm::divideFloorSigned(a.most, b.least))
      return {a.least - period * b.least, a.most - period * b.least};
    return {0, b.least - 1};
  }
  case AffineExprKind::FloorDiv:
    return {llvm::divideFloorSigned(a.least, b.least), llvm::divideFloorSigned(a.most, b.least)};
  case AffineExprKind::CeilDiv:
    return {llvm::divideCeilSigned(a.least, b.least), llvm::divideCeilSigned(a.most, b.least)};
  case AffineExprKind::Constant: // leaves are handled above
  case AffineExprKind::DimId:
  case AffineExprKind::SymbolId:
    break;
  }
  return a;
}

Interval valuesOf(AffineExpr expr, ArrayRef<int64_t> extents) {
  SmallVector<Interval> dims;
  for (int64_t extent : extents)
    dims.push_back({0, extent - 1});
  return valuesOf(expr, ArrayRef<Interval>(dims));
}

//===------------------------------------------------------------------------------------------===//
// Digits
//===------------------------------------------------------------------------------------------===//

namespace {

// Collects what is known of the variables where the coordinates of a place are known.
class Knowledge {
public:
  Knowledge(AffineMap place, ArrayRef<std::optional<int64_t>> extents)
      : extents(extents), variables(place.getNumDims()) {
    for (AffineExpr expr : place.getResults())
      add(expr);
    for (bool progress = true; progress;) {
      progress = false;
      for (unsigned at = 0; at < known.size(); ++at)
        progress |= infer(known[at]);
    }
  }

  bool complete() const { return variables.all(); }

private:
  struct Term {
    AffineExpr of;
    int64_t factor;
  };

  bool add(AffineExpr expr) {
    if (isKnown(expr))
      return false;
    known.push_back(expr);
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      variables.set(dim.getPosition());
    return true;
  }

  bool isKnown(AffineExpr expr) const {
    return llvm::is_contained(known, expr) ||
           llvm::all_of(llvm::seq<unsigned>(0, variables.size()), [&](unsigned variable) {
             return variables.test(variable) || !expr.isFunctionOfDim(variable);
           });
  }

  bool infer(AffineExpr expr) {
    auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
    if (!binary)
      return false;
    if (expr.getKind() == AffineExprKind::Mod)
      return inferFromRemainder(binary);
    SmallVector<Term> terms;
    collect(expr, 1, terms);
    return inferFromSum(terms);
  }

  // What was divided before is divided by both divisors.
  static AffineExpr quotientOf(AffineExpr number, int64_t divisor) {
    auto before = dyn_cast<AffineBinaryOpExpr>(number);
    if (!before || number.getKind() != AffineExprKind::FloorDiv)
      return number.floorDiv(divisor);
    return before.getLHS().floorDiv(cast<AffineConstantExpr>(before.getRHS()).getValue() * divisor);
  }

  // A number follows from its remainder and its quotient.
  bool inferFromRemainder(AffineBinaryOpExpr remainder) {
    AffineExpr number = remainder.getLHS();
    int64_t divisor = cast<AffineConstantExpr>(remainder.getRHS()).getValue();
    std::optional<Interval> values = valuesOf(number);
    bool isRemainder = values && values->least >= 0 && values->most < divisor;
    return (isRemainder || isKnown(quotientOf(number, divisor))) && add(number);
  }

  // The terms follow from their sum if each has a factor larger than what all finer ones add up to.
  bool inferFromSum(SmallVector<Term> &terms) {
    llvm::erase_if(terms, [&](const Term &term) { return isKnown(term.of); });
    if (terms.empty())
      return false;
    llvm::stable_sort(terms, [](const Term &a, const Term &b) {
      return std::abs(a.factor) < std::abs(b.factor);
    });
    int64_t span = 0;
    for (const Term &term : terms) {
      int64_t width = 0;
      if (std::abs(term.factor) <= span)
        return false;
      if (&term == &terms.back())
        break;
      std::optional<Interval> values = valuesOf(term.of);
      if (!values ||
          llvm::MulOverflow(values->most - values->least, std::abs(term.factor), width) ||
          llvm::AddOverflow(span, width, span))
        return false;
    }
    for (const Term &term : terms)
      add(term.of);
    return true;
  }

  static void collect(AffineExpr expr, int64_t factor, SmallVectorImpl<Term> &terms) {
    auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
    if (binary && expr.getKind() == AffineExprKind::Add) {
      collect(binary.getLHS(), factor, terms);
      collect(binary.getRHS(), factor, terms);
    } else if (auto constant =
                   binary ? dyn_cast<AffineConstantExpr>(binary.getRHS()) : AffineConstantExpr();
               constant && expr.getKind() == AffineExprKind::Mul) {
      collect(binary.getLHS(), factor * constant.getValue(), terms);
    } else if (!isa<AffineConstantExpr>(expr)) {
      terms.push_back({expr, factor});
    }
  }

  // A remainder has bounds whatever its operand has.
  std::optional<Interval> valuesOf(AffineExpr expr) const {
    SmallVector<int64_t> sizes;
    for (auto [variable, extent] : llvm::enumerate(extents)) {
      if (!extent && expr.isFunctionOfDim(variable)) {
        if (expr.getKind() != AffineExprKind::Mod)
          return std::nullopt;
        AffineExpr divisor = cast<AffineBinaryOpExpr>(expr).getRHS();
        return Interval{0, cast<AffineConstantExpr>(divisor).getValue() - 1};
      }
      sizes.push_back(std::max<int64_t>(extent.value_or(1), 1));
    }
    return ta::valuesOf(expr, ArrayRef<int64_t>(sizes));
  }

  ArrayRef<std::optional<int64_t>> extents;
  llvm::SmallBitVector variables;
  SmallVector<AffineExpr> known;
};

} // namespace

bool separates(AffineMap place, ArrayRef<std::optional<int64_t>> extents) {
  return Knowledge(place, extents).complete();
}

} // namespace strata::ta
