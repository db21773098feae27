// Checks a statement's result against the reference interpreter.
#include "strata/run/Check.h"

#include "strata/conversion/Unpacking.h"
#include "strata/dialect/ta/Notation.h"
#include "strata/reference/Compare.h"
#include "strata/reference/Reference.h"
#include "strata/runtime/Counted.h"
#include "strata/tensor/ElementTypes.h"
#include "strata/tensor/EvaluateAffine.h"

using namespace mlir;
using strata::runtime::Coordinates;
using strata::runtime::Error;
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
static reference::Pattern patternOf(Operation *op) {
  auto isFull = [](Value value) {
    return ta::formatOf(cast<RankedTensorType>(value.getType())).isFull();
  };
  auto compute = dyn_cast<ta::ComputeOp>(op);
  bool copies = !compute || isa_and_present<ta::AccessOp>(compute.getYielded().getDefiningOp());
  ValueRange inputs = compute ? ValueRange(compute.getInputs()) : op->getOperands();
  bool told = !(copies && llvm::any_of(inputs, isFull)) && tellsFills(op->getResult(0)) &&
              llvm::all_of(inputs, [&](Value input) { return isFull(input) || tellsFills(input); });
  return told ? reference::Pattern::exact : reference::Pattern::ignored;
}

//===------------------------------------------------------------------------------------------===//
// Statements as they were written
//===------------------------------------------------------------------------------------------===//

Checker::Checker(const WrittenProgram &program, func::FuncOp running) : program(program) {
  running.walk([&](ta::CheckpointOp op) {
    int64_t number = op.getNumber();
    stored.insert(program.tensor(number));
  });
  running.walk([&](ta::CheckpointOp op) {
    int64_t number = op.getNumber();
    Value tensor = program.tensor(number);
    ending[lastUse(tensor)].push_back(tensor);
  });
}

// The operation of the tensor's block after which nothing needs its value, null for an argument
// that is never used. Where a statement reads it whose result is not stored, that is what needs the
// result.
Operation *Checker::lastUse(Value tensor) {
  if (auto known = lastUses.find(tensor); known != lastUses.end())
    return known->second;
  Operation *last = tensor.getDefiningOp();
  for (Operation *user : tensor.getUsers()) {
    if (isa<ta::DimOp>(user))
      continue;
    auto statement = dyn_cast<ta::ComputeOp>(user);
    if (statement && !stored.contains(statement.getResult()))
      user = lastUse(statement.getResult());
    Operation *inBlock = tensor.getParentBlock()->findAncestorOpInBlock(*user);
    if (!last || last->isBeforeInBlock(inBlock))
      last = inBlock;
  }
  return lastUses[tensor] = last;
}

// Forgets what nothing needs once the tensor that was reached has its value.
void Checker::release(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  Operation *&before = reached[tensor.getParentBlock()];
  if (!op) { // a round of a loop begins
    before = nullptr;
    return;
  }
  bool goesOn = before && before->isBeforeInBlock(op);
  for (Operation *passed = goesOn ? before->getNextNode() : &op->getBlock()->front();
       passed != op->getNextNode(); passed = passed->getNextNode())
    if (auto found = ending.find(passed); found != ending.end())
      for (Value ended : found->second)
        values.erase(ended);
  before = op;
}

std::optional<int64_t> Checker::sizeOf(Value tensor, unsigned dim) {
  if (auto known = sizes.find(tensor); known != sizes.end())
    return known->second[dim];
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return type.getDimSize(dim);
  auto statement = tensor.getDefiningOp<ta::ComputeOp>();
  return statement ? index(statement.getSizes()[type.getDynamicDimIndex(dim)]) : std::nullopt;
}

std::optional<int64_t> Checker::index(Value value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return constant;
  if (auto dim = value.getDefiningOp<ta::DimOp>())
    return sizeOf(dim.getTensor(), dim.getDim());
  if (auto same = value.getDefiningOp<ta::SameSizeOp>())
    return index(same.getSizes().front());
  auto fit = value.getDefiningOp<ta::FitOp>();
  if (!fit)
    return std::nullopt;
  SmallVector<int64_t> known;
  for (Value size : fit.getSizes())
    if (std::optional<int64_t> number = index(size))
      known.push_back(*number);
    else
      return std::nullopt;
  return extentOf(fit.getMap(), known);
}

