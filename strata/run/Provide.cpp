// Packs, lists, converts and checks for the interpreter.
#include "strata/conversion/FileLevels.h"
#include "strata/dialect/ta/Notation.h"
#include "strata/dialect/ta/Sums.h"
#include "strata/estimate/Estimate.h"
#include "strata/host/Print.h"
#include "strata/lower/analysis/StoredPlaces.h"
#include "strata/run/Executor.h"
#include "strata/tensor/ElementTypes.h"
#include "strata/tensor/Fill.h"
#include "strata/tensor/FillBytes.h"
#include "strata/tensor/StorageDump.h"
#include "strata/tensor/Validate.h"

#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using strata::runtime::Coordinates;
using strata::runtime::Error;
using strata::runtime::LevelArrays;
using strata::runtime::Result;
using strata::runtime::Status;

namespace strata {

static void addTimes(StepReport &step, const PackTimes &times) {
  step.sort += times.sort;
  step.compile += times.compile;
  step.pack += times.fill;
  step.compileParts += times.parts;
}

//===------------------------------------------------------------------------------------------===//
// Lists
//===------------------------------------------------------------------------------------------===//

// The constant that an element of a tensor is; null if it is zero, and no fill of the tensor's.
static Attribute fillOf(RankedTensorType type, std::span<const char> element) {
  bool isZero = llvm::all_of(element, [](char byte) { return byte == 0; });
  std::vector<char> own = fillBytes(type);
  if (llvm::equal(element, own) ||
      (isZero && llvm::all_of(own, [](char byte) { return byte == 0; })))
    return ta::formatOf(type).getFill();
  if (isZero)
    return Attribute();
  Type elements = type.getElementType();
  return *constantOf(elements, host::numberOf(element, *runtimeType(elements)));
}

Result<host::Tensor> Executor::pack(Coordinates list, host::TypeId id,
                                    std::span<const char> element) {
  Stopwatch watch;
  llvm::scope_exit counted([&] { packing += watch.lap(); });
  RankedTensorType type = asked(id);
  StepReport &step = steps.of(current, [] { return std::string(); });
  if (failed(allowMemory(current, estimatePacking(type, list.sizes(), list.count(), options.force),
                         step)))
    return told();
  std::shared_ptr<const Coordinates> source;
  if (options.written) {
    Result<Coordinates> copy = list.clone();
    if (!copy)
      return copy.takeStatus();
    source = std::make_shared<const Coordinates>(std::move(*copy));
  }
  PackTimes times;
  Attribute fill = fillOf(type, element);
  Result<TensorValue> packed =
      strata::pack(compiler, std::move(list), type, &times, options.force, fill);
  if (!packed)
    return packed.takeStatus();
  bool sameFill = ta::formatOf(type).getFill() == fill;
  if (source && sameFill && failed(checkStored(current, *packed, *source)))
    return told();
  // The list is what results are checked against, unless what it does not hold is worth something.
  if (sameFill && !fill)
    packed->source = source;
  addTimes(step, times);
  return tensorOf(std::move(*packed));
}

Result<Coordinates> Executor::entriesOf(const host::Tensor &tensor) {
  return unpack(compiler, valueOf(tensor));
}

Result<std::shared_ptr<const Coordinates>> Executor::listOf(const host::Tensor &tensor) {
  return tensor.source ? tensor.source : Provider::listOf(tensor);
}

Status Executor::allowList(const std::vector<int64_t> &sizes, host::TypeId type,
                           std::string_view what, std::string_view smaller) {
  double places = 1;
  for (int64_t size : sizes)
    places *= double(size);
  auto each = double(packingNeeds(asked(type), sizes, 1) + int64_t(sizeof(int64_t)));
  return checkMemory(std::string(what), places * each, std::string(smaller));
}

//===------------------------------------------------------------------------------------------===//
// Formats
//===------------------------------------------------------------------------------------------===//

host::TypeId Executor::decided(host::TypeId type, const std::vector<int64_t> &sizes,
                               std::optional<int64_t> entries) {
  return open->types.number(withDecidedWidths(asked(type), sizes, entries));
}

Result<host::Tensor> Executor::convert(const host::Convert &convert, const host::Tensor &tensor) {
  auto op = cast<ta::ConvertOp>(current);
  TensorValue from = valueOf(tensor);
  RankedTensorType type =
      asked(open->types.number(convertedType(op, from.sizes(), double(from.storedCount()))));
  StepReport &step = steps.of(op, [&] {
    return "convert from " + ta::formatName(from.type) + " to " + ta::formatName(type);
  });
  if (op.getReason())
    step.notes = {step.what + ": " + op.getReason()->str()};
  if (failed(allowConversion(op, from, type, step)))
    return told();
  PackTimes times;
  Result<TensorValue> converted = strata::convert(compiler, from, type, &times, options.force);
  if (!converted)
    return converted.takeStatus();
  addTimes(step, times);
  if (options.written && ta::fillOf(from.type) == ta::fillOf(type)) {
    Result<std::shared_ptr<const Coordinates>> list = listOf(tensor);
    if (!list)
      return list.takeStatus();
    if (failed(checkStored(op, *converted, **list)))
      return told();
  }
  return tensorOf(std::move(*converted));
}

std::string Executor::textOf(const host::PrintStorage &print, const host::Tensor &tensor) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  dumpStorage(valueOf(tensor), print.name, stream);
  return text;
}

