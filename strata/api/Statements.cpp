// Statements as handles: analyzed once, compiled for the widths that come, computed many times.
#include "strata/api/EmitStatement.h"
#include "strata/api/Statement.h"

#include "strata/compile/ProgramKernels.h"
#include "strata/dialect/ta/Sums.h"
#include "strata/explain/Explanation.h"
#include "strata/explain/ProgramStage.h"
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

//===------------------------------------------------------------------------------------------===//
// Making one
//===------------------------------------------------------------------------------------------===//

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

strata_error *strata_statement::planAtFirst(bool sameBits) {
  deterministic = sameBits;
  if (deterministic)
    assume(*module, Assumptions::Deterministic);
  if (dependsOnSizes(*module))
    unplanned = module->clone();
  return plan();
}

strata_error *strata_statement_create(strata_session *session, const char *text,
                                      const strata_operand *operands, int32_t count,
                                      const strata_statement_options *options,
                                      strata_statement **statement) {
  Turn turn(session->turn);
  Reports reports(*session);
  strata_statement_options chosen = options ? *options : strata_statement_options{};
  llvm::ArrayRef<strata_operand> given(operands, size_t(std::max(count, 0)));
  EmittedStatement emitted;
  if (strata_error *error = emitStatement(*session, text, given, chosen, emitted))
    return error;
  auto made = Handle<strata_statement>::adopt(new strata_statement);
  made->session = Handle<strata_session>(session);
  made->source = text;
  made->machines = std::move(emitted.machines);
  made->module = std::move(emitted.module);
  made->result = formatOf(*session, emitted.result);
  made->scheduled = chosen.schedule;
  if (strata_error *error = made->planAtFirst(chosen.deterministic))
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
    return makeError(STRATA_ERROR_ARGUMENT, Refusal::Operands,
                     llvm::formatv("the statement takes {0}, not {1}",
                                   counted(int64_t(types.size()), "operand"), tensors.size())
                         .str());
  for (auto [number, tensor] : llvm::enumerate(tensors))
    if (!fits(types[number], tensor->value.type))
      return makeError(
          STRATA_ERROR_FORMAT, Refusal::Operands,
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
        return makeError(STRATA_ERROR_ARGUMENT, Refusal::Operands,
                         "'" + operands[number] + "' is on another machine '" + machine->name +
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

strata_error *strata_statement::takeResults(std::vector<Handle<strata_tensor>> &computed) const {
  SmallVector<TensorValue, 1> values;
  for (Value returned : mainOf(*module).getBody().front().getTerminator()->getOperands())
    values.push_back(*executor->value(returned));
  if (runtime::Status status = separate(values); !status.ok())
    return makeError(STRATA_ERROR_MEMORY, status.error());
  for (TensorValue &value : values) {
    computed.push_back(tensorOf(*session, std::move(value)));
    const std::string &on = computed.back()->format->facts->machine;
    computed.back()->machine = Handle(findMachine(machines, on));
  }
  return nullptr;
}

strata_error *strata_statement::computeTogether(llvm::ArrayRef<strata_tensor *> tensors, Run run,
                                                unsigned &width, strata_tensor **made) {
  Together together(ranksOf(machines));
  uint64_t unchanged = unchangedOperands(tensors);
  strata_error *error = checkOperands(tensors);
  if (!error)
    error = together.agree(description(tensors), width, unchanged);
  executor->join(together.job());
  llvm::scope_exit leave([&] { executor->join(nullptr); });
  std::vector<Handle<strata_tensor>> computed;
  if (!error) {
    Reports reports(*session);
    if (succeeded(compute(tensors, width, unchanged, run))) {
      error = takeResults(computed);
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
  for (Handle<strata_tensor> &one : computed)
    *made++ = one.release();
  return nullptr;
}

static llvm::ArrayRef<strata_tensor *> listOf(strata_tensor *const *operands, int32_t count) {
  return {operands, size_t(std::max(count, 0))};
}

int32_t strata_statement_result_count(const strata_statement *statement) {
  return int32_t(statement->resultCount());
}

strata_error *strata_statement_run(strata_statement *whole, strata_tensor *const *operands,
                                   int32_t count, strata_tensor **result) {
  llvm::ArrayRef<strata_tensor *> tensors = listOf(operands, count);
  bool interrupted = false;
  if (whole->repeatBesideTurns(tensors, result, interrupted))
    return nullptr;
  if (interrupted) // does not wait for the turn, which somebody may keep for long
    return makeError(STRATA_ERROR_INTERRUPTED, runtime::Error::Interrupted, "interrupted");
  return inTurn(*whole->session, [&]() -> strata_error * {
    strata_statement *statement = whole;
    if (strata_error *error = whole->planFor(tensors, statement))
      return Together(ranksOf(whole->machines)).end(error);
    if (statement->repeatInTurn(tensors, result))
      return nullptr;
    // Keeps what was moved between cells for the next run.
    const bool isPlaced = !statement->machines.empty();
    llvm::scope_exit rest([&] { isPlaced ? statement->executor->rest() : statement->forget(); });
    auto run = [&](func::FuncOp main, uint64_t unchanged) {
      return isPlaced ? statement->executor->runAgain(main, unchanged)
                      : statement->executor->run(main);
    };
    if (strata_error *error = statement->compute(tensors, run, result))
      return error;
    statement->remember(tensors, result);
    return nullptr;
  });
}

strata_error *strata_statement_assemble(strata_statement *statement, strata_tensor *const *operands,
                                        int32_t count, strata_tensor **pattern) {
  return inTurn(*statement->session, [&]() -> strata_error * {
    if (strata_error *error = statement->refuseSeveral())
      return error;
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
    if (strata_error *error = statement->refuseSeveral())
      return error;
    auto wanted = cast<RankedTensorType>(mainOf(*statement->module).getResultTypes().front());
    if (!fits(wanted, pattern->value.type))
      return makeError(STRATA_ERROR_FORMAT, Refusal::Operands,
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
    return makeError(STRATA_ERROR_ARGUMENT, Refusal::Argument,
                     llvm::formatv("'{0}' is no stage", stage).str(),
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
    runtime::Result<machine::Machine> machine = runtime::Error::alreadyShown();
    if (operands)
      machine = machine::readMachine(machine::machineFile());
    Reports reports(session);
    ExplainOptions options{.given = {.arguments = given},
                           .machine = machine ? &*machine : nullptr,
                           .threads = strata_threads()};
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
