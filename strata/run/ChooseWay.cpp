// Chooses between the two ways of branches that the compiler made, when the operands are known.
#include "strata/run/ChooseWay.h"

#include "strata/conversion/EntryCount.h"
#include "strata/conversion/Unpacking.h"
#include "strata/lower/analysis/FilledProducts.h"
#include "strata/lower/analysis/HeldZeros.h"
#include "strata/lower/analysis/Resolutions.h"
#include "strata/run/Executor.h"
#include "strata/runtime/storage/AreFinite.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace strata {

namespace {

// Steps of walks, of two passes over entries, which are sorted perhaps; and of one over padding.
constexpr double stepsOfEntry = 16, stepsOfPadding = 2;

/// Counts what the ways have to do. What is converted or computed inside of the branch is not there
/// yet.
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

  /// Tells whether the second way, whose temporaries are dense, pays, and gives the same.
  bool mayFill();
  /// Tells whether the second way, whose dense temporaries hold zeros for sums without terms, gives
  /// the same.
  bool mayHoldZeros();

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
  Occupancy occupancyOf(ta::ComputeOp inside);
  bool isFinite(Value tensor) { return holdsFinite(valueOf(tensor)); }
  bool isDivisor(Value tensor) { return holdsDivisors(valueOf(tensor)); }

  ta::IfOp branch;
  llvm::function_ref<TensorValue(Value)> valueOf;
  llvm::function_ref<int64_t(Value)> extentOf;
  llvm::DenseMap<Value, double> entries;             ///< of what has padding
  llvm::DenseMap<Value, std::vector<int64_t>> sizes; ///< of what is computed inside
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
  if (isThere(operand))
    return strata::occupancyOf(valueOf(operand));
  if (auto inner = operand.getDefiningOp<ta::IfOp>())
    return occupancyOf(inner.getOtherwise().front().getTerminator()->getOperand(0));
  if (auto compute = operand.getDefiningOp<ta::ComputeOp>())
    return occupancyOf(compute);
  auto convert = operand.getDefiningOp<ta::ConvertOp>();
  ta::FormatAttr format = ta::formatOf(convert.getType());
  if (isThere(convert.getTensor()))
    return Occupancy(format, valueOf(convert.getTensor()).sizes(), entriesOf(convert));
  const Occupancy from = occupancyOf(convert.getTensor());
  return Occupancy(format, from.sizes, from.stored);
}

// A sparse one stores as much as its operands at most.
Occupancy Ways::occupancyOf(ta::ComputeOp inside) {
  std::vector<int64_t> own;
  for (Value extent : inside.getExtents())
    own.push_back(extentOf(extent));
  ta::FormatAttr format = ta::formatOf(cast<RankedTensorType>(inside.getResult().getType()));
  double stored = 0;
  for (Value input : inside.getInputs())
    stored += occupancyOf(input).stored;
  const double places = placesOf(inside);
  auto known = sizes.try_emplace(inside.getResult(), std::move(own)).first;
  return Occupancy(format, known->second, format.isFull() ? places : std::min(places, stored));
}

bool Ways::mayFill() {
  const double least = steps(branch.getBody());
  if (least < fewestStepsToSave)
    return false;
  llvm::SetVector<Value> given;
  double filled = 0, largest = 0, held = 0;
  branch.getOtherwise().walk([&](ta::ComputeOp compute) {
    for (Value input : compute.getInputs())
      if (isThere(input))
        given.insert(input);
    const double places = placesOf(compute);
    if (!compute.getReason()) { // makes the result
      held = std::max(held, places);
      return;
    }
    filled += places;
    largest = std::max(largest, places);
  });
  for (Value tensor : given)
    held += double(valueOf(tensor).storedCount());
  return largest <= mostElementsHeld * held &&
         steps(branch.getOtherwise()) + filled <= mostStepsLeft * least &&
         llvm::all_of(given, [&](Value tensor) {
           return !ta::formatOf(cast<RankedTensorType>(tensor.getType())).isFull() ||
                  isFinite(tensor);
         });
}

bool holdsFinite(const TensorValue &tensor) {
  return tensor.storage && runtime::areFinite(tensor.storage->values());
}

bool holdsDivisors(const TensorValue &tensor) {
  return tensor.storage && runtime::areDivisors(tensor.storage->values());
}

bool Ways::mayHoldZeros() {
  const HeldZeros zeros = heldZerosIn(branch);
  return !zeros.isTold && llvm::all_of(zeros.factors, [&](Value one) { return isFinite(one); }) &&
         llvm::all_of(zeros.divisors, [&](Value one) { return isDivisor(one); });
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
  if (op->hasAttr(fewEntriesAttribute) || op->hasAttr(heldZerosAttribute)) {
    auto tensorOf = [&](Value operand) { return valueOf(operand); };
    auto extentOf = [&](Value extent) { return indexOf(extent); };
    Ways ways(op, tensorOf, extentOf);
    return op->hasAttr(heldZerosAttribute) ? !ways.mayHoldZeros() : !ways.mayFill();
  }
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