//===------------------------------------------------------------------------------------------===//
// Files
//===------------------------------------------------------------------------------------------===//

// Results are checked against lists.
std::optional<host::Tensor> Executor::adopt(const LevelArrays &arrays, host::TypeId type) {
  if (options.written)
    return std::nullopt;
  std::optional<TensorValue> adopted = strata::adopt(arrays, asked(type), options.force);
  return adopted ? std::optional(tensorOf(std::move(*adopted))) : std::nullopt;
}

Result<host::Tensor> Executor::finish(host::Tensor adopted, host::TypeId id) {
  Stopwatch watch;
  llvm::scope_exit counted([&] { packing += watch.lap(); });
  TensorValue value = valueOf(adopted);
  RankedTensorType type = withDecidedWidths(asked(id), value.sizes(), value.storedCount());
  if (value.type == type)
    return adopted;
  PackTimes times;
  Result<TensorValue> converted = strata::convert(compiler, value, type, &times, options.force);
  if (!converted)
    return converted.takeStatus();
  addTimes(steps.of(current, [] { return std::string(); }), times);
  return tensorOf(std::move(*converted));
}

std::optional<LevelArrays> Executor::levelsOf(const host::Tensor &tensor) {
  return fileLevels(valueOf(tensor));
}

//===------------------------------------------------------------------------------------------===//
// Checks
//===------------------------------------------------------------------------------------------===//

// Compares what a statement of the written program has made with the reference.
Status Executor::check(const host::Checkpoint &checkpoint, const host::Tensor &given) {
  if (!checker)
    return Status();
  Stopwatch watch;
  TensorValue tensor = valueOf(given);
  Operation *statement = checker->statementOf(checkpoint.number);
  Operation *place = statement ? statement : current;
  auto tell = [&](const Twine &text) {
    place->emitError() << text;
    return told();
  };
  if (Status fine = validate(tensor); !fine.ok())
    return tell("the tensor's storage is wrong: " + fine.error().sentence());
  Result<std::shared_ptr<const Coordinates>> actual = listOf(given);
  if (!actual)
    return tell(actual.error().sentence());
  Result<std::optional<CheckOutcome>> outcome = checker->reach(checkpoint.number, **actual);
  if (!outcome)
    return tell(outcome.error().sentence());
  if (!*outcome)
    return Status();
  auto [known, isNew] = checkNumbers.try_emplace(checkpoint.number, checked.size());
  if (isNew)
    checked.push_back({ta::statementText(statement)});
  CheckReport &report = checked[known->second];
  report.seconds += watch.lap();
  report.compared = (*outcome)->text;
  if (!(*outcome)->agrees)
    return tell("the result differs from the reference interpreter's: " + (*outcome)->text);
  return Status();
}

// What is stored against the list that it was made from.
LogicalResult Executor::checkStored(Operation *op, const TensorValue &stored,
                                    const Coordinates &list) {
  if (list.valueType() != *runtimeType(stored.type.getElementType()))
    return success(); // rounded by the way
  if (Status fine = validate(stored); !fine.ok())
    return op->emitError() << "the tensor's storage is wrong: " << fine.error().sentence();
  Result<Coordinates> actual = unpack(compiler, stored);
  if (!actual)
    return strata::fail(op, actual.error());
  Result<CheckOutcome> outcome = strata::checkStored(list, stored.type, *actual);
  if (!outcome)
    return strata::fail(op, outcome.error());
  if (!outcome->agrees)
    return op->emitError() << "as " << ta::formatName(stored.type)
                           << " is stored something else than was given: " << outcome->text;
  return success();
}

} // namespace strata
