// Solves places for their index variables.
#include "strata/dialect/ta/PlaceMap.h"

#include "strata/dialect/ta/FormatMap.h"

#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;

namespace strata::ta {

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

std::optional<SmallVector<PlaceSolution>> solvePlace(AffineMap place) {
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
  if (!known.all())
    return std::nullopt;
  return solutions;
}

} // namespace strata::ta
