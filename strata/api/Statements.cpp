// Statements as handles: analyzed once, compiled for the widths that come, computed many times.
#include "strata/api/Statement.h"

#include "strata/api/ResultFormat.h"
#include "strata/compile/ProgramKernels.h"
#include "strata/dialect/ta/Sums.h"
#include "strata/explain/Explanation.h"
#include "strata/explain/ProgramStage.h"
#include "strata/frontend/EmitTa.h"
#include "strata/frontend/OneLiner.h"
#include "strata/frontend/Parser.h"
#include "strata/frontend/TaFormats.h"
#include "strata/lower/Pipeline.h"
#include "strata/lower/analysis/ExpectedSizes.h"
#include "strata/machine/Machine.h"
#include "strata/page/ExplanationPage.h"
#include "strata/runtime/Counted.h"
#include "strata/tensor/ElementTypes.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>

using namespace mlir;
using namespace strata;
using namespace strata::api;
namespace ast = strata::frontend::ast;

//===------------------------------------------------------------------------------------------===//
// From text to ta
//===------------------------------------------------------------------------------------------===//

namespace {

// A statement's text, the texts of its formats, and what is wrong with them.
class Analysis {
public:
  /// `unscheduled`: schedules are left out, as if there were none.
  Analysis(strata_session &session, bool unscheduled)
      : session(session), unscheduled(unscheduled), diagnostics(sources) {}

  strata_error *parse(const char *text, llvm::ArrayRef<strata_operand> operands,
                      const strata_statement_options &options);
  strata_error *describe(const std::string &name, RankedTensorType type, bool given);
  /// Formats and the schedule may name these. Others are as formats say, as long as nothing runs.
  void declare(llvm::ArrayRef<Handle<strata_machine>> machines) {
    for (const Handle<strata_machine> &machine : machines)
      options.machines.push_back(machine->declaration());
  }
  /// The program that computes the statement from what its caller gives; null after an error.
  strata_error *emit(OwningOpRef<ModuleOp> &module);

  llvm::StringRef resultName() const { return tree->tensor.text; }

private:
  unsigned add(llvm::StringRef text, llvm::StringRef name) {
    return sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, name),
                                      llvm::SMLoc());
  }

  strata_session &session;
  bool unscheduled;
  llvm::SourceMgr sources;
  frontend::Diagnostics diagnostics;
  frontend::OneLinerOptions options;
  std::unique_ptr<ast::AssignStmt> tree;
};

} // namespace

strata_error *Analysis::parse(const char *statement, llvm::ArrayRef<strata_operand> operands,
                              const strata_statement_options &given) {
  tree = frontend::parseOneLiner(add(statement, "<statement>"), diagnostics);
  if (!tree || diagnostics.hasErrors())
    return makeError(STRATA_ERROR_EXPRESSION, diagnostics);
  // The name of the result is known when accesses are spelled in one way.
  frontend::GivenNames names;
  for (const strata_operand &operand : operands) {
    names.tensors.insert(operand.name);
    llvm::StringRef word = elementTypeWord(operand.format->type().getElementType());
    if (auto type = frontend::findElementType(word); type && frontend::isInteger(*type))
      names.pointers.insert(operand.name);
  }
  options.windows = frontend::respellAccesses(*tree, names, diagnostics);
  if (diagnostics.hasErrors())
    return makeError(STRATA_ERROR_EXPRESSION, diagnostics);
  if (unscheduled)
    tree->schedule.reset();
  if (unscheduled || !given.schedule)
    return nullptr;
  std::optional<ast::Schedule> schedule =
      frontend::parseSchedule(add(given.schedule, "<schedule>"), diagnostics);
  if (!schedule || diagnostics.hasErrors())
    return makeError(STRATA_ERROR_SCHEDULE, diagnostics);
  if (!tree->schedule)
    tree->schedule = std::move(schedule);
  else
    llvm::append_range(tree->schedule->commands, schedule->commands);
  return nullptr;
}

