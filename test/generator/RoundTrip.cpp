// Kernels are compared as text, without locations.
#include "RoundTrip.h"

#include "strata/compile/ChosenSchedule.h"
#include "strata/compile/Kernel.h"
#include "strata/dialect/ta/Notation.h"
#include "strata/dialect/ta/Sums.h"
#include "strata/frontend/Parser.h"
#include "strata/frontend/TaSchedules.h"
#include "strata/lower/LowerKernels.h"
#include "strata/lower/Pipeline.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace strata::test {
namespace {

// A statement, the schedule that its kernel has, and the kernel's form at lvl and behind all
// passes.
struct Lowered {
  ta::ComputeOp statement;
  ta::ScheduleAttr schedule; ///< null if it could not be compiled
  std::string lvl;
  std::string code;
};

RankedTensorType decided(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  auto made = tensor.getDefiningOp<ta::ComputeOp>();
  unsigned positions = made && !made.getInit() ? 64 : 32;
  if (!type.getEncoding())
    return type;
  if (ta::SumAttr sum = ta::sumOf(type))
    return ta::withFormat(type, sum.withOpenWidths(positions, 32));
  return ta::withFormat(type, ta::formatOf(type).withOpenWidths(positions, 32));
}

SmallVector<ta::ComputeOp> statementsOf(ModuleOp program) {
  SmallVector<ta::ComputeOp> statements;
  program.walk<WalkOrder::PreOrder>([&](ta::ComputeOp statement) {
    statements.push_back(statement);
    return WalkResult::skip();
  });
  return statements;
}

Lowered lowered(ta::ComputeOp statement) {
  KernelArguments arguments;
  OwningOpRef<ModuleOp> kernel = outlineKernel(
      statement, "kernel", decided,
      [&](Value operand) { return ta::operandName(statement, operand); },
      decided(statement.getInit() ? statement.getInit() : statement.getResult()), arguments);
  OwningOpRef<ModuleOp> whole(kernel->clone());
  FailureOr<ta::ScheduleAttr> schedule = lowerWithSchedule(*kernel);
  if (failed(schedule) || failed(lowerKernels(*whole, Stage::Llvm)))
    return {statement, {}, "", ""};
  Lowered result{statement, *schedule, "", ""};
  llvm::raw_string_ostream(result.lvl) << *kernel;
  llvm::raw_string_ostream(result.code) << *whole;
  return result;
}

bool passesSucceed(ModuleOp program) {
  PassManager passes(program.getContext());
  addProgramPasses(passes);
  return succeeded(passes.run(program));
}

// Statements by their places in the text; null where several have come of one.
DenseMap<Location, ta::ComputeOp> byPlace(ModuleOp program) {
  DenseMap<Location, ta::ComputeOp> found;
  for (ta::ComputeOp statement : statementsOf(program))
    if (auto [at, isNew] = found.try_emplace(statement.getLoc(), statement); !isNew)
      at->second = {};
  return found;
}

// Do both compute the same from the same, so that `now` is `written` for the passes on whole
// programs?
bool isAsWritten(ta::ComputeOp written, ta::ComputeOp now) {
  auto maker = [](Value value) {
    Operation *op = value.getDefiningOp();
    return op ? op->getName().getStringRef() : "";
  };
  return ta::notation(written) == ta::notation(now) &&
         written.getResult().getType() == now.getResult().getType() &&
         llvm::equal(written.getOperands(), now.getOperands(),
                     [&](Value a, Value b) { return maker(a) == maker(b); });
}

// The schedule as the language reads it back.
ta::ScheduleAttr readBack(ta::ScheduleAttr schedule) {
  llvm::SourceMgr sources;
  unsigned id = sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(ta::commandsText(schedule), "schedule"), {});
  frontend::Diagnostics diagnostics(sources);
  std::optional<frontend::ast::Schedule> parsed = frontend::parseSchedule(id, diagnostics);
  return parsed ? frontend::emitSchedule(schedule.getContext(), *parsed) : ta::ScheduleAttr();
}

std::string firstDifference(StringRef one, StringRef other) {
  while (!one.empty() || !other.empty()) {
    auto [a, restOfOne] = one.split('\n');
    auto [b, restOfOther] = other.split('\n');
    if (a != b)
      return ("\n  by default:   " + a.trim() + "\n  by schedule:  " + b.trim()).str();
    one = restOfOne;
    other = restOfOther;
  }
  return "";
}

std::string compare(const Lowered &chosen, const Lowered &given, StringRef errors) {
  std::string different;
  if (!chosen.schedule.getCommands().empty() && readBack(chosen.schedule) != chosen.schedule)
    different = "\n  the language does not read the schedule";
  else if (!given.schedule)
    different = ("\n  the schedule is refused: " + errors).str();
  else if (given.schedule != chosen.schedule)
    different = "\n  it becomes " + ta::scheduleText(given.schedule);
  else
    different = firstDifference(chosen.lvl, given.lvl);
  if (different.empty())
    different = firstDifference(chosen.code, given.code);
  if (different.empty())
    return "";
  return ta::notation(ta::ComputeOp(chosen.statement)) + "\n  " +
         ta::scheduleText(chosen.schedule) + different;
}

} // namespace

RoundTrip roundTrip(ModuleOp program) {
  std::string errors;
  ScopedDiagnosticHandler handler(program.getContext(), [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      errors += diagnostic.str() + "; ";
  });
  OwningOpRef<ModuleOp> byDefault(program.clone());
  if (!passesSucceed(*byDefault))
    return {};
  OwningOpRef<ModuleOp> bySchedule(program.clone());
  DenseMap<Location, ta::ComputeOp> written = byPlace(*bySchedule), made = byPlace(*byDefault);
  std::vector<Lowered> chosen, ofProgram;
  for (ta::ComputeOp statement : statementsOf(*byDefault)) {
    if (isConversion(statement) || copiedBy(statement))
      continue;
    Lowered kernel = lowered(statement);
    if (!kernel.schedule)
      return {};
    ta::ComputeOp source =
        made.lookup(statement.getLoc()) ? written.lookup(statement.getLoc()) : ta::ComputeOp();
    if (source && isAsWritten(source, statement)) {
      source.setScheduleAttr(kernel.schedule);
      ofProgram.push_back(kernel);
    } else {
      chosen.push_back(kernel);
    }
  }
  RoundTrip result;
  result.compiled = true;
  auto check = [&](const Lowered &kernel, ta::ComputeOp scheduled) {
    ++result.kernels;
    Lowered given = scheduled ? lowered(scheduled) : Lowered{};
    if (std::string text = compare(kernel, given, errors); !text.empty())
      result.differences.push_back(std::move(text));
  };
  bool compiles = passesSucceed(*bySchedule);
  DenseMap<Location, ta::ComputeOp> again;
  if (compiles)
    again = byPlace(*bySchedule);
  for (const Lowered &kernel : ofProgram)
    check(kernel, again.lookup(ta::ComputeOp(kernel.statement).getLoc()));
  for (const Lowered &kernel : chosen) {
    ta::ComputeOp(kernel.statement).setScheduleAttr(kernel.schedule);
    check(kernel, kernel.statement);
  }
  return result;
}

} // namespace strata::test
