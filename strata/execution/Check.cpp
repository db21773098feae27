// Checks a statement's result against the reference interpreter.
#include "strata/execution/Check.h"

#include "strata/execution/Unpacking.h"
#include "strata/reference/Compare.h"
#include "strata/reference/Reference.h"

using namespace mlir;
using strata::runtime::Coordinates;
using strata::runtime::Result;

namespace strata {

// Can a stored fill be told from one that is not?
static bool tellsFills(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return !ta::formatOf(type).isFull() && !hasPadding(type);
}

// What the formats of the result and of the operands let one ask of its stored coordinates. A
// padded operand brings fills that the reference does not know, or loses them when converted; so
// does a full one that is merely copied.
static reference::Pattern patternOf(ta::ComputeOp op) {
  auto isFull = [](Value value) {
    return ta::formatOf(cast<RankedTensorType>(value.getType())).isFull();
  };
  bool copies = isa_and_present<ta::AccessOp>(op.getYielded().getDefiningOp());
  bool told =
      !(copies && llvm::any_of(op.getInputs(), isFull)) && tellsFills(op.getResult()) &&
      llvm::all_of(op.getInputs(), [&](Value input) { return isFull(input) || tellsFills(input); });
  return told ? reference::Pattern::exact : reference::Pattern::ignored;
}

Result<CheckOutcome> checkStatement(ta::ComputeOp op, const CheckInputs &inputs,
                                    const Coordinates &actual) {
  std::vector<reference::Tensor> tensors;
  for (const std::shared_ptr<const Coordinates> &source : inputs.tensors) {
    Result<reference::Tensor> tensor = reference::Tensor::copyOf(*source);
    if (!tensor)
      return tensor.takeStatus();
    tensors.push_back(std::move(*tensor));
  }
  std::optional<reference::Tensor> init;
  if (inputs.init) {
    Result<reference::Tensor> tensor = reference::Tensor::copyOf(*inputs.init);
    if (!tensor)
      return tensor.takeStatus();
    init = std::move(*tensor);
  }
  auto index = [&](Value value) { return inputs.index(value); };
  Result<reference::Expected> expected =
      reference::evaluate(op, tensors, init ? &*init : nullptr, index);
  if (!expected)
    return expected.takeStatus();
  Result<reference::Comparison> comparison =
      reference::compare(*expected, actual, {.pattern = patternOf(op)});
  if (!comparison)
    return comparison.takeStatus();
  CheckOutcome outcome;
  outcome.agrees = comparison->equal();
  if (!outcome.agrees)
    outcome.text = comparison->text();
  else
    outcome.text =
        std::to_string(comparison->compared) +
        (expected->complete ? " values compared, all of them" : " sampled values compared");
  return outcome;
}

// How far the sums of a list's repeated entries may differ in any order.
static double boundOfSums(const reference::Tensor &once, const Coordinates &list) {
  int64_t repeated = list.count() - once.count();
  double most = 0;
  for (int64_t entry = 0; repeated > 0 && entry < list.count(); ++entry)
    most = std::max(most, std::abs(list.value(entry)));
  return reference::roundoff(once.type()) * most * double(repeated + 1) * double(repeated);
}

Result<CheckOutcome> checkStored(const Coordinates &list, RankedTensorType type,
                                 const Coordinates &actual) {
  Result<Coordinates> sorted = list.clone();
  if (!sorted)
    return sorted.takeStatus();
  if (Result<int64_t> summed = sorted->sumDuplicates(); !summed)
    return summed.takeStatus();
  Result<reference::Tensor> once = reference::Tensor::fromCoordinates(std::move(*sorted));
  if (!once)
    return once.takeStatus();
  reference::Expected expected;
  expected.sizes = once->sizes();
  expected.type = once->type();
  expected.fill = *reference::numberOf(ta::fillOf(type));
  double error = boundOfSums(*once, list);
  for (int64_t entry = 0; entry < once->count(); ++entry) {
    for (unsigned d = 0; d < once->order(); ++d)
      expected.coordinates.push_back(once->coordinate(d, entry));
    expected.entries.push_back({once->value(entry), error});
  }
  Result<reference::Comparison> comparison = reference::compare(expected, actual);
  if (!comparison)
    return comparison.takeStatus();
  return CheckOutcome{comparison->equal(), comparison->text()};
}

} // namespace strata
