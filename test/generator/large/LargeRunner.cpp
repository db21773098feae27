// From text to ta as callers of the library do it, then the executor's work.
#include "LargeRunner.h"

#include "LargeFormats.h"
#include "Work.h"
#include "generator/Child.h"
#include "generator/Dialects.h"
#include "generator/Formats.h"

#include "strata/compile/ProgramKernels.h"
#include "strata/conversion/Packing.h"
#include "strata/conversion/Unpacking.h"
#include "strata/frontend/EmitTa.h"
#include "strata/frontend/OneLiner.h"
#include "strata/frontend/Parser.h"
#include "strata/frontend/TaFormats.h"
#include "strata/lower/Pipeline.h"
#include "strata/run/Executor.h"
#include "strata/runtime/Stopwatch.h"
#include "strata/tensor/ElementTypes.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"

#include <csignal>
#include <sys/time.h>
#include <tbb/global_control.h>

using namespace mlir;

namespace strata::test {

LargeRunner::LargeRunner()
    : context(allDialects(), MLIRContext::Threading::DISABLED), compiler(&context) {
  context.loadAllAvailableDialects();
}

LargeRunner::~LargeRunner() = default;

// Collects errors.
struct LargeRunner::Diagnostics {
  explicit Diagnostics(MLIRContext *context)
      : handler(context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
            text += (text.empty() ? "" : "; ") + diagnostic.str();
        }) {}
  std::string text;
  ScopedDiagnosticHandler handler;
};

struct LargeRunner::Compiled {
  OwningOpRef<ModuleOp> module;
  std::unique_ptr<Executor> executor;
};

//===------------------------------------------------------------------------------------------===//
// From text to ta
//===------------------------------------------------------------------------------------------===//

static std::string textOf(const frontend::Diagnostics &diagnostics) {
  std::string text;
  for (const frontend::Diagnostic &diagnostic : diagnostics.all())
    if (diagnostic.severity == frontend::Severity::Error)
      text += (text.empty() ? "" : "; ") + diagnostic.message;
  return text;
}

// Tells whether the name is a word of the statement.
static bool mentions(StringRef text, StringRef name) {
  for (size_t at = text.find(name); at != StringRef::npos; at = text.find(name, at + 1)) {
    bool begins = at == 0 || !llvm::isAlnum(text[at - 1]);
    size_t end = at + name.size();
    if (begins && (end == text.size() || !llvm::isAlnum(text[end])))
      return true;
  }
  return false;
}

OwningOpRef<ModuleOp> LargeRunner::emit(const LargePart &part, const std::string &type,
                                        std::string &wrong) {
  llvm::SourceMgr sources;
  frontend::Diagnostics diagnostics(sources);
  auto add = [&](const std::string &text, const char *name) {
    return sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, name),
                                      llvm::SMLoc());
  };
  auto failed = [&]() -> OwningOpRef<ModuleOp> {
    wrong = textOf(diagnostics);
    return nullptr;
  };
  auto tree = frontend::parseOneLiner(add(part.text, "<statement>"), diagnostics);
  if (!tree || diagnostics.hasErrors())
    return failed();
  if (!part.schedule.empty()) {
    std::optional<frontend::ast::Schedule> schedule =
        frontend::parseSchedule(add(part.schedule, "<schedule>"), diagnostics);
    if (!schedule || diagnostics.hasErrors())
      return failed();
    tree->schedule = std::move(schedule);
  }
  frontend::OneLinerOptions options;
  options.returns = true;
  auto describe = [&](const std::string &name, const std::string &format, StringRef element) {
    frontend::TensorOptions &tensor = options.tensors[name];
    if (!element.empty())
      tensor.type = frontend::findElementType(element);
    if (format != "Dense")
      tensor.format = frontend::parseFormat(add(format, "<format>"), diagnostics);
  };
  describe(part.result, part.format, type);
  for (const auto &[name, value] : values)
    if (name != part.result && mentions(part.text, name)) {
      describe(name, formatText(value.type), elementTypeWord(value.type.getElementType()));
      options.tensors[name].source = frontend::TensorOptions::Source::Caller;
    }
  if (diagnostics.hasErrors())
    return failed();
  frontend::TaFormats formats(&context);
  frontend::OneLinerResult result = frontend::analyze(*tree, options, formats, diagnostics);
  OwningOpRef<ModuleOp> module;
  if (result.program)
    module = frontend::emitTa(*result.program, &context, diagnostics);
  return module ? std::move(module) : failed();
}