strata_error *Analysis::describe(const std::string &name, RankedTensorType type, bool given) {
  frontend::TensorOptions &tensor = options.tensors[name];
  if (given)
    tensor.source = frontend::TensorOptions::Source::Caller;
  tensor.type = frontend::findElementType(elementTypeWord(type.getElementType()));
  if (!type.getEncoding())
    return nullptr;
  std::string format = formatOf(session, type)->facts->text;
  tensor.format = frontend::parseFormat(add(format, name), diagnostics);
  return diagnostics.hasErrors() ? makeError(STRATA_ERROR_FORMAT, diagnostics) : nullptr;
}

strata_error *Analysis::emit(OwningOpRef<ModuleOp> &module) {
  options.returns = true;
  frontend::TaFormats formats(&session.context);
  frontend::OneLinerResult result = frontend::analyze(*tree, options, formats, diagnostics);
  if (result.program)
    module = frontend::emitTa(*result.program, &session.context, diagnostics);
  if (module)
    return nullptr;
  return makeError(result.wrongOption ? STRATA_ERROR_ARGUMENT : STRATA_ERROR_EXPRESSION,
                   diagnostics);
}

//===------------------------------------------------------------------------------------------===//
// Making one
//===------------------------------------------------------------------------------------------===//

static std::string nameOfArgument(BlockArgument argument) {
  auto named = dyn_cast<NameLoc>(argument.getLoc());
  return named ? named.getName().str() : "";
}

// The program for these operands. Without a result's type, that is dense, has the expression's
// elements, and no schedule is looked at.
static strata_error *
emitFor(strata_session &session, const char *text, llvm::ArrayRef<strata_operand> operands,
        const strata_statement_options &options, llvm::ArrayRef<Handle<strata_machine>> machines,
        std::optional<RankedTensorType> result, OwningOpRef<ModuleOp> &module) {
  Analysis analysis(session, /*unscheduled=*/!result);
  analysis.declare(machines);
  if (strata_error *error = analysis.parse(text, operands, options))
    return error;
  for (const strata_operand &operand : operands)
    if (strata_error *error =
            analysis.describe(operand.name, operand.format->type(), /*given=*/true))
      return error;
  if (result)
    if (strata_error *error =
            analysis.describe(analysis.resultName().str(), *result,
                              llvm::any_of(operands, [&](const strata_operand &operand) {
                                return analysis.resultName() == operand.name;
                              })))
      return error;
  return analysis.emit(module);
}

// The type of the only result in a module, which is dense there, in a format of its own choice.
static RankedTensorType typeFor(ModuleOp module) {
  auto type = cast<RankedTensorType>(mainOf(module).getResultTypes().front());
  module.walk([&](Operation *op) {
    if (auto statement = dyn_cast<ta::ComputeOp>(op)) {
      type = ta::withFormat(type, resultFormatOf(statement));
      const bool isFull = ta::formatOf(type).isFull();
      type = ta::withPlacement(type, resultPlacementOf(statement, isFull));
    } else if (auto concat = dyn_cast<ta::ConcatOp>(op)) {
      type = ta::withFormat(type, resultFormatOf(concat));
    }
  });
  return type;
}

// The type of a result that nobody chose: that of what is updated; else the statement is emitted
// once with a dense result, to see along which dimensions absent operands leave nothing.
static strata_error *chooseResult(strata_session &session, const char *text,
                                  llvm::ArrayRef<strata_operand> operands,
                                  const strata_statement_options &options,
                                  std::optional<RankedTensorType> &result) {
  Analysis analysis(session, /*unscheduled=*/true);
  if (strata_error *error = analysis.parse(text, operands, options))
    return error;
  for (const strata_operand &operand : operands)
    if (analysis.resultName() == operand.name) {
      result = operand.format->type();
      return nullptr;
    }
  OwningOpRef<ModuleOp> module;
  if (strata_error *error = emitFor(session, text, operands, options, {}, std::nullopt, module))
    return error;
  result = typeFor(*module);
  return nullptr;
}

