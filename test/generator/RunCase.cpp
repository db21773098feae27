// Operands come as arguments of the program, packed here; the rest is the executor's work.
#include "RunCase.h"

#include "AnyOrder.h"
#include "Dialects.h"
#include "ExplainedRun.h"
#include "FileTrip.h"
#include "Threads.h"

#include "strata/conversion/Unpacking.h"
#include "strata/dialect/ta/ParameterOp.h"
#include "strata/estimate/Parts.h"
#include "strata/host/CompiledKernels.h"
#include "strata/host/Interpreter.h"
#include "strata/lower/Pipeline.h"
#include "strata/reference/Compare.h"
#include "strata/run/Executor.h"
#include "strata/runtime/assembly.h"
#include "strata/translate/CompiledProgram.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <cmath>

using namespace mlir;

namespace strata::test {

CaseRunner::CaseRunner()
    : context(allDialects(), MLIRContext::Threading::DISABLED), compiler(&context) {
  context.loadAllAvailableDialects();
  strata_cut_loops_from(8); // the tensors are small
  divideSumsFrom(8);
  strata_sample_nothing(1);
}

// Collects what is reported while a case runs.
struct CaseRunner::Diagnostics {
  Diagnostics(MLIRContext *context, bool scheduled)
      : scheduled(scheduled), handler(context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
            text += (text.empty() ? "" : "; ") + diagnostic.str();
        }) {}

  Outcome outcome(const std::string &where) const { return outcome(where, text); }

  /// A refusal names what cannot be done; any other error is a defect.
  Outcome outcome(const std::string &where, const std::string &text) const {
    static const char *const refusals[] = {
        "cannot compute this statement", "cannot be merged over",
        "cannot be walked", // in the order of the loops, or as one
        "; 12 are possible"};
    // What the compiler chooses by itself is never refused for these.
    static const char *const ofSchedules[] = {
        "' is not possible: ",
        "' are not possible: ",
        "and nothing distributes it",
        "there is no scheduling command",
        "stores few values of a label that is split",
        "cannot run in threads",
        "cannot be located in joined loops",
        "' is wrong: '", // of sizes that are assumed
        "there is nothing to gallop",
        "cannot be looked up",       // nothing else is walked, or not in order
        "cannot be searched over '", // an operand
        "cannot be cut by entries",  // of an operand
        "takes the entries of '",
        "but it must run in blocks of",
        "takes the entries is not read inside the loop",
        "would cut what the result stores together",
        "cannot have sums of their own",
        "cannot be combined with the result atomically",
        "in no order, in which the result cannot be appended",
        "cannot be taken by vectors, as the schedule says"};
    auto isSaid = [&](const char *refusal) { return text.find(refusal) != std::string::npos; };
    if (llvm::any_of(refusals, isSaid) || (scheduled && llvm::any_of(ofSchedules, isSaid)))
      return {Outcome::Kind::refused, text};
    return {Outcome::Kind::broken, where + ": " + text};
  }

  bool scheduled;
  std::string text;
  ScopedDiagnosticHandler handler;
};

static Outcome broken(const std::string &where, const runtime::Error &error) {
  return {Outcome::Kind::broken, where + ": " + error.text()};
}

//===------------------------------------------------------------------------------------------===//
// What must come out
//===------------------------------------------------------------------------------------------===//

// 1 wherever the operand points, also where it stores nothing and is 0.
static TensorData selectorOf(const Operand &operand) {
  TensorData result{operand.data.sizes, STRATA_I8, {}};
  result.sizes.push_back(operand.length);
  std::map<Coordinate, std::complex<double>> content = contentOf(operand.data, false);
  Coordinate at(operand.data.sizes.size());
  int64_t places = 1;
  for (int64_t size : operand.data.sizes)
    places *= size;
  for (int64_t place = 0; place < places; ++place) {
    int64_t rest = place;
    for (size_t d = at.size(); d-- > 0; rest /= operand.data.sizes[d])
      at[d] = rest % operand.data.sizes[d];
    auto found = content.find(at);
    Coordinate entry = at;
    entry.push_back(found == content.end() ? 0 : static_cast<int64_t>(found->second.real()));
    result.entries.push_back({std::move(entry), 1});
  }
  return result;
}

