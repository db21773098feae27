// Computes statements for the interpreter.
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
#include "strata/host/Pack.h"
#include "strata/lower/analysis/FilledProducts.h"
#include "strata/lower/analysis/HeldZeros.h"
#include "strata/lower/analysis/IndexStatement.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/analysis/Phase.h"
#include "strata/lower/analysis/Plan.h"
#include "strata/lower/analysis/Resolutions.h"
#include "strata/run/Output.h"
#include "strata/run/WorkOfRounds.h"
#include "strata/runtime/storage/Halo.h"
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

// Tells whether the statement makes what the operation does: it is that, or hands its result over
// in one of the operation's two ways.
static bool makesAll(ta::ComputeOp statement, Operation *maker) {
  return statement == maker ||
         (maker && statement->getParentOp() == maker &&
          statement->getBlock()->getTerminator()->getOperand(0) == statement.getResult());
}

// The call that computes a statement; nothing of a copy, which is a conversion, and of two calls.
std::optional<Executor::RepeatedStep>
Executor::repeatedCall(ta::ComputeOp op, const llvm::DenseMap<Value, unsigned> &numbers,
                       Phase phase) const {
  auto known = prepared.find(op);
  if (known == prepared.end())
    return std::nullopt;
  auto kernel = known->second.kernels.find(phase);
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
  step.sizes = sizesOf(op.getResult());
  step.work = std::isfinite(known->second.work) ? known->second.work : 0;
  return step;
}

