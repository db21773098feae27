// Gives a statement one schedule after the other, and lowers it.
#include "strata/explain/LoopOrders.h"

#include "strata/dialect/ta/Notation.h"
#include "strata/explain/Explain.h"
#include "strata/lower/analysis/IndexStatement.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace strata {

static ta::ComputeOp statementAt(ModuleOp program, unsigned number) {
  ta::ComputeOp found;
  mainOf(program).walk<WalkOrder::PreOrder>([&](ta::ComputeOp statement) {
    if (number-- == 0) {
      found = statement;
      return WalkResult::interrupt();
    }
    return WalkResult::skip();
  });
  return found;
}

// The variables of loops in the order of their lines: "for i over ...", "for j, k in ...".
static std::vector<std::string> variablesOf(const std::vector<std::string> &loops) {
  std::vector<std::string> names;
  for (StringRef line : loops)
    if (StringRef text = line.ltrim(); text.consume_front("for ")) {
      SmallVector<StringRef> own;
      text.take_front(std::min(text.find(" in "), text.find(" over "))).split(own, ", ");
      names.insert(names.end(), own.begin(), own.end());
    }
  return names;
}

static std::vector<std::string> linesIn(StringRef text) {
  SmallVector<StringRef> parts;
  text.split(parts, '\n', -1, /*KeepEmpty=*/false);
  return {parts.begin(), parts.end()};
}

// "the result's format takes ...", without the name of the operation that has no such loops.
static std::string reasonOf(const Diagnostic &diagnostic) {
  std::string text = diagnostic.str();
  StringRef reason = text;
  if (reason.consume_front("'"))
    reason = reason.split("' op ").second;
  reason.consume_front("has no order of loops: ");
  return reason.empty() ? text : reason.str();
}

// Lowers the program with the loops of one statement in this order.
static LoopOrderWay tryOrder(ModuleOp program, unsigned number,
                             const std::vector<std::string> &names, const ExplainOptions &options) {
  LoopOrderWay way;
  way.order = llvm::join(names, ", ");
  MLIRContext *context = program.getContext();
  std::string why;
  ScopedDiagnosticHandler keep(context, [&](Diagnostic &diagnostic) {
    if (why.empty() && diagnostic.getSeverity() == DiagnosticSeverity::Error)
      why = reasonOf(diagnostic);
    return success();
  });
  OwningOpRef<ModuleOp> copy(program.clone());
  ta::ComputeOp statement = statementAt(*copy, number);
  SmallVector<Attribute> arguments;
  for (const std::string &name : names)
    arguments.push_back(StringAttr::get(context, name));
  auto reorder = ta::CommandAttr::get(context, "reorder", arguments);
  ta::setSchedule(statement, ta::ScheduleAttr::get(context, reorder), {statement.getLoc()});
  Forecast forecast({options.machine, options.threads});
  forecast.follow(mainOf(*copy), options.given);
  std::optional<std::vector<ProgramKernel>> kernels = kernelsOf(mainOf(*copy), options.widths);
  auto kernel =
      kernels ? llvm::find_if(*kernels,
                              [&](const ProgramKernel &one) { return one.statement == statement; })
              : std::vector<ProgramKernel>::iterator();
  if (kernels && kernel != kernels->end()) {
    forecast.tell(*kernels);
    way.loops = linesIn(explainLoopsOf(*kernel->module).text);
  }
  if (way.loops.empty())
    way.refused = why.empty() ? "the loops cannot run so" : why;
  else
    way.expected = forecast.of(statement);
  return way;
}

std::vector<LoopOrderWay> loopOrders(ModuleOp program, unsigned number,
                                     const ExplainedStatement &shown,
                                     const ExplainOptions &options) {
  ta::ComputeOp statement = statementAt(program, number);
  std::vector<std::string> names;
  for (const IndexVariable &variable : IndexStatement(statement).variables)
    names.push_back(variable.name);
  if (shown.loops.empty() || names.size() < 2 || names.size() > mostOrderedLoops)
    return {};
  llvm::sort(names);
  if (std::adjacent_find(names.begin(), names.end()) != names.end())
    return {}; // made by the compiler, as those of nnz(A): no command can name them
  std::vector<std::string> running = variablesOf(shown.loops);
  LoopOrderWay chosen{llvm::join(running, ", "), true, "", shown.loops, shown.expected};
  std::vector<LoopOrderWay> ways;
  do {
    LoopOrderWay way = tryOrder(program, number, names, options);
    if (way.refused.empty() && variablesOf(way.loops) == running)
      chosen.expected = way.expected; // on one thread, as that of the others
    else if (names != running)
      ways.push_back(std::move(way));
  } while (std::next_permutation(names.begin(), names.end()));
  ways.push_back(std::move(chosen));
  auto rank = [](const LoopOrderWay &way) {
    bool timed = way.expected && way.expected->time;
    return std::tuple(!way.chosen, !way.refused.empty(), timed ? way.expected->time->seconds : 0,
                      way.expected ? way.expected->steps : 0, way.order);
  };
  llvm::sort(ways, [&](const auto &a, const auto &b) { return rank(a) < rank(b); });
  return ways;
}

} // namespace strata