// The values of a label, from 0 on.
static TensorData countsOf(ta::IotaOp iota) {
  APInt size;
  matchPattern(iota.getSize(), m_ConstantInt(&size));
  TensorData result{{size.getSExtValue()}, STRATA_I64, {}};
  for (int64_t at = 0; at < size.getSExtValue(); ++at)
    result.entries.push_back({{at}, double(at)});
  return result;
}

static runtime::Result<reference::Expected> expectedOf(const Case &c, func::FuncOp main) {
  ta::ComputeOp statement;
  main.walk([&](ta::ComputeOp op) { statement = op; });
  auto tensorOf = [&](Value value) {
    if (auto iota = value.getDefiningOp<ta::IotaOp>())
      return reference::Tensor::fromCoordinates(toCoordinates(countsOf(iota)));
    auto selector = value.getDefiningOp<ta::OneHotOp>();
    auto argument = cast<BlockArgument>(selector ? selector.getTensor() : value);
    const Operand &operand = c.tensors[argument.getArgNumber()];
    TensorData data = selector ? selectorOf(operand) : operand.data;
    return reference::Tensor::fromCoordinates(toCoordinates(data));
  };
  std::vector<reference::Tensor> inputs;
  for (Value input : statement.getInputs()) {
    runtime::Result<reference::Tensor> tensor = tensorOf(input);
    if (!tensor)
      return tensor.takeStatus();
    inputs.push_back(std::move(*tensor));
  }
  if (!statement.getInit())
    return reference::evaluate(statement, inputs);
  runtime::Result<reference::Tensor> init = tensorOf(statement.getInit());
  if (!init)
    return init.takeStatus();
  return reference::evaluate(statement, inputs, &*init);
}

// What the formats let one ask of the stored coordinates. Operands that are padded bring zeros that
// the reference does not know of, or lose some when they are converted, as full ones do that are
// merely copied.
static reference::Pattern patternOf(const Case &c, func::FuncOp main) {
  auto result = cast<RankedTensorType>(main.getResultTypes()[0]);
  if (ta::formatOf(result).isFull())
    return reference::Pattern::ignored;
  bool told = keepsZeros(result), copies = c.value.kind == Expression::Kind::access;
  for (auto [argument, operand] : llvm::zip(main.getArgumentTypes(), c.tensors)) {
    auto type = cast<RankedTensorType>(argument);
    if (!operand.points)
      told &= ta::formatOf(type).isFull() ? !copies : keepsZeros(type);
  }
  return told ? reference::Pattern::exact : reference::Pattern::ignored;
}

//===------------------------------------------------------------------------------------------===//
// What comes out
//===------------------------------------------------------------------------------------------===//

static bool anyCommand(const Case &c, StringRef text) {
  return c.schedule && llvm::any_of(*c.schedule, [&](const std::string &command) {
           return StringRef(command).contains(text);
         });
}

// Then the bits of sums depend on the threads.
static bool addsAtomically(const Case &c) { return anyCommand(c, "Atomics"); }

// Tells whether the schedule stores tensors in formats that may store more.
static bool storesTensors(const Case &c) {
  return anyCommand(c, "convert(") || anyCommand(c, "materialize(");
}