// The machines of a statement, which are all that its formats name.
static strata_error *takeMachines(llvm::ArrayRef<strata_operand> operands, RankedTensorType result,
                                  const strata_statement_options &options,
                                  std::vector<Handle<strata_machine>> &machines) {
  for (strata_machine *machine :
       llvm::ArrayRef(options.machines, size_t(std::max(options.machine_count, 0))))
    if (strata_error *error = addMachine(machines, machine))
      return error;
  auto isGiven = [&](RankedTensorType type) {
    ta::PlacementAttr placement = ta::placementOf(type);
    return !placement || findMachine(machines, placement.getMachine());
  };
  auto missing = [](const llvm::Twine &what, RankedTensorType type) {
    return makeError(STRATA_ERROR_ARGUMENT, what + " is on the machine '" +
                                                ta::placementOf(type).getMachine() +
                                                "', which is none of the statement's");
  };
  for (const strata_operand &operand : operands)
    if (!isGiven(operand.format->type()))
      return missing("'" + llvm::Twine(operand.name) + "'", operand.format->type());
  return isGiven(result) ? nullptr : missing("the result", result);
}

// A dense operand has as many dimensions as the statement gives it indices; those of other formats
// have been compared.
static strata_error *checkOrders(func::FuncOp main, llvm::ArrayRef<strata_operand> operands) {
  for (BlockArgument argument : main.getArguments())
    for (const strata_operand &operand : operands) {
      int64_t indices = cast<RankedTensorType>(argument.getType()).getRank();
      int64_t order = operand.format->type().getRank();
      if (nameOfArgument(argument) == operand.name && indices != order)
        return makeError(STRATA_ERROR_SHAPE,
                         llvm::formatv("'{0}' has {1} in the statement, but its format is for {2}",
                                       operand.name, counted(indices, "dimension"), order)
                             .str());
    }
  return nullptr;
}

// Takes a statement with a schedule through the passes that carry it out.
static strata_error *checkSchedule(strata_session &session, ModuleOp module,
                                   const Reports &reports) {
  bool scheduled = false;
  module.walk([&](ta::ComputeOp op) { scheduled |= bool(op.getScheduleAttr()); });
  if (!scheduled)
    return nullptr;
  OwningOpRef<ModuleOp> copy = module.clone();
  runtime::Result<Processor> processor = Processor::fromEnvironment();
  if (!processor)
    return makeError(STRATA_ERROR_ARGUMENT, processor.error());
  runtime::Result<std::string> planned =
      programAt(ProgramStage::Cin, *copy, {.processor = *processor});
  return planned ? nullptr : reports.error(STRATA_ERROR_SCHEDULE, "the schedule is not legal");
}

strata_statement::~strata_statement() {
  retire(known);
  if (strata_ranks *ranks = ranksOf(machines))
    ranks->statements.erase(this);
}

void strata_statement::forget() {
  lastPieces.clear();
  if (executor)
    executor->forget();
}

strata_error *strata_statement::plan() {
  if (strata_ranks *ranks = ranksOf(machines))
    ranks->statements.insert(this);
  Reports reports(*session);
  PassManager passes(&session->context);
  addProgramPasses(passes, {.deterministic = deterministic,
                            .maxMemory = session->compiler.memoryLimit(),
                            .returnsPieces = true});
  if (failed(passes.run(*module)))
    return withText(reports.error(scheduled ? STRATA_ERROR_SCHEDULE : STRATA_ERROR_UNSUPPORTED,
                                  "the statement could not be compiled"),
                    source);
  if (strata_error *error = checkSchedule(*session, *module, reports))
    return withText(error, source);
  for (BlockArgument argument : mainOf(*module).getArguments()) {
    operands.push_back(nameOfArgument(argument));
    types.push_back(cast<RankedTensorType>(argument.getType()));
  }
  executor.emplace(session->compiler, RunOptions{}, printed);
  return nullptr;
}

std::vector<int64_t> strata::api::roundedSizes(llvm::ArrayRef<strata_tensor *> tensors) {
  std::vector<int64_t> sizes;
  for (const strata_tensor *tensor : tensors)
    for (int64_t size : tensor->value.sizes())
      sizes.push_back(
          int64_t(llvm::PowerOf2Ceil(uint64_t(std::clamp<int64_t>(size, 1, int64_t(1) << 62)))));
  return sizes;
}

