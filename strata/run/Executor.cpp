// Runs a host program: translates it to data, and has that interpreted.
#include "strata/run/Executor.h"

#include "strata/dialect/ta/Sums.h"
#include "strata/lower/analysis/FilledProducts.h"
#include "strata/lower/analysis/HeldZeros.h"
#include "strata/tensor/ElementTypes.h"

#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using strata::runtime::Error;
using strata::runtime::Status;

namespace strata {

LogicalResult fail(Operation *op, const Error &error) {
  return error.shown ? failure() : LogicalResult(op->emitError() << error.sentence());
}

Error told() { return Error::alreadyShown(); }

//===------------------------------------------------------------------------------------------===//
// Values
//===------------------------------------------------------------------------------------------===//

TensorValue Executor::valueOf(const host::Tensor &tensor) const {
  TensorValue value{open->types.type(tensor.type), tensor.storage, tensor.source};
  for (const host::Tensor &part : tensor.parts)
    value.parts.push_back(valueOf(part));
  if (tensor.pieces) {
    auto pieces = std::make_shared<TensorPieces>(tensor.pieces->sizes);
    for (const host::Pieces::Piece &piece : tensor.pieces->own)
      pieces->own.push_back({piece.cell, piece.box, piece.isFirst, valueOf(piece.tensor)});
    value.pieces = std::move(pieces);
  }
  return value;
}

host::Tensor Executor::tensorOf(TensorValue value) {
  host::Tensor tensor{.type = open->types.number(value.type),
                      .storage = std::move(value.storage),
                      .source = std::move(value.source)};
  for (TensorValue &part : value.parts)
    tensor.parts.push_back(tensorOf(std::move(part)));
  if (value.pieces) {
    auto pieces = std::make_shared<host::Pieces>(value.pieces->sizes);
    for (const TensorPieces::Piece &piece : value.pieces->own)
      pieces->own.push_back({piece.cell, piece.box, piece.isFirst, tensorOf(piece.tensor)});
    tensor.pieces = std::move(pieces);
  }
  return tensor;
}

std::optional<TensorValue> Executor::value(Value value) const {
  if (!interpreter)
    return std::nullopt;
  const host::Tensor &tensor = tensorOf(value);
  bool isThere = tensor.storage || !tensor.parts.empty() || tensor.pieces;
  return isThere ? std::optional(valueOf(tensor)) : std::nullopt;
}

std::vector<int64_t> Executor::cellsOf(llvm::StringRef machine) const {
  const std::vector<host::Machine> &machines = open->program.machines;
  auto found =
      llvm::find_if(machines, [&](const host::Machine &one) { return one.name == machine; });
  return interpreter->grid(size_t(found - machines.begin())).axes();
}

std::vector<int64_t> Executor::numbersOf(ValueRange sizes) const {
  std::vector<int64_t> numbers;
  for (Value size : sizes)
    numbers.push_back(indexOf(size));
  return numbers;
}

RankedTensorType Executor::asked(host::TypeId type) const {
  RankedTensorType own = open->types.type(type);
  return options.widths == 0 ? own : ta::withOpenWidths(own, options.widths, options.widths);
}

//===------------------------------------------------------------------------------------------===//
// Runs
//===------------------------------------------------------------------------------------------===//

void Executor::define(Value value, TensorValue tensor) { given[value] = std::move(tensor); }

void Executor::forget() {
  given.clear();
  interpreter.reset();
  open.reset();
}

void Executor::rest() {
  given.clear();
  if (interpreter)
    interpreter->rest();
}

LogicalResult Executor::begin(func::FuncOp main) {
  badSizes = false;
  interpreter.reset();
  if (options.written)
    checker.emplace(*options.written, main);
  if (failed(checkElementTypes(main)) || failed(checkResults(main.getBody().front())))
    return failure();
  open = translateProgram(main);
  if (!open)
    return failure();
  host::Provider &provider = *this;
  host::Observer &observer = *this;
  interpreter.emplace(
      open->program, provider, observer,
      host::Surroundings{.indexBase = options.indexBase, .progress = options.progress});
  return success();
}

LogicalResult Executor::call(func::FuncOp main,
                             std::optional<host::KeptTensors::Arguments> unchanged) {
  badSizes = false;
  std::vector<host::Tensor> arguments;
  for (BlockArgument argument : main.getArguments())
    arguments.push_back(tensorOf(std::move(given[argument])));
  given.clear();
  interpreter->join(options.job);
  bool ok = interpreter->call(std::move(arguments), unchanged);
  options.activity->end();
  return success(ok);
}

LogicalResult Executor::run(func::FuncOp main) {
  return success(succeeded(begin(main)) && succeeded(call(main, std::nullopt)));
}

LogicalResult Executor::runAgain(func::FuncOp main, host::KeptTensors::Arguments unchanged) {
  if (interpreter)
    return call(main, unchanged);
  return success(succeeded(begin(main)) && succeeded(call(main, 0)));
}

static Value returnedBy(func::FuncOp main) {
  return main.getBody().front().getTerminator()->getOperand(0);
}

static const char *whyNotApart(Value result) {
  // Of two ways to compute it, which make it alike, the run takes one.
  if (auto branch = result.getDefiningOp<ta::IfOp>();
      branch && (branch->hasAttr(fewEntriesAttribute) || branch->hasAttr(heldZerosAttribute))) {
    const char *why = nullptr;
    for (Region &way : branch->getRegions())
      if (!why)
        why = whyNotApart(way.front().getTerminator()->getOperand(0));
    return why;
  }
  auto statement = result.getDefiningOp<ta::ComputeOp>();
  return !statement            ? "the result is converted after it was computed"
         : statement.getInit() ? "the statement updates a tensor"
         : copiedBy(statement) ? "the statement copies a tensor"
                               : nullptr;
}

const char *Executor::whyNotApart(func::FuncOp main) {
  return strata::whyNotApart(returnedBy(main));
}

LogicalResult Executor::runPhase(func::FuncOp main, Phase phase) {
  llvm::scope_exit done([&] { apart = {}; });
  Operation *maker = returnedBy(main).getDefiningOp();
  if (const char *why = whyNotApart(main))
    return emitError(maker ? maker->getLoc() : main.getLoc())
           << "pattern and values cannot be made apart: " << why;
  apart.statement = maker;
  apart.phase = phase;
  return run(main);
}

LogicalResult Executor::assemble(func::FuncOp main) { return runPhase(main, Phase::Assemble); }

LogicalResult Executor::compute(func::FuncOp main, TensorValue pattern) {
  apart.pattern = std::move(pattern);
  return runPhase(main, Phase::Compute);
}

LogicalResult Executor::computeInto(func::FuncOp main, TensorValue target) {
  apart.inPlace = true;
  return compute(main, std::move(target));
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
        return strata::fail(&op, fits.error());
    }
  return success();
}

} // namespace strata