// A program is worth what its statements are as one; what a tensor in between does not store, or
// stores as a zero, shows in the pattern only.
Outcome CaseRunner::execute(const Case &c, func::FuncOp main, Diagnostics &diagnostics,
                            const Ways &ways) {
  OwningOpRef<ModuleOp> single;
  func::FuncOp meaning = main;
  if (isProgram(c) || !c.cells.empty()) {
    single = parseSourceString<ModuleOp>(moduleText(withoutCells(asOneStatement(c))), &context);
    if (!single)
      return {Outcome::Kind::broken, "does not parse: " + diagnostics.text};
    meaning = single->lookupSymbol<func::FuncOp>("main");
  }
  runtime::Result<reference::Expected> expected = expectedOf(c, meaning);
  if (!expected)
    return {Outcome::Kind::unfit, expected.error().text()};
  bool stored = isProgram(c) || storesTensors(c) || !c.cells.empty();
  reference::Pattern pattern = stored ? reference::Pattern::ignored : patternOf(c, main);
  PassManager passes(&context);
  addProgramPasses(passes);
  if (failed(passes.run(main->getParentOfType<ModuleOp>())))
    return diagnostics.outcome("program passes");
  std::optional<TensorValue> result;
  if (Outcome outcome = compute(c, main, diagnostics, result); !result)
    return outcome;
  runtime::Result<runtime::Coordinates> actual = unpack(compiler, *result);
  if (!actual)
    return broken("unpack", actual.error());
  auto difference = [&](const runtime::Coordinates &entries) -> Outcome {
    runtime::Result<reference::Comparison> comparison =
        reference::compare(*expected, entries, {.pattern = pattern});
    if (!comparison)
      return broken("compare", comparison.error());
    return comparison->equal() ? Outcome() : Outcome{Outcome::Kind::wrong, comparison->text()};
  };
  if (Outcome outcome = difference(*actual); outcome.kind != Outcome::Kind::agrees)
    return outcome;
  // A compiled program has no phases, in which threads may take loops that they may not in one
  // call.
  if (ways.ahead && !c.phases) {
    runtime::Result<runtime::Coordinates> entries = computeAhead(c, main, diagnostics);
    if (!entries)
      return diagnostics.outcome("compiled ahead", entries.error().text());
    if (Outcome outcome = difference(*entries); outcome.kind != Outcome::Kind::agrees)
      return {outcome.kind, "compiled ahead: " + outcome.text};
  }
  if (ways.explained && c.cells.empty())
    if (Outcome outcome = compareWithExplanation(c, main, diagnostics);
        outcome.kind != Outcome::Kind::agrees)
      return outcome;
  for (int threads : {1, 2, 5}) {
    std::optional<TensorValue> again;
    Outcome outcome;
    withThreads(threads, [&] { outcome = compute(c, main, diagnostics, again); });
    if (!again)
      return outcome;
    if (addsAtomically(c)) {
      runtime::Result<runtime::Coordinates> entries = unpack(compiler, *again);
      if (!entries)
        return broken("unpack", entries.error());
      if (outcome = difference(*entries); outcome.kind != Outcome::Kind::agrees)
        return outcome;
    } else if (!identical(*result, *again)) {
      return {Outcome::Kind::wrong, "other bits in " + std::to_string(threads) + " threads"};
    }
  }
  if (c.file.empty())
    return {};
  std::string lost = differenceInFile(compiler, *result, *actual, c.file);
  return lost.empty() ? Outcome() : Outcome{Outcome::Kind::wrong, c.file + ": " + lost};
}

// The tensors of a case as its formats store them.
Outcome CaseRunner::packOperands(const Case &c, func::FuncOp main,
                                 std::vector<TensorValue> &operands) {
  for (auto [argument, operand] : llvm::zip(main.getArguments(), c.tensors)) {
    auto type = cast<RankedTensorType>(argument.getType());
    Attribute fill = operand.fill ? ta::fillOf(type) : TypedAttr();
    runtime::Result<TensorValue> packed =
        pack(compiler, toCoordinates(operand.data), type, nullptr, false, fill);
    if (!packed && packed.error().text().find("as much as a list of them") != std::string::npos)
      return {Outcome::Kind::refused, "an operand's format would take far more than its entries"};
    if (!packed)
      return broken("pack " + operand.name, packed.error());
    if (runtime::Status fine = disarrange(*packed); !fine.ok())
      return broken("disarrange " + operand.name, fine.error());
    operands.push_back(std::move(*packed));
  }
  return {};
}

// What is explained of the statements is what runs.
Outcome CaseRunner::compareWithExplanation(const Case &c, func::FuncOp main,
                                           Diagnostics &diagnostics) {
  std::vector<TensorValue> operands;
  if (Outcome outcome = packOperands(c, main, operands); outcome.kind != Outcome::Kind::agrees)
    return outcome;
  std::optional<Explanation> explanation =
      explanationOf(main->getParentOfType<ModuleOp>(), {.given = {.arguments = operands}});
  if (!explanation)
    return diagnostics.outcome("explain");
  Executor executor(compiler, {.explain = true}, llvm::nulls());
  for (auto [argument, operand] : llvm::zip(main.getArguments(), operands))
    executor.define(argument, std::move(operand));
  if (failed(executor.run(main)))
    return diagnostics.outcome("run");
  std::string difference = differenceFromRun(*explanation, executor.report());
  return difference.empty() ? Outcome() : Outcome{Outcome::Kind::broken, difference};
}

