// Counts the places of linear conditions.
#include "strata/estimate/LabelShare.h"

#include "strata/dialect/ta/FormatMap.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace strata {

// How many values of an index variable there are.
static int64_t extentOfVariable(Value variable, llvm::function_ref<int64_t(Value)> extentOf) {
  auto argument = cast<BlockArgument>(variable);
  Operation *owner = argument.getOwner()->getParentOp();
  auto reduce = dyn_cast<ta::ReduceOp>(owner);
  ValueRange extents = reduce ? ValueRange(reduce.getExtents())
                              : ValueRange(cast<ta::ComputeOp>(owner).getExtents());
  return extentOf(extents[argument.getArgNumber()]);
}

namespace {

/// A condition: the sum of the values times their factors, and the constant, is not negative.
struct Condition {
  SmallVector<int64_t, 4> factors;
  int64_t constant;
};

/// Counts the values of the last variable between the bounds that the values of the others give.
class PlaceCounter {
public:
  PlaceCounter(ArrayRef<Condition> conditions, ArrayRef<int64_t> extents)
      : conditions(conditions), extents(extents), values(extents.size()) {}

  double share(unsigned variable = 0) {
    if (variable + 1 == extents.size())
      return lastShare();
    constexpr int64_t mostSamples = 1000;
    const int64_t extent = extents[variable];
    const int64_t samples = std::min(extent, extents.size() > 2 ? 30 : mostSamples);
    double sum = 0;
    for (int64_t sample = 0; sample < samples; ++sample) {
      values[variable] = int64_t((double(sample) + 0.5) / double(samples) * double(extent));
      sum += share(variable + 1);
    }
    return sum / double(samples);
  }

private:
  double lastShare() const {
    const size_t last = extents.size() - 1;
    int64_t first = 0, end = extents[last];
    for (const Condition &one : conditions) {
      int64_t rest = one.constant, factor = one.factors[last];
      for (size_t at = 0; at < last; ++at)
        rest += one.factors[at] * values[at];
      if (factor > 0)
        first = std::max(first, llvm::divideCeilSigned(-rest, factor));
      else if (factor < 0)
        end = std::min(end, llvm::divideFloorSigned(rest, -factor) + 1);
      else if (rest < 0)
        return 0;
    }
    return double(std::max<int64_t>(end - first, 0)) / double(extents[last]);
  }

  ArrayRef<Condition> conditions;
  ArrayRef<int64_t> extents;
  SmallVector<int64_t> values;
};

} // namespace

double shareOfPlaces(const LabelConditions &labels, llvm::function_ref<int64_t(Value)> extentOf,
                     llvm::function_ref<bool(Value)> known) {
  SmallVector<unsigned> used;
  SmallVector<int64_t> extents;
  for (auto [number, variable] : llvm::enumerate(labels.variables)) {
    if (!known(variable))
      continue;
    used.push_back(unsigned(number));
    extents.push_back(extentOfVariable(variable, extentOf));
    if (extents.back() <= 0)
      return 0;
  }
  SmallVector<Condition> conditions;
  for (AffineExpr condition : labels.conditions) {
    Condition one;
    for (unsigned number : used) {
      int64_t factor = 0;
      AffineExpr rest;
      ta::splitLinear(condition, number, factor, rest);
      one.factors.push_back(factor);
      condition = rest;
    }
    if (auto constant = dyn_cast<AffineConstantExpr>(
            simplifyAffineExpr(condition, unsigned(labels.variables.size()), 0))) {
      one.constant = constant.getValue();
      conditions.push_back(std::move(one));
    }
  }
  if (conditions.empty() || used.empty())
    return 1;
  double share = PlaceCounter(conditions, extents).share();
  // A running sum takes each of its terms once, for all values that it follows.
  if (labels.follows && used.size() == labels.variables.size())
    share = std::min(share, 1 / double(extentOfVariable(labels.follows, extentOf)));
  return share;
}

} // namespace strata
