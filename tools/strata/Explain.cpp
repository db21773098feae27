// strata explain: what running a program will do, without doing it.
#include "strata/execution/Explain.h"
#include "Arguments.h"
#include "Commands.h"
#include "Explanation.h"
#include "Messages.h"
#include "ScheduledText.h"
#include "Session.h"

#include "strata/Version.h"
#include "strata/dialect/ta/Notation.h"
#include "strata/dialect/ta/Sums.h"
#include "strata/execution/ElementTypes.h"
#include "strata/execution/ScheduleSteps.h"
#include "strata/lower/analysis/IndexStatement.h"
#include "strata/lower/analysis/Resolutions.h"
#include "strata/lower/ta/ProgramNotes.h"

using namespace mlir;

namespace strata::tool {

namespace explain {
#define STRATA_OPTIONS "ExplainOptions.inc"
#include "OptionTable.def"
} // namespace explain

const Command explainDescription{
    "explain", R"(
strata explain tells what running a program will do: for each statement its operands and how they
are stored, the conversions that it needs and why, the loops, and what the kernel allocates. It
does not run the program and opens no file that the program reads.

  strata explain spmm.ta -D file=m.mtx -D type=double
  strata explain 'y(i) = A(i,j) * x(j)' -f=A:CSR
  strata explain --steps 'C(i,k) = A(i,j) * B(j,k)' -f=A:CSR
  strata explain --program spmm.ta -D file=m.mtx -D type=double > scheduled.ta

In the loops, 'B2' is the second level of B's storage. A loop runs 'over' all values of its variable,
or 'in' the levels that it iterates over; where there are several, it merges them. What it only looks
up is 'located'. A loop over 'i, j' takes the pairs that are stored, one after the other. Iterations
of a loop marked 'in parallel' are divided among the threads.

With --program the text of the program is printed, with the schedule of each statement behind it and
the reasons above it. It can be edited, and run.
)",
    explain::table, "PROGRAM", "tell which loops and conversions a program or a statement becomes"};

static std::vector<std::string> linesOf(StringRef text) {
  SmallVector<StringRef> parts;
  text.split(parts, '\n', -1, /*KeepEmpty=*/false);
  return {parts.begin(), parts.end()};
}

static std::string storageOf(RankedTensorType type) {
  std::string text = elementTypeWord(type.getElementType()).str();
  for (auto [at, size] : llvm::enumerate(type.getShape()))
    text += (at ? " x " : ", ") + (ShapedType::isDynamic(size) ? "?" : std::to_string(size));
  if (type.getRank() > 0)
    text += ", " + ta::formatName(type);
  return text;
}

// Do two texts of a statement differ in more than blanks and brackets?
static bool saysMore(StringRef notation, StringRef written) {
  auto bare = [](StringRef text) {
    std::string result;
    for (char c : text)
      if (!isspace(static_cast<unsigned char>(c)))
        result += c == '[' ? '(' : c == ']' ? ')' : c;
    return result;
  };
  return bare(notation) != bare(written);
}

static std::string formatName(Value tensor) {
  return ta::formatName(cast<RankedTensorType>(tensor.getType()));
}

// What the statement is, and where it stands.
static ExplainedStatement headOf(ta::ComputeOp statement) {
  ExplainedStatement head;
  head.place = placeOf(statement);
  head.statement = ta::statementText(statement);
  std::string notation = ta::notation(statement);
  bool isNamed = !StringRef(nameOf(statement.getResult())).starts_with("_");
  if (isNamed && saysMore(notation, head.statement))
    head.means = notation;
  for (Operation *around = statement->getParentOp(); around; around = around->getParentOp()) {
    if (around->hasAttr(fewTermsAttribute)) {
      bool few = around->getRegion(0).isAncestor(statement->getParentRegion());
      std::string terms = "the sums have few terms for the entries of the operands";
      head.context.emplace_back(few ? "if" : "unless",
                                terms + (few ? "" : ", or if these are not known"));
    } else if (isa<ta::ForOp, ta::LoopOp, ta::IfOp>(around)) {
      head.context.emplace_back(
          "inside", (isa<ta::IfOp>(around) ? "the branch at " : "the loop at ") + placeOf(around));
    }
  }
  if (std::optional<ArrayAttr> fused = statement.getFused())
    for (auto one : fused->getAsRange<StringAttr>())
      head.context.emplace_back("fused", one.getValue());
  return head;
}

static ExplainedStatement explainConversion(ta::ComputeOp statement) {
  ExplainedStatement explained = headOf(statement);
  auto tensor = [](Value value) {
    return ExplainedTensor{nameOf(value), storageOf(cast<RankedTensorType>(value.getType())), {}};
  };
  explained.result = tensor(statement.getResult());
  explained.operands = {tensor(copiedBy(statement))};
  explained.converts = true;
  return explained;
}

// An operand, and what was made of it for the statement.
static ExplainedTensor operandOf(Value tensor, RankedTensorType type) {
  ExplainedTensor operand{nameOf(tensor), storageOf(type), {}};
  if (auto convert = tensor.getDefiningOp<ta::ConvertOp>())
    operand.notes.push_back("converted from " + formatName(convert.getTensor()) + ": " +
                            convert.getReason().value_or("asked for").str());
  if (auto part = tensor.getDefiningOp<ta::ComponentOp>())
    operand.notes.push_back("part " + std::to_string(part.getNumber() + 1) + " of " +
                            formatName(part.getTensor()));
  if (auto reindex = tensor.getDefiningOp<ta::GatherOp>())
    operand.notes.push_back(reindex.getReason().value_or("gathered").str());
  return operand;
}