// The result, or why there is none.
Outcome CaseRunner::compute(const Case &c, func::FuncOp main, Diagnostics &diagnostics,
                            std::optional<TensorValue> &computed, runtime::dist::Job *job) {
  // Values are computed twice: the second time into what the first one left.
  RunOptions options{.phases = c.phases, .repeat = c.phases ? 2 : 1, .job = job};
  Executor executor(compiler, options, llvm::nulls());
  std::vector<TensorValue> operands;
  if (Outcome outcome = packOperands(c, main, operands); outcome.kind != Outcome::Kind::agrees)
    return outcome;
  for (auto [argument, operand] : llvm::zip(main.getArguments(), operands))
    executor.define(argument, std::move(operand));
  if (failed(executor.run(main)))
    return diagnostics.outcome("run");
  Value result = main.getBody().front().getTerminator()->getOperand(0);
  computed = *executor.value(result);
  return {};
}

// The value of a scalar as -D gives it; nothing where that is no number, or a complex one.
static std::optional<std::string> parameterText(const Operand &operand, RankedTensorType type) {
  if (type.getRank() > 0 || type.getEncoding() || operand.fill || isComplex(operand.data.type))
    return std::nullopt;
  std::map<Coordinate, std::complex<double>> content = contentOf(operand.data, false);
  double value = content.empty() ? 0 : content.begin()->second.real();
  if (!std::isfinite(value))
    return std::nullopt;
  if (isInteger(operand.data.type))
    return std::to_string(operand.data.type == STRATA_BOOL ? value != 0 : int64_t(value));
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.17g", value);
  return text;
}

// Makes scalars that the program takes its parameters. Gives their values, and the operands that
// are still arguments.
static std::map<std::string, std::string> leaveOpen(const Case &c, func::FuncOp main,
                                                    std::vector<const Operand *> &arguments) {
  std::map<std::string, std::string> parameters;
  OpBuilder b = OpBuilder::atBlockBegin(&main.getBody().front());
  for (const Operand &operand : c.tensors) {
    BlockArgument argument = main.getArgument(unsigned(arguments.size()));
    std::optional<std::string> text =
        parameterText(operand, cast<RankedTensorType>(argument.getType()));
    if (!text) {
      arguments.push_back(&operand);
      continue;
    }
    auto open = ta::ParameterOp::create(b, main.getLoc(), argument.getType(), operand.name);
    argument.replaceAllUsesWith(open.getResult());
    (void)main.eraseArgument(argument.getArgNumber());
    parameters[operand.name] = *text;
  }
  return parameters;
}

// The result of the program as data, which is encoded and decoded, and kernels that are compiled
// one by one.
runtime::Result<runtime::Coordinates> CaseRunner::computeAhead(const Case &c, func::FuncOp run,
                                                               const Diagnostics &diagnostics) {
  OwningOpRef<ModuleOp> copy = run->getParentOfType<ModuleOp>().clone();
  auto main = copy->lookupSymbol<func::FuncOp>(run.getName());
  std::vector<const Operand *> given;
  std::map<std::string, std::string> parameters = leaveOpen(c, main, given);
  std::optional<CompiledProgram> compiled = compileProgram(main, "main", 64);
  if (!compiled)
    return runtime::Error{runtime::Error::NoCode, diagnostics.text};
  std::vector<CompiledKernel> kept;
  std::vector<strata_kernel> kernels;
  for (const std::string &name : compiled->names) {
    OpBuilder b(&context);
    OwningOpRef<ModuleOp> module = ModuleOp::create(b, main.getLoc());
    b.setInsertionPointToEnd(module->getBody());
    b.clone(*compiled->kernels->lookupSymbol(name));
    runtime::Result<CompiledKernel> kernel = compiler.compile(std::move(module));
    if (!kernel)
      return runtime::Error{runtime::Error::NoCode,
                            kernel.error().text() + ": " + diagnostics.text};
    kernels.push_back(kernel->code->entry);
    kept.push_back(std::move(*kernel));
  }
  std::optional<host::Program> program = host::decode(host::encode(compiled->program));
  if (!program)
    return runtime::Error{runtime::Error::NoCode,
                          "the bytes of the program are not those of a program"};
  std::vector<host::Interpreter::Given> arguments;
  for (const Operand *operand : given)
    arguments.push_back({toCoordinates(operand->data), !operand->fill});
  host::CompiledKernels provider(*program, kernels.data());
  host::Console console(*program);
  host::Interpreter interpreter(*program, provider, console, {.parameters = parameters});
  if (!interpreter.run(std::move(arguments)))
    return runtime::Error{runtime::Error::NoCode, "the program failed, and said why"};
  runtime::Result<std::vector<runtime::Coordinates>> results = interpreter.results();
  if (!results)
    return results.takeStatus();
  return std::move(results->front());
}