// Lists what was run of a block, with one of two ways before their branch: the first one, or the
// second where what operands hold decides, if it alone was run. Returns whether no other was.
static bool listRun(Block &block, llvm::function_ref<bool(ta::ComputeOp)> wasRun,
                    SmallVectorImpl<Operation *> &list) {
  auto isRun = [&](Region &way) {
    return way
        .walk([&](ta::ComputeOp statement) {
          return wasRun(statement) ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  };
  for (Operation &op : block) {
    if (auto branch = dyn_cast<ta::IfOp>(op); branch && choosesWay(branch)) {
      const bool second = isRun(branch.getOtherwise());
      if (second && (!branch->hasAttr(heldZerosAttribute) || isRun(branch.getBody())))
        return false;
      Region &way = second ? branch.getOtherwise() : branch.getBody();
      if (!listRun(way.front(), wasRun, list))
        return false;
    }
    list.push_back(&op);
  }
  return true;
}

std::optional<std::vector<Executor::RepeatedStep>>
Executor::repeatable(func::FuncOp main, std::vector<unsigned> &returned, Phase last) const {
  ValueRange results = main.getBody().front().getTerminator()->getOperands();
  std::vector<RepeatedStep> repeated;
  llvm::DenseMap<Value, unsigned> numbers;
  for (BlockArgument argument : main.getArguments())
    numbers[argument] = argument.getArgNumber();
  auto wasRun = [&](ta::ComputeOp statement) { return prepared.contains(statement); };
  SmallVector<Operation *> list;
  if (!listRun(main.getBody().front(), wasRun, list))
    return std::nullopt;
  for (Operation *one : list) {
    Operation &op = *one;
    if (isa<ta::DimOp, ta::SameSizeOp, ta::FitOp, ta::ReleaseOp, arith::ConstantOp, func::ReturnOp,
            ta::NextOp>(op))
      continue;
    if (auto branch = dyn_cast<ta::IfOp>(op); branch && choosesWay(branch)) {
      auto made = numbers.end();
      for (Region &way : branch->getRegions())
        if (made == numbers.end())
          made = numbers.find(way.front().getTerminator()->getOperand(0));
      if (made == numbers.end())
        return std::nullopt;
      numbers[op.getResult(0)] = unsigned(made->second);
      continue;
    }
    if (auto lookUp = dyn_cast<ta::OneHotOp>(op)) {
      auto from = numbers.find(lookUp.getTensor());
      if (from == numbers.end())
        return std::nullopt;
      repeated.push_back({.lookUp = lookUp, .kernel = {}, .operands = {from->second}});
      repeated.back().sizes = sizesOf(lookUp.getResult());
    } else if (auto statement = dyn_cast<ta::ComputeOp>(op)) {
      const bool isLast = llvm::any_of(
          results, [&](Value result) { return makesAll(statement, result.getDefiningOp()); });
      Phase phase = isLast ? last : Phase::All;
      std::optional<RepeatedStep> call = repeatedCall(statement, numbers, phase);
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
  for (Value result : results) {
    auto number = numbers.find(result);
    if (number == numbers.end() || number->second < main.getNumArguments() ||
        repeated[number->second - main.getNumArguments()].lookUp)
      return std::nullopt;
    returned.push_back(number->second - main.getNumArguments());
  }
  return repeated;
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
Result<TensorValue> Executor::resultInPattern(const host::Compute &compute) {
  badSizes = apart.pattern.sizes() != state().sizesOf(compute.sizes);
  if (badSizes)
    return Error{Error::Extent, "the pattern has other sizes than the result"};
  Result<TensorValue> result = apart.inPlace ? apart.pattern : inPatternOf(apart.pattern);
  if (result) // the statement may know more of its sizes than the pattern's type
    result->type = result->type.clone(asked(compute.type).getShape());
  return result;
}

// The storage that a statement's kernel writes: new, or the one of the value that it updates.
Result<TensorValue> Executor::resultFor(ta::ComputeOp op, const host::Compute &compute,
                                        host::State &state) {
  if (makesAll(op, apart.statement) && apart.phase == Phase::Compute)
    return resultInPattern(compute);
  if (compute.init >= 0) {
    host::Tensor &before = state.tensor(compute.init);
    if (compute.inPlace && before.storage.use_count() == 1 && options.repeat == 1)
      return TensorValue{open->types.type(before.type), std::move(before.storage), nullptr};
    Result<Storage> copy = host::cloned(*before.storage, state.allocatorOf(compute.to));
    if (!copy)
      return copy.takeStatus();
    return TensorValue{open->types.type(before.type), std::make_shared<Storage>(std::move(*copy)),
                       nullptr};
  }
  std::vector<int64_t> sizes = state.sizesOf(compute.sizes);
  RankedTensorType type = withDecidedWidths(asked(compute.type), sizes, std::nullopt);
  if (Status fits = checkWidths(type, sizes, std::nullopt); !fits.ok())
    return fits;
  strata_type element = *runtimeType(type.getElementType());
  Status places = checkPlaces(ta::formatOf(type), sizes, 1, strata_type_bytes(element));
  if (!places.ok())
    return places;
  return TensorValue{
      type, std::make_shared<Storage>(sizes, bufferTypes(type), state.allocatorOf(compute.to)),
      nullptr};
}

// A copy is a conversion: it goes the same way, and is refused for the same reasons.
Result<host::Tensor> Executor::copy(ta::ComputeOp op, const host::Compute &compute,
                                    const TensorValue &from) {
  StepReport &step = steps.of(op, [&] { return ta::statementText(op); });
  RankedTensorType type = asked(compute.type);
  if (failed(allowConversion(op, from, type, step)))
    return told();
  Result<TensorValue> result = Error::alreadyShown();
  double fastest = std::numeric_limits<double>::infinity();
  for (int round = 0; round < options.repeat; ++round) {
    PackTimes times;
    result = strata::convert(compiler, from, type, &times, options.force);
    if (!result)
      return result.takeStatus();
    step.compile += times.compile;
    step.compileParts += times.parts;
    step.runs.push_back(times.total() - times.compile);
    fastest = std::min(fastest, step.runs.back());
  }
  step.run += fastest;
  return tensorOf(std::move(*result));
}

// In which calls a statement is computed.
FailureOr<SmallVector<Phase>> Executor::phasesOf(const Statement &statement,
                                                 StepReport &step) const {
  ta::ComputeOp op = statement.op;
  bool isApart = makesAll(op, apart.statement);
  if (!isApart && (!options.phases || op.getInit()))
    return SmallVector<Phase>{Phase::All};
  std::string fault = phaseFault(statement.result.format());
  if (isApart && !fault.empty())
    return op.emitError() << "pattern and values cannot be made apart: of the format "
                          << ta::formatName(statement.result.type) << ", " << fault;
  if (isApart)
    return SmallVector<Phase>{apart.phase};
  if (fault.empty())
    return SmallVector<Phase>{Phase::Assemble, Phase::Compute};
  step.notes.push_back("computed in one call: " + fault);
  return SmallVector<Phase>{Phase::All};
}

//===------------------------------------------------------------------------------------------===//
// Kernels
//===------------------------------------------------------------------------------------------===//

// A statement's kernels are known for the types that its operands have; others are forgotten.
Executor::Prepared &Executor::prepare(const Statement &statement, KernelFacts facts) {
  std::vector<RankedTensorType> types;
  for (Value input : statement.inputs())
    types.push_back(statement.operand(input).type);
  types.push_back(statement.result.type);
  Prepared &known = prepared[statement.op];
  if (known.types != types || known.facts != facts)
    known = {.types = std::move(types), .facts = facts};
  return known;
}

// A statement's kernel in ta.
OwningOpRef<ModuleOp> Executor::outline(const Statement &statement, Prepared &known) {
  OwningOpRef<ModuleOp> module = outlineKernel(
      statement.op, "kernel", [&](Value operand) { return statement.operand(operand).type; },
      [&](Value operand) { return ta::operandName(statement.op, operand); }, known.types.back(),
      known.arguments);
  func::FuncOp kernel = *module->getOps<func::FuncOp>().begin();
  known.facts.tell(kernel);
  return module;
}

// How long a kernel should take that was just called.
std::optional<cost::Prediction> Executor::predict(const Statement &statement, Prepared &known) {
  OwningOpRef<ModuleOp> module = outline(statement, known);
  ta::ComputeOp op = statement.op;
  std::vector<cost::TensorStatistics> statistics = {
      statisticsOf(statement.result, ta::nameOf(op.getResult()))};
  for (Value operand : known.arguments.tensors) {
    bool updated = operand == op.getInit() && !readsWhatItUpdates(op);
    statistics.push_back(statisticsOf(updated ? statement.result : statement.operand(operand),
                                      ta::operandName(op, operand)));
  }
  return predictKernel(*module, statistics, numbersOf(known.arguments.extents), *options.machine,
                       options.threads);
}

// A kernel is made once, also in a loop, unless the types of the operands change, or it has far
// more to do than when it was compiled, perhaps without being optimized. (The compiler knows
// whether that is another kernel.)
Result<CompiledKernel> Executor::kernelFor(const Statement &statement, Phase phase, double work,
                                           Prepared &known, StepReport &step) {
  known.work = work;
  if (work > 2 * known.mostWork) {
    known.kernels.clear();
    known.mostWork = work;
  }
  if (auto made = known.kernels.find(phase); made != known.kernels.end())
    return made->second;
  OwningOpRef<ModuleOp> module = outline(statement, known);
  func::FuncOp kernel = *module->getOps<func::FuncOp>().begin();
  if (options.explain && phase != Phase::Compute) {
    KernelLoops loops = explainLoopsOf(*module);
    step.loops = std::move(loops.text);
    step.schedule = std::move(loops.schedule);
  }
  if (!options.optimize)
    kernel.walk([&](ta::ComputeOp own) {
      auto extentOf = [&](Value extent) { return indexOf(extent); };
      double operations = 0;
      for (const ContractionShape &shape : contractionShapes(statement.op, extentOf))
        operations += shape.operations();
      forbidIdleBlocks(statement.op, own, operations, [&](Value scalar) { return value(scalar); });
    });
  setPhase(kernel, phase);
  Stopwatch watch;
  options.activity->begin(statement.op, "compiling the kernel for");
  Result<CompiledKernel> compiled = compiler.compile(std::move(module), work, known.facts.rowSize);
  options.activity->begin(statement.op, "computing");
  if (!compiled)
    return compiled;
  step.compile += watch.lap();
  step.compileParts += compiled->times;
  known.kernels[phase] = *compiled;
  return compiled;
}

// Counts the functions in a statement that are calls, not instructions.
static int64_t calledFunctions(ta::ComputeOp op) {
  int64_t count = 0;
  op.getBody().walk([&](Operation *inner) {
    count += isa<math::MathDialect>(inner->getDialect()) &&
             !isa<math::AbsFOp, math::AbsIOp, math::FloorOp, math::CeilOp, math::SqrtOp,
                  math::CopySignOp, math::FmaOp>(inner);
  });
  return count;
}

// About how many values a statement's kernel will visit, or could in the time that its functions
// take. In a loop nobody knows.
double Executor::workOf(const Statement &statement, double flops) const {
  ta::ComputeOp op = statement.op;
  if (options.optimize || op->getParentOfType<ta::ForOp>() || op->getParentOfType<ta::LoopOp>())
    return std::numeric_limits<double>::infinity();
  double work = flops, places = statement.result.format().isFull() ? 1 : 0;
  for (int64_t size : statement.result.sizes())
    places *= double(size);
  work += places;
  for (Value input : op.getInputs())
    work += double(statement.operand(input).storedCount());
  constexpr double valuesOfFunction = 16; // called for one element at a time
  work *= 1 + valuesOfFunction * double(calledFunctions(op));
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
  IndexStatement statement(op);
  auto plan = planOf(statement);
  if (!plan || plan->sweeps.empty())
    return "";
  return llvm::formatv(
             "{0}: about {1} iterations for {2} stored entries", describeSweeps(statement, *plan),
             countInWords(estimate.iterations(statement, *plan)), countInWords(estimate.stored(op)))
      .str();
}

// Calls the kernels of a statement's phases: the last of them as often as is asked for.
Status Executor::callKernels(Statement &statement, Prepared &ready, ArrayRef<Phase> phases,
                             ArrayRef<CompiledKernel> kernels, StepReport &step) {
  ta::ComputeOp op = statement.op;
  Storage &result = *statement.result.storage;
  SmallVector<Storage *> operands;
  for (Value operand : ready.arguments.tensors) {
    bool updated = operand == op.getInit() && !readsWhatItUpdates(op); // else resultFor() copied it
    operands.push_back(updated ? &result : statement.operand(operand).storage.get());
  }
  std::vector<int64_t> extents = numbersOf(ready.arguments.extents);
  int repeat = op.getInit() ? 1 : options.repeat;
  Stopwatch watch;
  auto call = [&](const CompiledKernel &kernel, Phase phase) {
    int64_t scratch = 0;
    watch.lap();
    // The result of the round before is given back first, so that the kernel can use its memory.
    if (!op.getInit() && phase != Phase::Compute)
      result.clear();
    Status status = compiler.run(kernel, result, operands, extents, &scratch);
    step.scratchBytes = std::max(step.scratchBytes, scratch);
    return status;
  };
  if (phases.size() > 1) {
    if (Status status = call(kernels.front(), phases.front()); !status.ok())
      return status;
    step.pack += watch.lap();
  }
  double fastest = std::numeric_limits<double>::infinity();
  for (int round = 0; round < repeat; ++round) {
    if (Status status = call(kernels.back(), phases.back()); !status.ok())
      return status;
    step.runs.push_back(watch.lap());
    fastest = std::min(fastest, step.runs.back());
  }
  step.run += fastest;
  llvm::SmallPtrSet<Storage *, 8> touched(operands.begin(), operands.end());
  touched.insert(&result);
  for (Storage *storage : touched)
    step.traffic += double(storage->bytes());
  return Status();
}

//===------------------------------------------------------------------------------------------===//
// Statements
//===------------------------------------------------------------------------------------------===//

Result<host::Tensor> Executor::compute(const host::Compute &compute, host::State &state) {
  auto op = cast<ta::ComputeOp>(current);
  if (Value from = copiedBy(op)) {
    const std::vector<int64_t> &whole = sizesOf(from);
    if (whole == numbersOf(op.getExtents()) && whole == state.sizesOf(compute.sizes))
      return copy(op, compute, valueOf(from));
  }
  auto isSum = [](Type type) { return bool(ta::sumOf(cast<RankedTensorType>(type))); };
  if (llvm::any_of(op.getInputs().getTypes(), isSum) || isSum(op.getResult().getType()))
    return Error{Error::Unsupported,
                 "reads or makes a tensor in a hybrid format, whose accesses were not expanded"};
  Result<TensorValue> result = resultFor(op, compute, state);
  if (!result)
    return result.takeStatus();
  Statement statement;
  statement.op = op;
  statement.result = std::move(*result);
  if (Value init = op.getInit())
    statement.operands[init] = {statement.result.type, nullptr};
  for (Value input : op.getInputs())
    statement.operands[input] = valueOf(input);
  return computeStatement(statement);
}

// Refuses what would leave its tensors, or is not what a schedule says.
LogicalResult Executor::checkStatement(Statement &statement, bool &windowed) {
  ta::ComputeOp op = statement.op;
  auto extentOf = [&](Value extent) { return indexOf(extent); };
  Result<BoundsReport> bounds = checkBounds(
      op, [&](Value operand) { return sizesOf(operand); }, statement.result.sizes(), extentOf);
  badSizes = !bounds;
  if (!bounds)
    return strata::fail(op, bounds.error());
  windowed = bounds->windowed;
  return checkAssumed(op, extentOf);
}

// Tells why the statement is there, and what became of its neighbours.
void Executor::note(ta::ComputeOp op, StepReport &step) {
  step.notes.clear();
  if (std::optional<StringRef> reason = op.getReason())
    step.notes.push_back(step.what + " comes first: " + reason->str());
  auto branch = dyn_cast<ta::IfOp>(op->getParentOp());
  bool first = branch && branch.getBody().isAncestor(op->getParentRegion());
  if (branch && branch->hasAttr(fewTermsAttribute))
    step.notes.push_back(llvm::formatv("{0}: the sums have at most {1} terms: {2}", step.what,
                                       countInWords(bothWays(branch).terms),
                                       first ? "these are sorted, operands are not converted"
                                             : "operands are converted, terms are not sorted"));
  if (branch && branch->hasAttr(fewStepsAttribute))
    step.notes.push_back(llvm::formatv(
        "{0}: without conversions, loops take about {1} steps: operands are {2}converted",
        step.what, countInWords(bothWays(branch).steps), first ? "not " : ""));
  if (branch && branch->hasAttr(fewReadsAttribute))
    step.notes.push_back(llvm::formatv(
        "{0}: loops take about {1} steps: dense operands are {2}turned to be read along their rows",
        step.what, countInWords(bothWays(branch).steps), first ? "not " : ""));
  if (branch && branch->hasAttr(fewUsesAttribute))
    step.notes.push_back(
        llvm::formatv("{0}: loops take about {1} steps: factors are {2}computed first", step.what,
                      countInWords(bothWays(branch).steps), first ? "not " : ""));
  if (branch && branch->hasAttr(fewEntriesAttribute) && !op.getReason())
    step.notes.push_back(llvm::formatv(
        "{0}: without dense temporaries, loops take about {1} steps: these are {2}made", step.what,
        countInWords(bothWays(branch).steps), first ? "not " : ""));
  if (std::optional<ArrayAttr> fused = op.getFused())
    for (auto one : fused->getAsRange<StringAttr>())
      step.notes.push_back("fused with " + one.str());
}

Result<host::Tensor> Executor::computeStatement(Statement &statement) {
  ta::ComputeOp op = statement.op;
  TensorValue &result = statement.result;
  bool windowed = false;
  if (failed(checkStatement(statement, windowed)))
    return told();
  StepReport &step = steps.of(op, [&] { return ta::statementText(op); });
  note(op, step);
  auto tensorOf = [&](Value operand) -> const TensorValue & { return statement.operand(operand); };
  auto extentOf = [&](Value extent) { return indexOf(extent); };
  auto storedOf = [&](Value operand) { return occupancyOf(statement.operand(operand)); };
  WorkEstimate estimate(storedOf, extentOf);
  double flops = estimate.operations(op);
  step.flops += flops;
  if (step.rounds == 0)
    step.steps = estimate.steps(op);
  KernelFacts facts = factsOf(op, windowed, result.sizes(), storedOf, extentOf);
  MemoryNeed need = estimateMemory(op, result.type, result.sizes(), facts.policy == Policy::Table,
                                   tensorOf, extentOf);
  if (facts.policy == Policy::Parts)
    need.workspace += bytesOfParts(op, result.sizes());
  if (std::string reason = reasonFor(facts.policy, op); !reason.empty())
    step.notes.push_back(step.what + ": " + reason);
  if (const Storage *made = result.storage.get(); made && made->values().capacity == 0)
    if (const runtime::HaloMaker *maker = runtime::HaloMaker::of(made->allocator()))
      need.result +=
          double(runtime::HaloMaker::bytesAround(made->allocator(), maker->blockBytes()));
  if (failed(allowMemory(op, need, step)))
    return told();
  FailureOr<SmallVector<Phase>> phases = phasesOf(statement, step);
  if (failed(phases))
    return told();
  Prepared &ready = prepare(statement, facts);
  SmallVector<CompiledKernel> kernels;
  for (Phase phase : *phases) {
    Result<CompiledKernel> kernel =
        kernelFor(statement, phase, workOf(statement, flops), ready, step);
    if (!kernel)
      return kernel.takeStatus();
    kernels.push_back(*kernel);
  }
  if (!ready.sweeps) {
    ready.sweeps = sweepsOf(op, estimate);
    if (!ready.sweeps->empty())
      op.emitRemark() << *ready.sweeps;
  }
  if (!ready.sweeps->empty())
    step.notes.push_back(step.what + ": " + *ready.sweeps);
  if (Status called = callKernels(statement, ready, *phases, kernels, step); !called.ok())
    return called;
  ++step.rounds;
  if (options.machine && step.rounds == 1)
    step.predicted = predict(statement, ready);
  countContractions(op, extentOf, step);
  return this->tensorOf(std::move(result));
}

} // namespace strata