// The result, and what is made of it after the statement.
static ExplainedTensor resultOf(ta::ComputeOp statement, RankedTensorType type) {
  ExplainedTensor result{nameOf(statement.getResult()), storageOf(type), {}};
  for (Operation *user : statement.getResult().getUsers()) {
    if (auto convert = dyn_cast<ta::ConvertOp>(user); convert && convert.getReason())
      result.notes.push_back("then converted to " + formatName(convert.getResult()) + ": " +
                             convert.getReason()->str());
    if (auto overlay = dyn_cast<ta::InsertPartOp>(user); overlay && overlay.getReason())
      result.notes.push_back("then joined with the rest of " + nameOf(overlay.getWhole()) + ": " +
                             overlay.getReason()->str());
  }
  return result;
}

static std::optional<ExplainedStatement> explainKernel(const ProgramKernel &kernel, bool steps) {
  ta::ComputeOp statement = kernel.statement;
  ModuleOp module = *const_cast<ProgramKernel &>(kernel).module;
  ExplainedStatement explained = headOf(statement);
  auto function = *module.getOps<func::FuncOp>().begin();
  auto type = cast<RankedTensorType>(function.getResultTypes().front());
  explained.result = resultOf(statement, type);
  for (auto [tensor, type] : llvm::zip(kernel.arguments.tensors, function.getArgumentTypes()))
    explained.operands.push_back(operandOf(tensor, cast<RankedTensorType>(type)));
  KernelLoops loops = explainLoopsOf(module);
  if (loops.text.empty())
    return std::nullopt;
  auto allocations = allocationsOf(module, explained.result.name, type);
  if (!allocations)
    return std::nullopt;
  if (steps) {
    FailureOr<std::vector<ScheduleStep>> taken = scheduleSteps(module);
    if (failed(taken))
      return std::nullopt;
    for (const ScheduleStep &step : *taken)
      explained.steps.emplace_back(step.command, linesOf(step.loops));
  }
  explained.schedule = loops.schedule;
  explained.loops = linesOf(loops.text);
  explained.sequential = loops.sequential;
  explained.resolutions = linesOf(explainResolutions(statement));
  explained.allocations = std::move(*allocations);
  return explained;
}

std::optional<Explanation> explanationOf(ModuleOp program, const ExplainOptions &options) {
  Explanation explanation;
  for (const auto &[location, text] : ProgramNotes::all(program))
    explanation.notes.emplace_back(placeOf(location), text);
  std::vector<ProgramKernel> kernels = *kernelsOf(mainOf(program), options.width);
  auto next = kernels.begin();
  bool fine = true;
  mainOf(program).walk<WalkOrder::PreOrder>([&](ta::ComputeOp statement) {
    std::optional<ExplainedStatement> one = isConversion(statement)
                                                ? explainConversion(statement)
                                                : explainKernel(*next++, options.steps);
    fine &= one.has_value();
    if (one)
      explanation.statements.push_back(std::move(*one));
    return WalkResult::skip();
  });
  return fine ? std::optional(std::move(explanation)) : std::nullopt;
}

bool explainProgram(ModuleOp program, const ExplainOptions &options) {
  std::optional<Explanation> explanation = explanationOf(program, options);
  if (explanation)
    print(*explanation, options.json);
  return explanation.has_value();
}

int explainCommand(llvm::ArrayRef<const char *> arguments) {
  using namespace explain;
  if (hasStatement(arguments)) {
    SmallVector<const char *> statement{"-explain"};
    statement.append(arguments.begin(), arguments.end());
    return statementCommand(statement);
  }
  Arguments args = parseArguments(explainDescription, arguments);
  if (args.exitCode)
    return *args.exitCode;
  std::optional<std::string> file = args.onlyInput("explain", "one program");
  std::optional<frontend::Parameters> parameters = parseParameters(args.list, OPT_define);
  std::optional<unsigned> width = parseWidths(args.list, OPT_widths, 32);
  std::optional<Resolutions> forbidden = parseForbidden(args.list, OPT_forbid);
  if (!file || !parameters || !width || !forbidden)
    return exitMisuse;
  Session session;
  ProgramOptions passes{.forbidden = *forbidden,
                        .deterministic = args.list.hasArg(OPT_deterministic)};
  if (args.list.hasArg(OPT_program) && StringRef(*file).ends_with(".mlir"))
    return refuse("'--program' prints the text of a program in Strata's own language (.ta)");
  if (args.list.hasArg(OPT_program)) {
    std::optional<std::string> text = scheduledText(session, *file, *parameters, passes, *width);
    if (!text)
      return exitFailure;
    llvm::outs() << "# Strata " STRATA_VERSION ": strata explain";
    for (StringRef argument : arguments)
      llvm::outs() << " " << argument;
    llvm::outs() << "\n" << *text;
    return exitSuccess;
  }
  OwningOpRef<ModuleOp> module = session.load(*file, *parameters);
  if (!module || failed(session.prepare(*module, passes)))
    return exitFailure;
  ExplainOptions options{
      .width = *width, .steps = args.list.hasArg(OPT_steps), .json = args.list.hasArg(OPT_json)};
  return explainProgram(*module, options) ? exitSuccess : exitFailure;
}

} // namespace strata::tool