strata_statement *strata_statement::findPlan(llvm::ArrayRef<int64_t> sizes) const {
  auto found =
      llvm::find_if(planned, [&](const auto &one) { return sizes == llvm::ArrayRef(one.first); });
  return found == planned.end() ? nullptr : found->second.get();
}

strata_error *strata_statement::planFor(llvm::ArrayRef<strata_tensor *> tensors,
                                        strata_statement *&chosen) {
  constexpr size_t mostPlans = 16;
  chosen = this;
  if (!unplanned)
    return nullptr;
  if (strata_error *error = checkOperands(tensors))
    return error;
  std::vector<int64_t> sizes = roundedSizes(tensors);
  if (strata_statement *found = findPlan(sizes)) {
    chosen = found;
    return nullptr;
  }
  auto own = Handle<strata_statement>::adopt(new strata_statement);
  own->session = session;
  own->source = source;
  own->result = result;
  own->deterministic = deterministic;
  own->machines = machines;
  own->module = unplanned->clone();
  llvm::ArrayRef<int64_t> left(sizes);
  for (BlockArgument argument : mainOf(*own->module).getArguments()) {
    size_t order = size_t(cast<RankedTensorType>(argument.getType()).getRank());
    expectSizes(argument, left.take_front(order));
    left = left.drop_front(order);
  }
  if (strata_error *error = own->plan())
    return error;
  std::lock_guard<std::mutex> lock(finding);
  if (planned.size() == mostPlans)
    planned.erase(planned.begin());
  chosen = own.get();
  planned.emplace_back(std::move(sizes), std::move(own));
  return nullptr;
}

strata_error *strata_statement_create(strata_session *session, const char *text,
                                      const strata_operand *operands, int32_t count,
                                      const strata_statement_options *options,
                                      strata_statement **statement) {
  Turn turn(session->turn);
  Reports reports(*session);
  strata_statement_options chosen = options ? *options : strata_statement_options{};
  llvm::ArrayRef<strata_operand> given(operands, size_t(std::max(count, 0)));
  std::optional<RankedTensorType> result;
  if (chosen.result)
    result = chosen.result->type();
  else if (strata_error *error = chooseResult(*session, text, given, chosen, result))
    return error;
  auto made = Handle<strata_statement>::adopt(new strata_statement);
  made->session = Handle<strata_session>(session);
  made->source = text;
  if (strata_error *error = takeMachines(given, *result, chosen, made->machines))
    return error;
  if (strata_error *error =
          emitFor(*session, text, given, chosen, made->machines, result, made->module))
    return error;
  made->result = formatOf(*session, *result);
  made->deterministic = bool(chosen.deterministic);
  made->scheduled = chosen.schedule;
  if (made->deterministic)
    assume(*made->module, Assumptions::Deterministic);
  if (dependsOnSizes(*made->module))
    made->unplanned = made->module->clone();
  if (strata_error *error = made->plan())
    return error;
  if (strata_error *error = checkOrders(mainOf(*made->module), given))
    return error;
  *statement = made.release();
  return nullptr;
}

//===------------------------------------------------------------------------------------------===//
// Computing it
//===------------------------------------------------------------------------------------------===//

// The storage of an operand is that which the statement was made for, but for widths.
static bool fits(RankedTensorType wanted, RankedTensorType given) {
  if (wanted.getRank() != given.getRank() || wanted.getElementType() != given.getElementType() ||
      ta::placementOf(wanted) != ta::placementOf(given))
    return false;
  if (wanted.getEncoding() == given.getEncoding())
    return true;
  if (ta::sumOf(wanted) || ta::sumOf(given))
    return ta::formatName(wanted) == ta::formatName(given);
  auto plain = [](RankedTensorType type) { return ta::formatOf(type).withWidths(0, 0); };
  return plain(wanted) == plain(given);
}

