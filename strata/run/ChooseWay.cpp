// Chooses between the two ways of branches that the compiler made, when the operands are known.
#include "strata/conversion/EntryCount.h"
#include "strata/conversion/Unpacking.h"
#include "strata/lower/analysis/Resolutions.h"
#include "strata/run/Executor.h"

using namespace mlir;

namespace strata {

namespace {

// Steps of walks, of two passes over entries, which are sorted perhaps; and of one over padding.
constexpr double stepsOfEntry = 16, stepsOfPadding = 2;

/// Counts what the ways have to do. What is converted inside of the branch is not there yet.
class Ways {
public:
  Ways(ta::IfOp branch, llvm::function_ref<TensorValue(Value)> valueOf,
       llvm::function_ref<int64_t(Value)> extentOf)
      : branch(branch), valueOf(valueOf), extentOf(extentOf) {}

  double mostTerms(Region &way) {
    double terms = 0;
    auto storedOf = [&](Value operand) { return occupancyOf(operand); };
    way.walk([&](ta::ComputeOp op) { terms = WorkEstimate(storedOf, extentOf).mostTerms(op); });
    return terms;
  }

  /// The values that are stored of what the way converts, operands and a dense result, and of what
  /// it computes first.
  double converted(Region &way) {
    double values = 0;
    way.walk([&](ta::ConvertOp convert) {
      if (isThere(convert.getTensor()))
        values += double(valueOf(convert.getTensor()).storedCount());
      else if (auto result = convert.getTensor().getDefiningOp<ta::ComputeOp>();
               result && ta::formatOf(cast<RankedTensorType>(convert.getType())).isFull())
        values += placesOf(result);
    });
    way.walk([&](ta::ComputeOp first) {
      if (llvm::any_of(first->getUsers(), llvm::IsaPred<ta::ComputeOp>))
        values += placesOf(first);
    });
    return values;
  }

  /// The steps of loops, of which those of conversions are some; of ways inside the fewer.
  double steps(Region &way) {
    double all = 0;
    for (Operation &op : way.getOps())
      if (auto compute = dyn_cast<ta::ComputeOp>(op))
        all += stepsOf(compute);
      else if (auto convert = dyn_cast<ta::ConvertOp>(op))
        all += stepsOf(convert);
      else if (auto inner = dyn_cast<ta::IfOp>(op); inner && choosesWay(inner))
        all += std::min(steps(inner.getBody()), steps(inner.getOtherwise()));
    return all;
  }

  /// Steps of walks as operands are stored, below which padding need not be told from entries.
  double walked = 0;

private:
  bool isThere(Value tensor) {
    return !branch->isAncestor(tensor.getParentRegion()->getParentOp());
  }
  static bool dropsPadding(ta::ConvertOp convert) {
    return hasPadding(cast<RankedTensorType>(convert.getTensor().getType())) &&
           !hasPadding(convert.getType());
  }
  double placesOf(ta::ComputeOp op) {
    double places = 1;
    for (Value extent : op.getExtents())
      places *= double(extentOf(extent));
    return places;
  }
  double entriesOf(ta::ConvertOp convert);
  double stepsOf(ta::ConvertOp convert);
  double stepsOf(ta::ComputeOp op) {
    auto storedOf = [&](Value operand) { return occupancyOf(operand); };
    return WorkEstimate(storedOf, extentOf).steps(op);
  }
  Occupancy occupancyOf(Value operand);

  ta::IfOp branch;
  llvm::function_ref<TensorValue(Value)> valueOf;
  llvm::function_ref<int64_t(Value)> extentOf;
  llvm::DenseMap<Value, double> entries; ///< of what has padding
};

} // namespace

// A pass over padding tells its entries, unless it is longer than what may be saved.
double Ways::entriesOf(ta::ConvertOp convert) {
  const TensorValue from = valueOf(convert.getTensor());
  auto stored = double(from.storedCount());
  if (!dropsPadding(convert) || walked < stepsOfPadding * stored)
    return stored;
  auto [known, isNew] = entries.try_emplace(convert.getTensor(), 0);
  if (isNew)
    known->second = double(valuesBesideFill(from));
  return known->second;
}

double Ways::stepsOf(ta::ConvertOp convert) {
  if (!isThere(convert.getTensor()))
    return 0;
  double padding = dropsPadding(convert) ? double(valueOf(convert.getTensor()).storedCount()) : 0;
  return stepsOfEntry * entriesOf(convert) + stepsOfPadding * padding;
}

Occupancy Ways::occupancyOf(Value operand) {
  auto convert = operand.getDefiningOp<ta::ConvertOp>();
  if (!convert || !branch->isAncestor(convert))
    return strata::occupancyOf(valueOf(operand));
  return Occupancy(ta::formatOf(convert.getType()), valueOf(convert.getTensor()).sizes(),
                   entriesOf(convert));
}

Executor::BothWays Executor::bothWays(ta::IfOp op) {
  auto tensorOf = [&](Value operand) { return valueOf(operand); };
  auto extentOf = [&](Value extent) { return indexOf(extent); };
  Ways ways(op, tensorOf, extentOf);
  BothWays work;
  work.values = ways.converted(op.getOtherwise());
  if (op->hasAttr(fewTermsAttribute)) {
    work.terms = ways.mostTerms(op.getBody());
    return work;
  }
  work.steps = ways.walked = ways.steps(op.getBody());
  if (op->hasAttr(fewStepsAttribute))
    work.stepsConverted = ways.steps(op.getOtherwise());
  return work;
}

// Sorting takes the logarithm of their number for each term. To turn a dense operand takes about as
// long as a few reads across its rows.
bool Executor::condition(const host::Instruction &at, const host::If &branch,
                         const host::State &state) {
  auto op = cast<ta::IfOp>(operationOf(at));
  if (!choosesWay(op))
    return Provider::condition(at, branch, state);
  BothWays work = bothWays(op);
  constexpr double readsOfTurn = 3;    // for each element
  constexpr double fewElements = 4096; // are in cache, in whatever order they are read
  constexpr double usesOfFactor = 3;   // for each of its values, which are stored and read again
  if (op->hasAttr(fewReadsAttribute))
    return work.values < fewElements || work.steps < readsOfTurn * work.values;
  if (op->hasAttr(fewUsesAttribute))
    return work.steps < usesOfFactor * work.values;
  return op->hasAttr(fewTermsAttribute)
             ? work.terms * std::log2(std::max(work.terms, 2.0)) < 2 * work.values
             : work.steps < work.stepsConverted;
}

} // namespace strata