static std::string nameOfArgument(BlockArgument argument) {
  auto named = dyn_cast<NameLoc>(argument.getLoc());
  return named ? named.getName().str() : "";
}

//===------------------------------------------------------------------------------------------===//
// Operands, and what must come out
//===------------------------------------------------------------------------------------------===//

static RankedTensorType typeOf(MLIRContext *context, const LargeOperand &operand,
                               std::string &wrong) {
  auto plain =
      RankedTensorType::get(SmallVector<int64_t>(operand.sizes.size(), ShapedType::kDynamic),
                            compilerType(context, operand.type));
  if (operand.format == "Dense")
    return plain;
  llvm::SourceMgr sources;
  frontend::Diagnostics diagnostics(sources);
  unsigned id = sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(operand.format, "<format>"), llvm::SMLoc());
  std::optional<frontend::ast::Format> tree = frontend::parseFormat(id, diagnostics);
  Attribute attribute;
  if (tree)
    attribute = frontend::emitFormat(
        context, *tree, unsigned(operand.sizes.size()),
        *frontend::findElementType(elementTypeWord(plain.getElementType())), wrong);
  else
    wrong = textOf(diagnostics);
  return attribute ? ta::withFormat(plain, attribute) : RankedTensorType();
}

std::string LargeRunner::makeOperands() {
  for (const LargeOperand &operand : c.tensors) {
    std::string wrong;
    RankedTensorType type = typeOf(&context, operand, wrong);
    if (!type)
      return "the format " + operand.format + ": " + wrong;
    runtime::Result<runtime::Coordinates> entries = entriesOf(operand);
    if (!entries)
      return "the entries of " + operand.name + ": " + entries.error().text();
    runtime::Result<TensorValue> packed = pack(compiler, std::move(*entries), type);
    if (!packed)
      return "packing " + operand.name + ": " + packed.error().text();
    values[operand.name] = std::move(*packed);
  }
  return "";
}

// Exact where no format stores more than entries.
static reference::Pattern patternFor(RankedTensorType result,
                                     const std::map<std::string, TensorValue> &operands) {
  bool told = !ta::formatOf(result).isFull() && keepsZeros(result);
  for (const auto &[name, value] : operands)
    told &= value.parts.empty() && (ta::formatOf(value.type).isFull() || keepsZeros(value.type));
  return told ? reference::Pattern::exact : reference::Pattern::ignored;
}

std::string LargeRunner::expect() {
  std::string wrong;
  OwningOpRef<ModuleOp> module = emit(asWhole(c), "", wrong);
  if (!module)
    return wrong;
  func::FuncOp main = mainOf(*module);
  auto type = cast<RankedTensorType>(main.getResultTypes().front());
  resultType = elementTypeWord(type.getElementType()).str();
  bool isSum = bool(ta::sumOf(type));
  pattern = isSum ? reference::Pattern::ignored : patternFor(type, values);
  ta::ComputeOp statement;
  main.walk([&](ta::ComputeOp op) { statement = op; });
  if (!statement)
    return "there is no statement";
  std::vector<reference::Tensor> inputs;
  for (Value input : statement.getInputs()) {
    auto argument = dyn_cast<BlockArgument>(input);
    if (!argument)
      return "an operand is computed first";
    std::string name = nameOfArgument(argument);
    auto operand = llvm::find_if(c.tensors, [&](auto &one) { return one.name == name; });
    runtime::Result<runtime::Coordinates> entries = entriesOf(*operand);
    if (!entries)
      return entries.error().text();
    runtime::Result<reference::Tensor> tensor =
        reference::Tensor::fromCoordinates(std::move(*entries));
    if (!tensor)
      return tensor.error().text();
    inputs.push_back(std::move(*tensor));
  }
  // A sample suffices, and takes less time than the kernels.
  reference::Options options{.maxWork = 2'000'000, .samples = 300};
  runtime::Result<reference::Expected> made =
      reference::evaluate(statement, inputs, nullptr, nullptr, options);
  if (!made)
    return made.error().text();
  expected = std::move(*made);
  return "";
}