strata_error *strata_statement::checkOperands(llvm::ArrayRef<strata_tensor *> tensors) const {
  if (tensors.size() != types.size())
    return makeError(STRATA_ERROR_ARGUMENT,
                     llvm::formatv("the statement takes {0}, not {1}",
                                   counted(int64_t(types.size()), "operand"), tensors.size())
                         .str());
  for (auto [number, tensor] : llvm::enumerate(tensors))
    if (!fits(types[number], tensor->value.type))
      return makeError(
          STRATA_ERROR_FORMAT,
          llvm::formatv("'{0}' is {1} with elements of {2}: the statement was made for "
                        "{3} with elements of {4}",
                        operands[number], tensor->format->name(),
                        elementTypeWord(tensor->value.type.getElementType()),
                        formatOf(*session, types[number])->name(),
                        elementTypeWord(types[number].getElementType()))
              .str());
  for (auto [number, tensor] : llvm::enumerate(tensors))
    if (const strata_machine *machine = tensor->machine.get()) {
      const strata_machine *own = findMachine(machines, machine->name);
      if (!own->hasCellsOf(*machine))
        return makeError(STRATA_ERROR_ARGUMENT, "'" + operands[number] +
                                                    "' is on another machine '" + machine->name +
                                                    "' than that which the statement was made for");
    }
  return nullptr;
}

LogicalResult strata_statement::compute(llvm::ArrayRef<strata_tensor *> tensors, unsigned width,
                                        uint64_t unchanged, Run run) {
  func::FuncOp main = mainOf(*module);
  executor->setWidths(width);
  for (auto [argument, tensor] : llvm::zip(main.getArguments(), tensors))
    executor->define(argument, tensor->value);
  return run(main, unchanged);
}

strata_error *strata_statement::compute(llvm::ArrayRef<strata_tensor *> tensors, Run run,
                                        strata_tensor **made) {
  unsigned width = 32;
  for (strata_tensor *tensor : tensors)
    width = std::max(width, widthFor(tensor->value.sizes(), tensor->value.storedCount()));
  strata_error *error = computeTogether(tensors, run, width, made);
  if (!error || width != 32)
    return error;
  // There are more entries than were to be expected.
  strata_error_free(error);
  width = 64;
  return computeTogether(tensors, run, width, made);
}

// Describes in one text what is to be computed, on which all ranks must agree.
std::string strata_statement::description(llvm::ArrayRef<strata_tensor *> tensors) const {
  std::string text = source + "\n" + result->facts->text;
  for (const strata_tensor *tensor : tensors) {
    text += "\n" + tensor->format->facts->text;
    for (int64_t size : tensor->value.sizes())
      text += " " + std::to_string(size);
  }
  return text;
}

uint64_t strata_statement::unchangedOperands(llvm::ArrayRef<strata_tensor *> tensors) const {
  uint64_t unchanged = 0;
  for (size_t at = 0; at < std::min<size_t>({tensors.size(), lastPieces.size(), 64}); ++at)
    if (tensors[at]->value.pieces && lastPieces[at].lock() == tensors[at]->value.pieces)
      unchanged |= uint64_t(1) << at;
  return unchanged;
}

void strata_statement::rememberPieces(llvm::ArrayRef<strata_tensor *> tensors) {
  lastPieces.clear();
  for (const strata_tensor *tensor : tensors)
    lastPieces.emplace_back(tensor->value.pieces);
}

strata_error *strata_statement::computeTogether(llvm::ArrayRef<strata_tensor *> tensors, Run run,
                                                unsigned &width, strata_tensor **made) {
  Together together(ranksOf(machines));
  uint64_t unchanged = unchangedOperands(tensors);
  strata_error *error = checkOperands(tensors);
  if (!error)
    error = together.agree(description(tensors));
  if (!error)
    error = together.combine(width, unchanged);
  executor->join(together.job());
  llvm::scope_exit leave([&] { executor->join(nullptr); });
  Handle<strata_tensor> computed;
  if (!error) {
    Reports reports(*session);
    if (succeeded(compute(tensors, width, unchanged, run))) {
      Value returned = mainOf(*module).getBody().front().getTerminator()->getOperand(0);
      computed = tensorOf(*session, *executor->value(returned));
      computed->machine = Handle(findMachine(machines, computed->format->facts->machine));
    } else {
      const bool sizes = executor->sizesDisagree();
      error = withText(reports.error(sizes ? STRATA_ERROR_SHAPE : errorKind(*session),
                                     "the statement could not be computed"),
                       source);
    }
  }
  error = together.end(error);
  if (error) {
    forget();
    if (together.kindOf(*error) != STRATA_ERROR_WIDTH)
      width = 0;
    return error;
  }
  rememberPieces(tensors);
  *made = computed.release();
  return nullptr;
}