// A schedule that is refused is tried without its last command, and again; one of cells without
// any.
Outcome CaseRunner::run(Case c, const Ways &ways) {
  compiler.alwaysOptimize(ways.optimization);
  compiler.gatherElements(ways.gathers);
  while (true) {
    Diagnostics diagnostics(&context, c.schedule.has_value());
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(moduleText(c), &context);
    if (!module)
      return {Outcome::Kind::broken, "does not parse: " + diagnostics.text};
    Outcome outcome = execute(c, module->lookupSymbol<func::FuncOp>("main"), diagnostics, ways);
    if (outcome.kind != Outcome::Kind::refused || !c.schedule || c.schedule->empty())
      return outcome;
    if (c.cells.empty())
      c.schedule->pop_back();
    else
      c.schedule.reset();
  }
}

//===------------------------------------------------------------------------------------------===//
// By several processes
//===------------------------------------------------------------------------------------------===//

// An error of one process is one of all.
Outcome CaseRunner::computeTogether(const Case &c, func::FuncOp main, Diagnostics &diagnostics,
                                    std::optional<TensorValue> &computed,
                                    runtime::dist::World &world) {
  runtime::dist::Job job(world);
  Outcome outcome = compute(c, main, diagnostics, computed, &job);
  const bool failed = outcome.kind != Outcome::Kind::agrees;
  if (world.isLost() || job.failure())
    return {Outcome::Kind::broken, failed ? outcome.text : job.placeOfFailure() + " it failed"};
  runtime::Status ended = failed ? job.fail(1, outcome.text) : job.end();
  if (failed)
    return outcome;
  return ended.ok() ? Outcome()
                    : Outcome{Outcome::Kind::broken,
                              job.failure() ? job.placeOfFailure() + ": " + job.failure()->text
                                            : ended.error().text()};
}

Outcome CaseRunner::compareTogether(const Case &c, runtime::dist::World &world) {
  Diagnostics diagnostics(&context, c.schedule.has_value());
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(moduleText(c), &context);
  if (!module)
    return {Outcome::Kind::broken, "does not parse: " + diagnostics.text};
  PassManager passes(&context);
  addProgramPasses(passes);
  if (failed(passes.run(*module)))
    return diagnostics.outcome("program passes");
  auto main = module->lookupSymbol<func::FuncOp>("main");
  std::optional<TensorValue> alone, together;
  if (Outcome outcome = compute(c, main, diagnostics, alone); !alone)
    return outcome; // of every process
  if (Outcome outcome = computeTogether(c, main, diagnostics, together, world);
      outcome.kind != Outcome::Kind::agrees)
    return outcome;
  return identical(*alone, *together)
             ? Outcome()
             : Outcome{Outcome::Kind::wrong, "other bits than in one process"};
}

Outcome CaseRunner::runTogether(Case c, runtime::dist::World &world) {
  compiler.alwaysOptimize(Optimization::Quick);
  Outcome outcome = compareTogether(c, world);
  if (outcome.kind != Outcome::Kind::refused || !c.schedule)
    return outcome;
  c.schedule.reset();
  return compareTogether(c, world);
}

} // namespace strata::test