std::string LargeRunner::prepare(const LargeCase &drawn) {
  c = drawn;
  values.clear();
  expected.reset();
  Diagnostics diagnostics(&context);
  compiler.alwaysOptimize(Optimization::Quick);
  std::string wrong = makeOperands();
  if (wrong.empty())
    wrong = expect();
  return wrong.empty() ? "" : wrong + (diagnostics.text.empty() ? "" : ": " + diagnostics.text);
}

//===------------------------------------------------------------------------------------------===//
// Runs
//===------------------------------------------------------------------------------------------===//

// Counts what kernels do, and ends the process if that takes too long; compiling is not counted,
// and has a limit of its own.
class LargeRunner::Clock {
public:
  explicit Clock(double most) : most(most) { limit(compiling); }

  void begin() {
    counter.begin(), counter.pause();
    elapsed = 0;
  }
  void resume() {
    limit(std::max(most - counter.seconds(), 0.001));
    if (!std::exchange(runs, true))
      watch.lap();
    counter.resume();
  }
  void pause() {
    counter.pause();
    if (std::exchange(runs, false))
      elapsed += watch.lap();
    limit(compiling);
  }
  int64_t work() const { return counter.work(); }
  double seconds() const { return counter.seconds(); }
  /// Returns the share of the time since begin that was on a processor.
  double shareOfTime() const { return elapsed > 0 ? counter.seconds() / elapsed : 1; }

private:
  static void limit(double seconds) {
    itimerval timer = {};
    timer.it_value.tv_sec = time_t(seconds);
    timer.it_value.tv_usec = suseconds_t((seconds - double(timer.it_value.tv_sec)) * 1e6);
    setitimer(ITIMER_PROF, &timer, nullptr);
  }

  static constexpr double compiling = 120;
  double most;
  WorkCounter counter;
  Stopwatch watch;
  bool runs = false;
  double elapsed = 0; ///< seconds, whoever had the processor
};

std::string LargeRunner::compile(const LargePart &part, Compiled &compiled, bool isLast) {
  // Of 16 bits, parts are kept in more.
  std::string type = isLast ? resultType : "";
  if (!isLast && (resultType == "float16" || resultType == "bfloat16"))
    type = "float";
  std::string wrong;
  compiled.module = emit(part, type, wrong);
  if (!compiled.module)
    return "analysis: " + wrong;
  PassManager passes(&context);
  addProgramPasses(passes);
  if (failed(passes.run(*compiled.module)))
    return "refused";
  RunOptions options;
  options.optimize = true;
  options.maxMemory = mostMemory;
  options.machine = machine;
  compiled.executor = std::make_unique<Executor>(compiler, options, llvm::nulls());
  return "";
}

bool Attempt::lacksMemory() const {
  return kind == Kind::refused &&
         (StringRef(text).contains("--max-memory") || StringRef(text).contains("this machine has"));
}

static unsigned widthFor(const std::map<std::string, TensorValue> &values) {
  for (const auto &[name, value] : values)
    for (int64_t size : value.sizes())
      if (size > INT32_MAX)
        return 64;
  return 32;
}

namespace {

// What the steps of a run have made and taken.
struct Totals {
  int64_t made = 0, scratch = 0; ///< bytes; the most that one held besides
  int64_t result = 0, temporary = 0;
  double kernels = 0, predicted = 0; ///< seconds
  bool isPredicted = true;

  void add(const Executor &executor, bool isLast) {
    for (const StepReport &step : executor.report()) {
      made += step.made ? step.made->bytes : 0;
      scratch = std::max(scratch, step.scratchBytes);
      bool isResult = isLast && &step == &executor.report().back();
      int64_t own = step.made ? step.made->bytes : 0;
      (isResult ? result : temporary) = std::max(isResult ? result : temporary, own);
      temporary = std::max(temporary, step.scratchBytes);
      if (step.runs.empty())
        continue;
      kernels += step.runs.back();
      isPredicted &= step.predicted.has_value();
      predicted += step.predicted ? step.predicted->seconds : 0;
    }
  }
};

} // namespace