Result<reference::Expected> Checker::evaluate(ta::ConcatOp op) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  std::vector<reference::Tensor> parts;
  Attribute fill = ta::fillOf(type);
  for (Value tensor : op.getTensors()) {
    parts.push_back(values.lookup(tensor));
    // A full result stores what the parts are worth where they store nothing.
    auto part = cast<RankedTensorType>(tensor.getType());
    if (ta::formatOf(type).isFull() && !ta::formatOf(part).isFull())
      fill = ta::fillOf(part);
  }
  return reference::concatenate(parts, op.getDim(), *runtimeType(type.getElementType()),
                                *reference::numberOf(fill));
}

Result<reference::Expected> Checker::evaluate(Operation *statement) {
  if (auto op = dyn_cast<ta::ConcatOp>(statement))
    return evaluate(op);
  return evaluate(cast<ta::ComputeOp>(statement));
}

Result<reference::Expected> Checker::evaluate(ta::ComputeOp statement) {
  std::vector<reference::Tensor> inputs;
  for (Value input : statement.getInputs())
    inputs.push_back(values.lookup(input));
  std::optional<reference::Tensor> init;
  if (Value before = statement.getInit())
    init = values.lookup(before);
  auto indexValue = [&](Value value) { return index(value); };
  return reference::evaluate(statement, inputs, init ? &*init : nullptr, indexValue);
}

// Gives the operands that the running program does not store their values. Names the one whose
// value takes too long, if there is one.
Result<std::string> Checker::evaluateOperands(Operation *statement) {
  for (Value operand : statement->getOperands()) {
    if (!isa<RankedTensorType>(operand.getType()) ||
        (stored.contains(operand) && values.contains(operand)))
      continue;
    auto producer = operand.getDefiningOp<ta::ComputeOp>();
    if (!producer || stored.contains(operand))
      return Error{Error::Unsupported,
                   "the value of " + ta::quotedNameOf(operand) + " is not known to the check"};
    Result<std::string> tooLong = evaluateOperands(producer);
    if (!tooLong || !tooLong->empty())
      return tooLong;
    Result<reference::Expected> expected = evaluate(producer);
    if (!expected)
      return expected.takeStatus();
    if (!expected->complete)
      return ta::quotedNameOf(operand);
    Result<reference::Tensor> value = expected->tensor();
    if (!value)
      return value.takeStatus();
    values[operand] = std::move(*value);
  }
  return std::string();
}

Result<CheckOutcome> Checker::check(Operation *statement, const Coordinates &actual) {
  Result<std::string> tooLong = evaluateOperands(statement);
  if (!tooLong)
    return tooLong.takeStatus();
  if (!tooLong->empty())
    return CheckOutcome{true, "not compared: " + *tooLong +
                                  " is computed where it is read, and takes too long on its own"};
  Result<reference::Expected> expected = evaluate(statement);
  if (!expected)
    return expected.takeStatus();
  Result<reference::Comparison> comparison =
      reference::compare(*expected, actual, {.pattern = patternOf(statement)});
  if (!comparison)
    return comparison.takeStatus();
  if (!comparison->equal())
    return CheckOutcome{false, comparison->text()};
  int64_t count = comparison->compared;
  std::string what = expected->complete ? counted(count, "value") + " compared"
                                        : counted(count, "sampled value") + " compared";
  std::string which = expected->complete && count != 1 ? ", all of them" : "";
  return CheckOutcome{true, what + which + (count == 1 ? ", it agrees" : ", they agree")};
}

Operation *Checker::statementOf(int64_t number) const {
  Operation *op = program.tensor(number).getDefiningOp();
  return isa_and_present<ta::ComputeOp, ta::ConcatOp>(op) ? op : nullptr;
}

Result<std::optional<CheckOutcome>> Checker::reach(int64_t number, const Coordinates &actual) {
  Value tensor = program.tensor(number);
  std::optional<CheckOutcome> outcome;
  if (Operation *statement = statementOf(number)) {
    Result<CheckOutcome> checked = check(statement, actual);
    if (!checked)
      return checked.takeStatus();
    outcome = std::move(*checked);
  }
  Result<reference::Tensor> value = reference::Tensor::copyOf(actual);
  if (!value)
    return value.takeStatus();
  sizes[tensor] = value->sizes();
  values[tensor] = std::move(*value);
  release(tensor);
  return outcome;
}

//===------------------------------------------------------------------------------------------===//
// What is stored
//===------------------------------------------------------------------------------------------===//

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