static llvm::ArrayRef<strata_tensor *> listOf(strata_tensor *const *operands, int32_t count) {
  return {operands, size_t(std::max(count, 0))};
}

strata_error *strata_statement_run(strata_statement *whole, strata_tensor *const *operands,
                                   int32_t count, strata_tensor **result) {
  llvm::ArrayRef<strata_tensor *> tensors = listOf(operands, count);
  bool interrupted = false;
  if (strata_tensor *repeated = whole->repeatBesideTurns(tensors, interrupted)) {
    *result = repeated;
    return nullptr;
  }
  return inTurn(*whole->session, [&]() -> strata_error * {
    if (interrupted)
      whole->session->interrupt = 1;
    strata_statement *statement = whole;
    if (strata_error *error = whole->planFor(tensors, statement))
      return Together(ranksOf(whole->machines)).end(error);
    if (strata_tensor *repeated = statement->repeatInTurn(tensors)) {
      *result = repeated;
      return nullptr;
    }
    // Keeps what was moved between cells for the next run.
    const bool isPlaced = !statement->machines.empty();
    llvm::scope_exit rest([&] { isPlaced ? statement->executor->rest() : statement->forget(); });
    auto run = [&](func::FuncOp main, uint64_t unchanged) {
      return isPlaced ? statement->executor->runAgain(main, unchanged)
                      : statement->executor->run(main);
    };
    if (strata_error *error = statement->compute(tensors, run, result))
      return error;
    statement->remember(tensors, **result);
    return nullptr;
  });
}

strata_error *strata_statement_assemble(strata_statement *statement, strata_tensor *const *operands,
                                        int32_t count, strata_tensor **pattern) {
  return inTurn(*statement->session, [&] {
    llvm::scope_exit forget([&] { statement->forget(); });
    auto run = [&](func::FuncOp main, uint64_t) { return statement->executor->assemble(main); };
    return statement->compute(listOf(operands, count), run, pattern);
  });
}

strata_error *strata_statement_compute(strata_statement *statement, strata_tensor *const *operands,
                                       int32_t count, const strata_tensor *pattern,
                                       strata_tensor **result) {
  return inTurn(*statement->session, [&]() -> strata_error * {
    if (strata_error *error = refusePieces(*pattern))
      return error;
    auto wanted = cast<RankedTensorType>(mainOf(*statement->module).getResultTypes().front());
    if (!fits(wanted, pattern->value.type))
      return makeError(STRATA_ERROR_FORMAT,
                       llvm::formatv("the pattern is {0} with elements of {1}, the result {2} with "
                                     "elements of {3}",
                                     pattern->format->name(),
                                     elementTypeWord(pattern->value.type.getElementType()),
                                     statement->result->name(),
                                     elementTypeWord(wanted.getElementType()))
                           .str());
    llvm::scope_exit forget([&] { statement->forget(); });
    auto run = [&](func::FuncOp main, uint64_t) {
      return statement->executor->compute(main, pattern->value);
    };
    return statement->compute(listOf(operands, count), run, result);
  });
}

//===------------------------------------------------------------------------------------------===//
// What it is
//===------------------------------------------------------------------------------------------===//

static constexpr int64_t releasesBetweenDrops = 32;
static constexpr size_t mostUnusedKernels = 32;

strata_statement *strata_statement_retain(strata_statement *statement) {
  statement->retain();
  return statement;
}

void strata_statement_release(strata_statement *statement) {
  if (!statement)
    return;
  Handle<strata_session> session = statement->session;
  Turn turn(session->turn);
  statement->release();
  // Kernels are found on disk again; a few that were just used stay for statements like those.
  if (++session->released % releasesBetweenDrops == 0)
    session->compiler.dropUnused(mostUnusedKernels);
}