Attempt LargeRunner::runHere(const std::vector<LargePart> &parts, Clock &clock,
                             std::vector<Compiled> &compiled) {
  Diagnostics diagnostics(&context);
  clock.begin();
  Totals totals;
  compiled.resize(parts.size());
  for (size_t at = 0; at < parts.size(); ++at) {
    Compiled &own = compiled[at];
    if (!own.module)
      if (std::string wrong = compile(parts[at], own, at + 1 == parts.size()); !wrong.empty())
        return {Attempt::Kind::refused, parts[at].text + ": " + wrong + ": " + diagnostics.text};
    func::FuncOp main = mainOf(*own.module);
    for (BlockArgument argument : main.getArguments())
      own.executor->define(argument, values.at(nameOfArgument(argument)));
    unsigned width = widthFor(values);
    own.executor->setWidths(width);
    compiler.clearStatus();
    clock.resume();
    bool fine = succeeded(own.executor->run(main));
    clock.pause();
    if (!fine)
      return {Attempt::Kind::refused, parts[at].text + ": " + diagnostics.text};
    Value returned = main.getBody().front().getTerminator()->getOperand(0);
    values[parts[at].result] = *own.executor->value(returned);
    totals.add(*own.executor, at + 1 == parts.size());
  }
  return {.kind = Attempt::Kind::ran,
          .work = clock.work(),
          .seconds = clock.seconds(),
          .bytes = totals.made + totals.scratch,
          .result = totals.result,
          .temporary = totals.temporary,
          .kernels = totals.kernels * clock.shareOfTime(),
          .undisturbed = clock.shareOfTime(),
          .predicted = totals.isPredicted ? totals.predicted : 0};
}

std::string LargeRunner::difference(const TensorValue &result, bool stores) {
  Diagnostics diagnostics(&context);
  runtime::Result<runtime::Coordinates> actual = unpack(compiler, result);
  if (!actual)
    return "unpacking: " + actual.error().text() + diagnostics.text;
  bool isShort = resultType == "float16" || resultType == "bfloat16";
  reference::CompareOptions options{.pattern = stores ? reference::Pattern::ignored : pattern};
  options.tolerance.relative = stores && isShort ? 0.02 : 0;
  runtime::Result<reference::Comparison> comparison =
      reference::compare(*expected, *actual, options);
  if (!comparison)
    return "comparing: " + comparison.error().text();
  return comparison->text();
}

static std::string encode(const Attempt &attempt) {
  auto nanoseconds = [](double seconds) { return int64_t(seconds * 1e9); };
  return llvm::formatv("{0} {1} {2} {3} {4} {5} {6} {7} {8} {9}", int(attempt.kind), attempt.work,
                       attempt.bytes, attempt.temporary, attempt.result,
                       nanoseconds(attempt.seconds), nanoseconds(attempt.kernels),
                       nanoseconds(attempt.undisturbed), nanoseconds(attempt.predicted),
                       attempt.text)
      .str();
}

static Attempt decode(StringRef text) {
  int64_t numbers[9] = {};
  for (int64_t &number : numbers) {
    text.split(' ').first.getAsInteger(10, number);
    text = text.split(' ').second;
  }
  return {.kind = static_cast<Attempt::Kind>(numbers[0]),
          .text = text.str(),
          .work = numbers[1],
          .seconds = double(numbers[5]) / 1e9,
          .bytes = numbers[2],
          .result = numbers[4],
          .temporary = numbers[3],
          .kernels = double(numbers[6]) / 1e9,
          .undisturbed = double(numbers[7]) / 1e9,
          .predicted = double(numbers[8]) / 1e9};
}

int64_t LargeRunner::operandBytes() const {
  int64_t bytes = 0;
  for (const LargeOperand &operand : c.tensors)
    bytes += values.at(operand.name).bytes();
  return bytes;
}

