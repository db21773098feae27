// Runs a host program, operation by operation.
#include "strata/run/Executor.h"

#include "strata/dialect/ta/Notation.h"
#include "strata/dialect/ta/ParameterOp.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/dialect/ta/Sums.h"
#include "strata/host/Print.h"
#include "strata/host/Reindex.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/analysis/Resolutions.h"
#include "strata/run/Output.h"
#include "strata/tensor/ElementTypes.h"
#include "strata/tensor/EvaluateAffine.h"
#include "strata/tensor/Fill.h"
#include "strata/tensor/StorageDump.h"
#include "strata/tensor/StoredFormats.h"
#include "strata/tensor/Validate.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using strata::runtime::Coordinates;
using strata::runtime::Error;
using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::Storage;

namespace strata {

LogicalResult fail(Operation *op, const Error &error) {
  return error.shown ? failure() : LogicalResult(op->emitError() << error.sentence());
}

const TensorValue *Executor::value(Value value) const {
  auto found = tensors.find(value);
  return found == tensors.end() ? nullptr : &found->second;
}

void Executor::define(Value value, TensorValue tensor) {
  sizes[value] = tensor.sizes();
  tensors[value] = std::move(tensor);
}

void Executor::forget() {
  tensors.clear();
  sizes.clear();
  indices.clear();
}

// The step that reports what `op` does, in every round of a loop.
StepReport &Executor::stepOf(Operation *op, llvm::function_ref<std::string()> what) {
  auto [known, isNew] = stepNumbers.try_emplace(op, steps.size());
  if (isNew)
    steps.push_back({what()});
  return steps[known->second];
}

std::vector<int64_t> Executor::sizesOf(RankedTensorType type, ValueRange dynamic) const {
  std::vector<int64_t> sizes;
  unsigned next = 0;
  for (int64_t size : type.getShape())
    sizes.push_back(ShapedType::isDynamic(size) ? indices.lookup(dynamic[next++]) : size);
  return sizes;
}

std::vector<int64_t> Executor::numbersOf(ValueRange sizes) const {
  std::vector<int64_t> numbers;
  for (Value size : sizes)
    numbers.push_back(indices.lookup(size));
  return numbers;
}

// The type of an operation's result; widths that its format leaves open are those asked for.
RankedTensorType Executor::typeOf(Operation *op) const {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (!type.getEncoding() || options.widths == 0)
    return type;
  if (ta::SumAttr sum = ta::sumOf(type))
    return ta::withFormat(type, sum.withOpenWidths(options.widths, options.widths));
  ta::FormatAttr format = ta::formatOf(type);
  return ta::withFormat(type, format.withOpenWidths(options.widths, options.widths));
}

TensorReport reportOf(Value value, const TensorValue &tensor) {
  auto named = dyn_cast<NameLoc>(value.getLoc());
  // What the front end computes for an operand has no name that the program knows.
  bool known = named && !named.getName().getValue().starts_with("_");
  return {known ? named.getName().str() : "",
          tensor.sizes(),
          tensor.storedCount(),
          elementTypeWord(tensor.type.getElementType()).str(),
          ta::formatName(tensor.type),
          tensor.bytes()};
}

LogicalResult Executor::run(func::FuncOp main) {
  badSizes = false;
  if (options.written)
    checker.emplace(*options.written, main);
  Passed none;
  if (failed(checkElementTypes(main)) || failed(checkResults(main.getBody().front())))
    return failure();
  Flow flow = runBlock(main.getBody().front(), none);
  options.activity->end();
  return success(flow != Flow::Failure);
}

LogicalResult Executor::runPhase(func::FuncOp main, Phase phase) {
  llvm::scope_exit done([&] { apart = {}; });
  Value returned = main.getBody().front().getTerminator()->getOperand(0);
  auto statement = returned.getDefiningOp<ta::ComputeOp>();
  Operation *maker = statement ? statement.getOperation() : returned.getDefiningOp();
  const char *why = !statement            ? "the result is converted after it was computed"
                    : statement.getInit() ? "the statement updates a tensor"
                    : copiedBy(statement) ? "the statement copies a tensor"
                                          : nullptr;
  if (why)
    return emitError(maker ? maker->getLoc() : main.getLoc())
           << "pattern and values cannot be made apart: " << why;
  apart.statement = statement;
  apart.phase = phase;
  return run(main);
}

LogicalResult Executor::assemble(func::FuncOp main) { return runPhase(main, Phase::Assemble); }

LogicalResult Executor::compute(func::FuncOp main, TensorValue pattern) {
  apart.pattern = std::move(pattern);
  return runPhase(main, Phase::Compute);
}

// Programs in MLIR may have tensors of any elements; storages have some.
LogicalResult Executor::checkElementTypes(func::FuncOp main) {
  auto checked = main.walk([&](Operation *op) {
    for (Type result : op->getResultTypes()) {
      auto type = dyn_cast<RankedTensorType>(result);
      if (!type || runtimeType(type.getElementType()))
        continue;
      op->emitError("cannot be run: elements of type ")
          << type.getElementType()
          << "; expected i1, i8 to i64, ui8 to ui64, f16, bf16, f32, f64, or complex of f32 or f64";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(checked.wasInterrupted());
}

// Results that no memory holds are refused before anything is read or generated for them.
LogicalResult Executor::checkResults(Block &program) {
  for (Operation &op : program)
    for (Type result : op.getResultTypes()) {
      auto type = dyn_cast<RankedTensorType>(result);
      if (!type || type.getRank() == 0 || !type.hasStaticShape() || ta::sumOf(type) ||
          !ta::formatOf(type).isFull())
        continue;
      std::optional<strata_type> element = runtimeType(type.getElementType());
      if (!element) // which checkElementTypes has refused
        return failure();
      if (Status fits =
              checkPlaces(ta::formatOf(type), type.getShape(), 1, strata_type_bytes(*element), {});
          !fits.ok())
        return fail(&op, fits.error());
    }
  return success();
}

StringRef Executor::activityOf(Operation &op) {
  return TypeSwitch<Operation *, StringRef>(&op)
      .Case<ta::ReadOp>([](auto) { return "reading"; })
      .Case<ta::WriteOp>([](auto) { return "writing"; })
      .Case<ta::PrintOp, ta::PrintTextOp>([](auto) { return "printing"; })
      .Case<ta::ConvertOp>([](auto) { return "converting"; })
      .Case<ta::RandomOp, ta::StencilOp, ta::FillOp>([](auto) { return "generating"; })
      .Default([](auto) { return "computing"; });
}

LogicalResult Executor::execute(Operation &op) {
  options.activity->begin(&op, activityOf(op));
  return TypeSwitch<Operation *, LogicalResult>(&op)
      .Case([&](ta::ReadOp op) { return read(op); })
      .Case([&](ta::ParameterOp op) {
        return op.emitError() << "'" << op.getName()
                              << "' has no value: programs that are compiled ahead are given one";
      })
      .Case([&](ta::FillOp op) { return fill(op); })
      .Case([&](ta::RandomOp op) { return random(op); })
      .Case([&](ta::StencilOp op) { return stencil(op); })
      .Case([&](ta::IotaOp op) { return countUp(op); })
      .Case([&](ta::OneHotOp op) { return selector(op); })
      .Case([&](ta::InsideOp op) { return inside(op); })
      .Case([&](ta::DenseAlgebraOp op) { return denseAlgebra(op); })
      .Case([&](ta::ConcatOp op) { return concatenate(op); })
      .Case([&](ta::ComputeOp op) {
        LogicalResult computed = compute(op);
        if (op.getInPlace())
          tensors.erase(op.getInit());
        return computed;
      })
      .Case([&](ta::ConvertOp op) { return convertTensor(op); })
      .Case([&](ta::ComponentOp op) {
        TensorValue part = tensors[op.getTensor()].parts[op.getNumber()];
        define(op.getResult(), std::move(part));
        return success();
      })
      .Case([&](ta::GatherOp op) { return reindex(op); })
      .Case([&](ta::InsertPartOp op) { return overlay(op); })
      .Case([&](ta::WriteOp op) { return write(op); })
      .Case([&](ta::PrintOp op) { return print(op); })
      .Case([&](ta::PrintTextOp op) {
        out << op.getText();
        return success();
      })
      .Case([&](ta::SameSizeOp op) { return sameSize(op); })
      .Case([&](ta::TimeOp op) { return time(op); })
      .Case([&](ta::PrintElapsedOp op) { return printElapsed(op); })
      .Case([&](ta::CheckpointOp op) { return checkpoint(op); })
      .Case([&](ta::ReleaseOp op) {
        for (Value tensor : op.getTensors())
          tensors.erase(tensor);
        return success();
      })
      .Case([&](ta::DimOp op) {
        indices[op.getSize()] = sizes[op.getTensor()][op.getDim()];
        return success();
      })
      .Case([&](arith::ConstantOp op) {
        if (isa<RankedTensorType>(op.getType()))
          return constant(op);
        if (auto integer = dyn_cast<IntegerAttr>(op.getValue()))
          indices[op.getResult()] = integer.getInt();
        return success();
      })
      .Case([&](ta::FitOp op) {
        SmallVector<int64_t> known;
        for (Value size : op.getSizes())
          known.push_back(indices.lookup(size));
        indices[op.getSize()] = extentOf(op.getMap(), known);
        return success();
      })
      .Case([&](ta::HoldsOp op) { return holds(op); })
      .Case([&](arith::AndIOp op) {
        indices[op.getResult()] = indices.lookup(op.getLhs()) & indices.lookup(op.getRhs());
        return success();
      })
      .Case([&](arith::OrIOp op) {
        indices[op.getResult()] = indices.lookup(op.getLhs()) | indices.lookup(op.getRhs());
        return success();
      })
      .Case([&](func::ReturnOp) { return success(); })
      .Default([&](Operation *other) -> LogicalResult {
        return other->emitError("cannot be run: no host operation");
      });
}

//===------------------------------------------------------------------------------------------===//
// Conversions
//===------------------------------------------------------------------------------------------===//

LogicalResult Executor::convertTensor(ta::ConvertOp op) {
  const TensorValue &from = tensors[op.getTensor()];
  RankedTensorType type = typeOf(op);
  StepReport &step = stepOf(op, [&] {
    return "convert from " + ta::formatName(from.type) + " to " + ta::formatName(type);
  });
  if (op.getReason())
    step.notes = {step.what + ": " + op.getReason()->str()};
  if (failed(allowConversion(op, from, type, step)))
    return failure();
  PackTimes times;
  Result<TensorValue> converted = convert(compiler, from, type, &times, options.force);
  if (!converted)
    return fail(op, converted.error());
  step.sort += times.sort;
  step.compile += times.compile;
  step.pack += times.fill;
  step.compileParts += times.parts;
  step.made = reportOf(op.getResult(), *converted);
  if (options.written && ta::fillOf(from.type) == ta::fillOf(type)) {
    Result<std::shared_ptr<const Coordinates>> list = sourceOf(from);
    if (!list)
      return fail(op, list.error());
    if (failed(checkStored(op, *converted, **list)))
      return failure();
  }
  define(op.getResult(), std::move(*converted));
  return success();
}

LogicalResult Executor::reindex(ta::GatherOp op) {
  const TensorValue &from = tensors[op.getTensor()];
  std::vector<int64_t> extents = numbersOf(op.getSizes());
  std::string name = ta::nameOf(op.getTensor(), "an operand");
  if (Status status = host::checkReach(affineOf(op.getMap()), extents, from.sizes(), name);
      !status.ok())
    return fail(op, status.error());
  StepReport &step =
      stepOf(op, [&] { return "gather the entries of " + name + " that the statement reaches"; });
  Stopwatch watch;
  Result<std::shared_ptr<const Coordinates>> list = sourceOf(from);
  if (!list)
    return fail(op, list.error());
  Result<Coordinates> gathered = host::reindexed(**list, placeOf(op.getMap()), extents);
  if (!gathered)
    return fail(op, gathered.error());
  step.read += watch.lap();
  // What is gathered from a tensor is worth elsewhere what the tensor is.
  return packInto(op, std::move(*gathered), ta::formatOf(typeOf(op)).getFill());
}

LogicalResult Executor::overlay(ta::InsertPartOp op) {
  const TensorValue &part = tensors[op.getPart()], &whole = tensors[op.getWhole()];
  std::vector<int64_t> extents = numbersOf(op.getSizes());
  std::string name = ta::nameOf(op.getWhole(), "an operand");
  if (Status status = host::checkReach(affineOf(op.getMap()), extents, whole.sizes(), name);
      !status.ok())
    return fail(op, status.error());
  StepReport &step = stepOf(op, [&] { return "replace a part of the entries of " + name; });
  if (op.getReason())
    step.notes = {step.what + ": " + op.getReason()->str()};
  Stopwatch watch;
  Result<std::shared_ptr<const Coordinates>> entries = sourceOf(whole), fresh = sourceOf(part);
  if (!entries || !fresh)
    return fail(op, entries ? fresh.error() : entries.error());
  Result<Coordinates> laid = host::overlaid(**fresh, **entries, placeOf(op.getMap()), extents);
  if (!laid)
    return fail(op, laid.error());
  step.read += watch.lap();
  return packInto(op, std::move(*laid), ta::formatOf(typeOf(op)).getFill());
}

//===------------------------------------------------------------------------------------------===//
// Checks
//===------------------------------------------------------------------------------------------===//

Result<std::shared_ptr<const Coordinates>> Executor::sourceOf(const TensorValue &tensor) {
  if (tensor.source)
    return tensor.source;
  Result<Coordinates> list = unpack(compiler, tensor);
  if (!list)
    return list.takeStatus();
  return std::make_shared<const Coordinates>(std::move(*list));
}

// Compares what a statement of the written program has made with the reference.
LogicalResult Executor::checkpoint(ta::CheckpointOp op) {
  if (!checker)
    return success();
  Stopwatch watch;
  const TensorValue &tensor = tensors[op.getTensor()];
  Operation *statement = checker->statementOf(op.getNumber());
  Operation *place = statement ? statement : op;
  if (Status fine = validate(tensor); !fine.ok())
    return place->emitError() << "the tensor's storage is wrong: " << fine.error().sentence();
  Result<std::shared_ptr<const Coordinates>> actual = sourceOf(tensor);
  if (!actual)
    return fail(place, actual.error());
  Result<std::optional<CheckOutcome>> outcome = checker->reach(op.getNumber(), **actual);
  if (!outcome)
    return fail(place, outcome.error());
  if (!*outcome)
    return success();
  auto [known, isNew] = checkNumbers.try_emplace(op.getNumber(), checked.size());
  if (isNew)
    checked.push_back({ta::statementText(statement)});
  CheckReport &report = checked[known->second];
  report.seconds += watch.lap();
  report.compared = (*outcome)->text;
  if (!(*outcome)->agrees)
    return place->emitError() << "the result differs from the reference interpreter's: "
                              << (*outcome)->text;
  return success();
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
    return fail(op, actual.error());
  Result<CheckOutcome> outcome = strata::checkStored(list, stored.type, *actual);
  if (!outcome)
    return fail(op, outcome.error());
  if (!outcome->agrees)
    return op->emitError() << "as " << ta::formatName(stored.type)
                           << " is stored something else than was given: " << outcome->text;
  return success();
}

//===------------------------------------------------------------------------------------------===//
// Sizes, output, time
//===------------------------------------------------------------------------------------------===//

LogicalResult Executor::sameSize(ta::SameSizeOp op) {
  int64_t size = indices.lookup(op.getSizes().front());
  auto use = [&](unsigned at) { return cast<StringAttr>(op.getUses()[at]).getValue(); };
  for (auto [at, other] : llvm::enumerate(op.getSizes())) {
    badSizes = indices.lookup(other) != size;
    if (badSizes)
      return op.emitError() << "'" << op.getLabel() << "' has two sizes: " << size << " from "
                            << use(0) << ", " << indices.lookup(other) << " from " << use(at);
  }
  indices[op.getSize()] = size;
  return success();
}

LogicalResult Executor::write(ta::WriteOp op) {
  StepReport &step = stepOf(op, [&] { return "write " + op.getFile().str(); });
  Stopwatch watch;
  auto type = cast<RankedTensorType>(op.getTensor().getType());
  if (hasFill(type) && !runtime::keepsFill(op.getFile().str())) {
    InFlightDiagnostic error =
        op.emitError("elements that such files do not list are zero, but this "
                     "tensor has the fill value ")
        << host::fillText(numberOf(ta::fillOf(type))) << " where it stores nothing";
    error.attachNote(op.getLoc())
        << "write it as binsparse (.bsp.h5), or assign it to a Dense tensor and write that";
    return error;
  }
  out.flush();
  Status status = writeTensor(compiler, tensors[op.getTensor()], op.getFile().str());
  if (!status.ok())
    return fail(op, status.error());
  step.write += watch.lap();
  return success();
}

LogicalResult Executor::print(ta::PrintOp op) {
  const TensorValue &tensor = tensors[op.getTensor()];
  if (op.getStorage()) {
    dumpStorage(tensor, op.getName(), out);
    return success();
  }
  if (op.getBare() && tensor.sizes().empty())
    out << host::valueText(*tensor.storage, 0);
  else if (Status status = printTensor(compiler, tensor, op.getName(), out); !status.ok())
    return fail(op, status.error());
  if (!options.keepPrinted)
    return success();
  Result<PrintedTensor> printed = printedTensor(compiler, tensor, op.getName());
  if (!printed)
    return fail(op, printed.error());
  keptPrints.push_back(std::move(*printed));
  return success();
}

LogicalResult Executor::time(ta::TimeOp op) {
  elapsed += sinceBegin.lap();
  double withoutCompiling = elapsed - compiler.secondsSpent();
  auto type = cast<RankedTensorType>(op.getResult().getType());
  Result<TensorValue> scalar =
      filledTensor(compiler, type, {}, FloatAttr::get(type.getElementType(), withoutCompiling));
  if (!scalar)
    return fail(op, scalar.error());
  define(op.getResult(), std::move(*scalar));
  return success();
}

LogicalResult Executor::printElapsed(ta::PrintElapsedOp op) {
  auto seconds = [&](Value value) {
    return *static_cast<const double *>(tensors[value].storage->values().data);
  };
  out << "ELAPSED_TIME = " << llvm::formatv("{0:f6}", seconds(op.getEnd()) - seconds(op.getStart()))
      << "\n";
  return success();
}

} // namespace strata