const strata_format *strata_statement_result(const strata_statement *statement) {
  return statement->result.get();
}

const char *strata_statement_operand(const strata_statement *statement, int32_t index) {
  return index >= 0 && index < int32_t(statement->operands.size())
             ? statement->operands[size_t(index)].c_str()
             : nullptr;
}

strata_error *strata_statement_show(strata_statement *statement, const char *stage, char **text) {
  strata_session &session = *statement->session;
  Turn turn(session.turn);
  std::optional<ProgramStage> wanted = findStage(stage);
  if (!wanted)
    return makeError(STRATA_ERROR_ARGUMENT, llvm::formatv("'{0}' is no stage", stage).str(),
                     "the stages are " + stageWords.drop_front(StringRef("ast, ").size()));
  runtime::Result<Processor> processor = Processor::fromEnvironment();
  if (!processor)
    return makeError(STRATA_ERROR_ARGUMENT, processor.error());
  Reports reports(session);
  // Stages below ta rewrite what they are given.
  OwningOpRef<ModuleOp> copy = statement->module->clone();
  runtime::Result<std::string> shown = programAt(*wanted, *copy, {.processor = *processor});
  if (!shown)
    return shown.error().shown ? reports.error(STRATA_ERROR_UNSUPPORTED, "nothing can be shown")
                               : makeError(STRATA_ERROR_UNSUPPORTED, shown.error());
  *text = strdup(shown->c_str());
  return nullptr;
}

// Explains a statement in a part of a page.
static strata_error *explainAsHtml(strata_statement &statement, const ExplainOptions &options,
                                   Reports &reports, char *&text) {
  runtime::Result<Processor> processor = Processor::fromEnvironment();
  if (!processor)
    return makeError(STRATA_ERROR_ARGUMENT, processor.error());
  KernelCompiler &compiler = statement.session->compiler;
  page::PageRequest request{.title = "",
                            .text = "",
                            .explain = options,
                            .processor = *processor,
                            .compiler = processor->runsHere().ok() ? &compiler : nullptr};
  runtime::Result<std::string> html = page::explanationPart(*statement.module, request);
  if (!html)
    return html.error().shown
               ? reports.error(STRATA_ERROR_UNSUPPORTED, "the statement cannot be explained")
               : makeError(STRATA_ERROR_UNSUPPORTED, html.error());
  text = strdup(html->c_str());
  return nullptr;
}

strata_error *strata_statement_explain(strata_statement *whole, strata_tensor *const *operands,
                                       int32_t count, int32_t as, char **text) {
  strata_session &session = *whole->session;
  return inTurn(session, [&]() -> strata_error * {
    strata_statement *statement = whole;
    if (operands) {
      if (strata_error *error = whole->checkOperands(listOf(operands, count)))
        return error;
      if (strata_error *error = whole->planFor(listOf(operands, count), statement))
        return error;
    }
    std::vector<TensorValue> given;
    // Explains without operands, since the pieces of one rank say little of all.
    if (operands && !statement->machines.empty())
      operands = nullptr;
    for (strata_tensor *tensor : operands ? listOf(operands, count) : listOf(nullptr, 0))
      given.push_back(tensor->value);
    runtime::Result<machine::Machine> machine = runtime::Error{};
    if (operands)
      machine = machine::readMachine(machine::machineFile());
    Reports reports(session);
    ExplainOptions options{
        .operands = given, .machine = machine ? &*machine : nullptr, .threads = strata_threads()};
    if (as == 2)
      return explainAsHtml(*statement, options, reports, *text);
    std::optional<Explanation> explanation = explanationOf(*statement->module, options);
    if (!explanation)
      return reports.error(STRATA_ERROR_UNSUPPORTED, "the statement cannot be explained");
    std::string written;
    llvm::raw_string_ostream out(written);
    as == 1 ? writeJson(*explanation, out) : writeText(*explanation, out);
    *text = strdup(written.c_str());
    return nullptr;
  });
}

void strata_text_free(char *text) { free(text); }