// Keeps the least of two runs of the same. What kernels take is known the better the less a run was
// disturbed.
static void keepLeast(Attempt &best, const Attempt &other) {
  constexpr double noise = 0.05;
  best.work = std::min(best.work, other.work);
  best.seconds = std::min(best.seconds, other.seconds);
  if (other.undisturbed > best.undisturbed + noise ||
      (other.undisturbed > best.undisturbed - noise && other.kernels < best.kernels)) {
    best.kernels = other.kernels;
    best.undisturbed = other.undisturbed;
  }
}

Attempt LargeRunner::attempt(const std::vector<LargePart> &parts, double seconds, int runs) {
  std::optional<Attempt> best;
  bool isRunning = false;
  bool stores = parts.size() > 1 || StringRef(parts.front().schedule).contains("materialize") ||
                StringRef(parts.front().schedule).contains("convert");
  ChildEnd end = inChild(
      [&](const Report &report) {
        tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
        compiler.alwaysOptimize(Optimization::Full);
        Clock clock(seconds);
        // The limit of a run ends only what is said to run.
        auto watch = [&](StringRef statement) {
          if (!statement.empty()) {
            clock.pause();
            report("compiles");
          } else {
            report("runs");
            clock.resume();
          }
        };
        compiler.watch(watch);
        std::vector<Compiled> compiled;
        report("runs");
        Attempt first = runHere(parts, clock, compiled);
        report("compares");
        compiler.watch({});
        if (first.ran())
          if (std::string wrong = difference(values[parts.back().result], stores); !wrong.empty()) {
            first.kind = Attempt::Kind::wrong;
            first.text = wrong;
          }
        report(encode(first));
        // The first run gets new pages from the system, the third one finds those of the first.
        constexpr double longEnough = 2, tooShort = 0.0005;
        if (first.ran() && first.seconds < longEnough && first.seconds > tooShort)
          for (int more = 1; more < runs; ++more) {
            compiler.watch(watch);
            report(encode(runHere(parts, clock, compiled)));
          }
      },
      [&](const std::string &text) {
        if (text == "runs" || text == "compiles" || text == "compares") {
          isRunning = text == "runs";
          return;
        }
        Attempt attempt = decode(text);
        if (!best || !attempt.ran()) {
          best = attempt;
          return;
        }
        keepLeast(*best, attempt);
      });
  if (best)
    return *best;
  if (end.signal == SIGPROF && isRunning)
    return {.kind = Attempt::Kind::endless, .seconds = seconds};
  return {.kind = Attempt::Kind::broken,
          .text = (isRunning ? "running: " : "compiling: ") + end.text()};
}

std::vector<double> LargeRunner::contest(const std::vector<LargePart> &ways, double seconds,
                                         int rounds) {
  std::vector<double> least;
  ChildEnd end = inChild(
      [&](const Report &report) {
        tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
        compiler.alwaysOptimize(Optimization::Full);
        machine = nullptr;
        std::vector<std::vector<Compiled>> compiled(ways.size());
        for (int round = 0; round <= rounds; ++round)
          for (size_t at = 0; at < ways.size(); ++at) {
            size_t way = (at + size_t(round)) % ways.size();
            Clock clock(seconds);
            compiler.watch(
                [&](StringRef statement) { statement.empty() ? clock.resume() : clock.pause(); });
            if (Attempt own = runHere({ways[way]}, clock, compiled[way]); own.ran() && round > 0)
              report(llvm::formatv("{0} {1}", way, int64_t(own.seconds * 1e9)).str());
          }
      },
      [&](const std::string &text) {
        auto [number, time] = StringRef(text).split(' ');
        size_t way = 0;
        int64_t nanoseconds = 0;
        number.getAsInteger(10, way);
        time.getAsInteger(10, nanoseconds);
        least.resize(ways.size(), std::numeric_limits<double>::infinity());
        least[way] = std::min(least[way], double(nanoseconds) / 1e9);
      });
  return end.ok() ? least : std::vector<double>();
}

} // namespace strata::test
