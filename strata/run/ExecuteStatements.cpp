// Computes the statements of a host program.
#include "strata/run/Executor.h"

#include "strata/compile/Kernel.h"
#include "strata/dialect/ta/Notation.h"
#include "strata/dialect/ta/Sums.h"
#include "strata/estimate/Bounds.h"
#include "strata/estimate/Forecast.h"
#include "strata/estimate/Parts.h"
#include "strata/estimate/Statistics.h"
#include "strata/estimate/Workspace.h"
#include "strata/explain/Explain.h"
#include "strata/lower/analysis/IndexStatement.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/analysis/Phase.h"
#include "strata/lower/analysis/Resolutions.h"
#include "strata/run/Output.h"
#include "strata/tensor/ElementTypes.h"
#include "strata/tensor/Quantities.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using strata::runtime::Coordinates;
using strata::runtime::Error;
using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::Storage;

namespace strata {

// Does a statement read the value that it updates? Then as it was before.
static bool readsWhatItUpdates(ta::ComputeOp op) {
  return op.getInit() && llvm::is_contained(op.getInputs(), op.getInit());
}

// The call that computes a statement; nothing of a copy, which is a conversion, and of two calls.
std::optional<Executor::RepeatedStep>
Executor::repeatedCall(ta::ComputeOp op, const llvm::DenseMap<Value, unsigned> &numbers) const {
  auto known = prepared.find(op);
  auto made = sizes.find(op.getResult());
  if (known == prepared.end() || made == sizes.end())
    return std::nullopt;
  auto kernel = known->second.kernels.find(Phase::All);
  if (kernel == known->second.kernels.end())
    return std::nullopt;
  RepeatedStep step{.lookUp = nullptr, .kernel = kernel->second, .operands = {}};
  auto numberOf = [&](Value value) {
    auto found = numbers.find(value);
    return found == numbers.end() ? std::nullopt : std::optional(found->second);
  };
  if (Value init = op.getInit())
    if (step.init = numberOf(init); !step.init)
      return std::nullopt;
  for (Value operand : known->second.arguments.tensors) {
    bool updated = operand == op.getInit() && !readsWhatItUpdates(op);
    std::optional<unsigned> number = updated ? itsResult : numberOf(operand);
    if (!number)
      return std::nullopt;
    step.operands.push_back(*number);
  }
  step.extents = numbersOf(known->second.arguments.extents);
  step.result = known->second.types.back();
  step.sizes = made->second;
  step.work = std::isfinite(known->second.work) ? known->second.work : 0;
  return step;
}

std::optional<std::vector<Executor::RepeatedStep>> Executor::repeatable(func::FuncOp main) const {
  std::vector<RepeatedStep> repeated;
  llvm::DenseMap<Value, unsigned> numbers;
  for (BlockArgument argument : main.getArguments())
    numbers[argument] = argument.getArgNumber();
  for (Operation &op : main.getBody().front()) {
    if (isa<ta::DimOp, ta::SameSizeOp, ta::FitOp, ta::ReleaseOp, arith::ConstantOp, func::ReturnOp>(
            op))
      continue;
    if (auto lookUp = dyn_cast<ta::OneHotOp>(op)) {
      auto from = numbers.find(lookUp.getTensor());
      if (from == numbers.end())
        return std::nullopt;
      repeated.push_back({.lookUp = lookUp, .kernel = {}, .operands = {from->second}});
      repeated.back().sizes = sizes.lookup(lookUp.getResult());
    } else if (auto statement = dyn_cast<ta::ComputeOp>(op)) {
      std::optional<RepeatedStep> call = repeatedCall(statement, numbers);
      if (!call)
        return std::nullopt;
      for (auto [input, type] : llvm::zip(statement.getInputs(), prepared.at(statement).types))
        if (unsigned number = numbers.lookup(input); number >= main.getNumArguments())
          repeated[number - main.getNumArguments()].result = type; // with widths decided
      repeated.push_back(std::move(*call));
    } else {
      return std::nullopt;
    }
    numbers[op.getResult(0)] = main.getNumArguments() + unsigned(repeated.size()) - 1;
  }
  Value returned = main.getBody().front().getTerminator()->getOperand(0);
  bool returnsLast = !repeated.empty() && !repeated.back().lookUp &&
                     numbers.lookup(returned) == main.getNumArguments() + repeated.size() - 1;
  return returnsLast ? std::optional(std::move(repeated)) : std::nullopt;
}

// A storage that refers to the arrays of a pattern, and has values of its own.
static Result<TensorValue> inPatternOf(const TensorValue &tensor) {
  Storage &pattern = *tensor.storage;
  auto storage = std::make_unique<Storage>(pattern.sizes(), bufferTypes(tensor.type));
  int64_t last = pattern.bufferCount() - 1;
  for (int64_t at = 0; at < last; ++at) {
    const strata_buffer &array = pattern.buffer(at);
    storage->adopt(at, array.data, array.count, strata_type(array.type));
  }
  if (Status status = storage->allocate(last, pattern.values().count); !status.ok())
    return status;
  std::shared_ptr<Storage> shared(storage.release(), [kept = tensor.storage](Storage *own) {
    delete own; // before what it refers to
  });
  return TensorValue{tensor.type, std::move(shared), nullptr};
}

// The result of a statement whose values alone are computed.
Result<TensorValue> Executor::resultInPattern(ta::ComputeOp op) {
  std::vector<int64_t> sizes = sizesOf(typeOf(op), op.getSizes());
  badSizes = apart.pattern.sizes() != sizes;
  if (badSizes)
    return Error{"the pattern has other sizes than the result"};
  return inPatternOf(apart.pattern);
}

// The storage that a statement's kernel writes: new, or the one of the value that it updates.
Result<TensorValue> Executor::resultFor(ta::ComputeOp op) {
  if (op == apart.statement && apart.phase == Phase::Compute)
    return resultInPattern(op);
  RankedTensorType type = typeOf(op);
  if (Value init = op.getInit()) {
    TensorValue &before = tensors[init];
    if (op.getInPlace() && before.storage.use_count() == 1 && options.repeat == 1)
      return TensorValue{before.type, std::move(before.storage), nullptr};
    Result<TensorValue> copy = cloned(before);
    if (copy)
      copy->source = nullptr;
    return copy;
  }
  std::vector<int64_t> sizes = sizesOf(type, op.getSizes());
  type = withDecidedWidths(type, sizes, std::nullopt);
  if (Status fits = checkWidths(type, sizes, std::nullopt); !fits.ok())
    return fits;
  strata_type element = *runtimeType(type.getElementType());
  Status places = checkPlaces(ta::formatOf(type), sizes, 1, strata_type_bytes(element));
  if (!places.ok())
    return places;
  return TensorValue{type, std::make_shared<Storage>(sizes, bufferTypes(type)), nullptr};
}

// A copy is a conversion: it goes the same way, and is refused for the same reasons.
LogicalResult Executor::copy(ta::ComputeOp op, const TensorValue &from) {
  StepReport &step = stepOf(op, [&] { return ta::statementText(op); });
  RankedTensorType type = typeOf(op);
  if (failed(allowConversion(op, from, type, step)))
    return failure();
  Result<TensorValue> result = Error{""};
  double fastest = std::numeric_limits<double>::infinity();
  for (int round = 0; round < options.repeat; ++round) {
    PackTimes times;
    result = convert(compiler, from, type, &times, options.force);
    if (!result)
      return fail(op, result.error());
    step.compile += times.compile;
    step.compileParts += times.parts;
    step.runs.push_back(times.total() - times.compile);
    fastest = std::min(fastest, step.runs.back());
  }
  step.run += fastest;
  step.made = reportOf(op.getResult(), *result);
  define(op.getResult(), std::move(*result));
  return success();
}

// In which calls a statement is computed.
FailureOr<SmallVector<Phase>> Executor::phasesOf(ta::ComputeOp op, RankedTensorType result,
                                                 StepReport &step) const {
  bool isApart = op == apart.statement;
  if (!isApart && (!options.phases || op.getInit()))
    return SmallVector<Phase>{Phase::All};
  std::string fault = phaseFault(ta::formatOf(result));
  if (isApart && !fault.empty())
    return op.emitError() << "pattern and values cannot be made apart: of the format "
                          << ta::formatName(result) << ", " << fault;
  if (isApart)
    return SmallVector<Phase>{apart.phase};
  if (fault.empty())
    return SmallVector<Phase>{Phase::Assemble, Phase::Compute};
  step.notes.push_back("computed in one call: " + fault);
  return SmallVector<Phase>{Phase::All};
}

// A statement's kernels are known for the types that its operands have; others are forgotten.
Executor::Prepared &Executor::prepare(ta::ComputeOp op, RankedTensorType result,
                                      KernelFacts facts) {
  std::vector<RankedTensorType> types;
  for (Value input : op.getInputs())
    types.push_back(tensors[input].type);
  types.push_back(result);
  Prepared &known = prepared[op];
  if (known.types != types || known.facts != facts)
    known = {std::move(types), facts, {}, {}, {}};
  return known;
}

// A statement's kernel in ta.
OwningOpRef<ModuleOp> Executor::outline(ta::ComputeOp op, Prepared &known) {
  OwningOpRef<ModuleOp> module = outlineKernel(
      op, "kernel", [&](Value operand) { return tensors[operand].type; },
      [&](Value operand) { return ta::operandName(op, operand); }, known.types.back(),
      known.arguments);
  func::FuncOp kernel = *module->getOps<func::FuncOp>().begin();
  if (known.facts.windowed)
    assume(kernel, Assumptions::Windowed);
  if (known.facts.hashed)
    prefer(kernel, Policy::Table);
  if (known.facts.parts)
    prefer(kernel, Policy::Parts);
  return module;
}

// How long a kernel should take that was just called.
std::optional<cost::Prediction> Executor::predict(ta::ComputeOp op, Prepared &known,
                                                  const TensorValue &result) {
  OwningOpRef<ModuleOp> module = outline(op, known);
  std::vector<cost::TensorStatistics> statistics = {
      statisticsOf(result, ta::nameOf(op.getResult()))};
  for (Value operand : known.arguments.tensors) {
    bool updated = operand == op.getInit() && !readsWhatItUpdates(op);
    statistics.push_back(
        statisticsOf(updated ? result : tensors[operand], ta::operandName(op, operand)));
  }
  return predictKernel(*module, statistics, numbersOf(known.arguments.extents), *options.machine,
                       options.threads);
}

// A kernel is made once, also in a loop, unless the types of the operands change.
Result<CompiledKernel> Executor::kernelFor(ta::ComputeOp op, Phase phase, double work,
                                           Prepared &known, StepReport &step) {
  known.work = work;
  if (auto made = known.kernels.find(phase); made != known.kernels.end())
    return made->second;
  OwningOpRef<ModuleOp> module = outline(op, known);
  func::FuncOp kernel = *module->getOps<func::FuncOp>().begin();
  if (options.explain && phase != Phase::Compute)
    step.loops = explainKernel(*module).value_or("");
  setPhase(kernel, phase);
  Stopwatch watch;
  options.activity->begin(op, "compiling the kernel for");
  Result<CompiledKernel> compiled = compiler.compile(std::move(module), work);
  options.activity->begin(op, activityOf(*op));
  if (!compiled)
    return compiled;
  step.compile += watch.lap();
  step.compileParts += compiled->times;
  known.kernels[phase] = *compiled;
  return compiled;
}

// About how many values a statement's kernel will visit. In a loop nobody knows.
double Executor::workOf(ta::ComputeOp op, double flops, const TensorValue &result) const {
  if (options.optimize || op->getParentOfType<ta::ForOp>() || op->getParentOfType<ta::LoopOp>())
    return std::numeric_limits<double>::infinity();
  double work = flops, places = result.format().isFull() ? 1 : 0;
  for (int64_t size : result.sizes())
    places *= double(size);
  work += places;
  for (Value input : op.getInputs())
    work += double(tensors.lookup(input).storedCount());
  return work * options.repeat;
}

// Counts the contractions of a statement in one more round.
static void countContractions(ta::ComputeOp op, llvm::function_ref<int64_t(Value)> extentOf,
                              StepReport &step) {
  for (const ContractionShape &shape : contractionShapes(op, extentOf)) {
    auto known = llvm::find_if(step.contractions, [&](auto &one) { return one.first == shape; });
    if (known == step.contractions.end())
      step.contractions.push_back({shape, 1});
    else
      ++known->second;
  }
}

// Says which loops take all values of variables of which operands store few, and what that costs.
static std::string sweepsOf(ta::ComputeOp op, const WorkEstimate &estimate) {
  std::string why;
  IndexStatement statement(op);
  auto plan = chooseLoopOrder(statement, llvm::SmallPtrSet<Operation *, 1>(), why);
  if (!plan || plan->sweeps.empty())
    return "";
  return llvm::formatv(
             "{0}: about {1} iterations for {2} stored entries", describeSweeps(statement, *plan),
             countInWords(estimate.iterations(statement, *plan)), countInWords(estimate.stored(op)))
      .str();
}

LogicalResult Executor::compute(ta::ComputeOp op) {
  if (Value from = copiedBy(op)) {
    std::vector<int64_t> extents = numbersOf(op.getExtents());
    const TensorValue &whole = tensors[from];
    if (whole.sizes() == extents && whole.sizes() == sizesOf(typeOf(op), op.getSizes()))
      return copy(op, whole);
  }
  auto isSum = [](Type type) { return bool(ta::sumOf(cast<RankedTensorType>(type))); };
  if (llvm::any_of(op.getInputs().getTypes(), isSum) || isSum(op.getResult().getType()))
    return op.emitError(
        "reads or makes a tensor in a hybrid format, whose accesses were not expanded");
  Result<TensorValue> result = resultFor(op);
  if (!result)
    return fail(op, result.error());
  Result<BoundsReport> bounds = checkBounds(
      op, [&](Value operand) { return tensors[operand].sizes(); }, result->sizes(),
      [&](Value extent) { return indices.lookup(extent); });
  badSizes = !bounds;
  if (!bounds)
    return fail(op, bounds.error());
  if (failed(checkAssumed(op, [&](Value extent) { return indices.lookup(extent); })))
    return failure();
  StepReport &step = stepOf(op, [&] { return ta::statementText(op); });
  step.notes.clear();
  if (std::optional<StringRef> reason = op.getReason())
    step.notes.push_back(step.what + " comes first: " + reason->str());
  if (auto branch = dyn_cast<ta::IfOp>(op->getParentOp());
      branch && branch->hasAttr(fewTermsAttribute)) {
    TermsAndEntries work = termsAndEntries(branch);
    bool lists = branch.getBody().isAncestor(op->getParentRegion());
    step.notes.push_back(llvm::formatv("{0}: the sums have at most {1} terms: {2}", step.what,
                                       countInWords(work.terms),
                                       lists ? "these are sorted, operands are not converted"
                                             : "operands are converted, terms are not sorted"));
  }
  if (std::optional<ArrayAttr> fused = op.getFused())
    for (auto one : fused->getAsRange<StringAttr>())
      step.notes.push_back("fused with " + one.str());
  auto tensorOf = [&](Value operand) -> const TensorValue & { return tensors[operand]; };
  auto extentOf = [&](Value extent) { return indices.lookup(extent); };
  auto storedOf = [&](Value operand) { return occupancyOf(tensors[operand]); };
  WorkEstimate estimate(storedOf, extentOf);
  double flops = estimate.operations(op);
  step.flops += flops;
  KernelFacts facts{.windowed = bounds->windowed,
                    .hashed = wantsHashedWorkspace(op, result->sizes(), tensorOf),
                    .parts = wantsParts(op, result->sizes(), tensorOf)};
  MemoryNeed need =
      estimateMemory(op, result->type, result->sizes(), facts.hashed, tensorOf, extentOf);
  if (facts.parts)
    need.workspace += bytesOfParts(op, result->sizes());
  if (failed(allowMemory(op, need, step)))
    return failure();
  FailureOr<SmallVector<Phase>> phases = phasesOf(op, result->type, step);
  if (failed(phases))
    return failure();
  Prepared &ready = prepare(op, result->type, facts);
  SmallVector<CompiledKernel> kernels;
  for (Phase phase : *phases) {
    Result<CompiledKernel> kernel = kernelFor(op, phase, workOf(op, flops, *result), ready, step);
    if (!kernel)
      return fail(op, kernel.error());
    kernels.push_back(*kernel);
  }
  if (!ready.sweeps) {
    ready.sweeps = sweepsOf(op, estimate);
    if (!ready.sweeps->empty())
      op.emitRemark() << *ready.sweeps;
  }
  if (!ready.sweeps->empty())
    step.notes.push_back(step.what + ": " + *ready.sweeps);
  SmallVector<Storage *> operands;
  for (Value operand : ready.arguments.tensors) {
    bool updated = operand == op.getInit() && !readsWhatItUpdates(op); // else resultFor() copied it
    operands.push_back(updated ? result->storage.get() : tensors[operand].storage.get());
  }
  std::vector<int64_t> extents = numbersOf(ready.arguments.extents);
  int repeat = op.getInit() ? 1 : options.repeat;
  Stopwatch watch;
  auto call = [&](const CompiledKernel &kernel, Phase phase) {
    int64_t scratch = 0;
    watch.lap();
    // The result of the round before is given back first, so that the kernel can use its memory.
    if (!op.getInit() && phase != Phase::Compute)
      result->storage->clear();
    Status status = compiler.run(kernel, *result->storage, operands, extents, &scratch);
    step.scratchBytes = std::max(step.scratchBytes, scratch);
    return status;
  };
  if (phases->size() > 1) {
    if (Status status = call(kernels.front(), phases->front()); !status.ok())
      return fail(op, status.error());
    step.pack += watch.lap();
  }
  double fastest = std::numeric_limits<double>::infinity();
  for (int round = 0; round < repeat; ++round) {
    Status status = call(kernels.back(), phases->back());
    if (!status.ok())
      return fail(op, status.error());
    step.runs.push_back(watch.lap());
    fastest = std::min(fastest, step.runs.back());
  }
  step.run += fastest;
  llvm::SmallPtrSet<Storage *, 8> touched(operands.begin(), operands.end());
  touched.insert(result->storage.get());
  for (Storage *storage : touched)
    step.traffic += double(storage->bytes());
  ++step.rounds;
  if (options.machine && step.rounds == 1)
    step.predicted = predict(op, ready, *result);
  countContractions(op, extentOf, step);
  step.made = reportOf(op.getResult(), *result);
  define(op.getResult(), std::move(*result));
  return success();
}

} // namespace strata
