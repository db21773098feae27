// Follows a run: what it does at the moment, its times, and what it says.
#include "strata/run/Executor.h"

#include "strata/dialect/ta/ValuesOps.h"

#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <numeric>

using namespace mlir;
using strata::runtime::Error;
using strata::runtime::Result;
using strata::runtime::Status;

namespace strata {

void Executor::print(std::string_view text) { out << text; }

void Executor::warn(const host::Instruction &at, const std::string &text) {
  operationOf(at)->emitWarning() << text;
}

void Executor::fail(const host::Instruction &at, const Error &error) {
  badSizes |= std::holds_alternative<host::SameSize>(at.operation);
  (void)strata::fail(operationOf(at), error);
}

static StringRef activityOf(Operation *op) {
  return TypeSwitch<Operation *, StringRef>(op)
      .Case<ta::ReadOp>([](auto) { return "reading"; })
      .Case<ta::WriteOp>([](auto) { return "writing"; })
      .Case<ta::PrintOp, ta::PrintTextOp>([](auto) { return "printing"; })
      .Case<ta::ConvertOp>([](auto) { return "converting"; })
      .Case<ta::NeedsOp, ta::ReachOp, ta::FetchOp>([](auto) { return "fetching"; })
      .Case<ta::RandomOp, ta::StencilOp, ta::FillOp>([](auto) { return "generating"; })
      .Default([](auto) { return "computing"; });
}

// Tells what an operation is for from what it also needs: the number of a size, the end of a
// tensor.
static bool isMain(const host::Instruction &at) {
  return !std::holds_alternative<host::Number>(at.operation) &&
         !std::holds_alternative<host::Release>(at.operation);
}

void Executor::begin(const host::Instruction &at) {
  current = operationOf(at);
  options.activity->begin(current, activityOf(current));
  if (isMain(at))
    steps.begin(current);
  if (!current->getParentOfType<ta::DistributeOp>()) // cells wait for nobody
    waitedBefore = secondsWaited();
  sinceBegin.lap();
  packing = 0;
}

Status Executor::end(const host::Instruction &at, const host::State &) {
  if (!isMain(at))
    return Status();
  steps.addSeconds(current, sinceBegin.lap() - packing);
  StepReport *step = steps.find(current);
  if (step && current->getNumResults() > 0 && !tensorOf(current->getResult(0)).pieces)
    step->made = reportOf(current->getResult(0), valueOf(current->getResult(0)));
  // What statements over values have made is the tensor that stores these.
  if (auto with = dyn_cast<ta::WithValuesOp>(current))
    for (Value values : with.getValues())
      if (StepReport *pass = steps.find(values.getDefiningOp()))
        pass->made = reportOf(with.getResult(), valueOf(with.getResult()));
  const auto *print = std::get_if<host::Print>(&at.operation);
  if (!print || !options.keepPrinted)
    return Status();
  Result<PrintedTensor> printed =
      printedTensor(compiler, valueOf(state().tensor(print->tensor)), print->name);
  if (!printed)
    return printed.takeStatus();
  keptPrints.push_back(std::move(*printed));
  return Status();
}

void Executor::moved(const host::Instruction &at, std::span<const int64_t> bytes) {
  StepReport *step = steps.find(operationOf(at));
  if (!step)
    return;
  ++step->moves;
  step->movedBytes += std::accumulate(bytes.begin(), bytes.end(), int64_t(0));
  step->mostMovedBytes += *std::max_element(bytes.begin(), bytes.end());
  step->waitedSeconds += secondsWaited() - std::exchange(waitedBefore, secondsWaited());
}

void Executor::fetched(const host::Instruction &at, std::span<const int64_t> bytes, bool isNew) {
  moved(at, bytes);
  if (StepReport *step = steps.find(operationOf(at)))
    ++(isNew ? step->newPlans : step->keptPlans);
}

void Executor::copied(const host::Instruction &at, int64_t bytes) {
  if (StepReport *step = steps.find(operationOf(at)))
    step->copiedBytes = step->copiedBytes.value_or(0) + bytes;
}

void Executor::waited(const host::Instruction &at, double seconds) {
  steps.addSeconds(operationOf(at), seconds);
  sinceBegin.lap(); // which belongs to others
}

void Executor::enterLoop(const host::Instruction &at) {
  options.activity->enterLoop(operationOf(at));
}

void Executor::beginIteration(int64_t number) { options.activity->beginIteration(number); }

void Executor::leaveLoop() { options.activity->leaveLoop(); }

} // namespace strata
