// Lowers kernels again, without one command each, when they cannot be as they are scheduled.
#include "strata/lower/LowerKernels.h"

#include "strata/dialect/ta/Notation.h"
#include "strata/dialect/ta/Ta.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace strata {

static LogicalResult run(ModuleOp kernels, llvm::function_ref<void(OpPassManager &)> add) {
  PassManager passes(kernels.getContext());
  add(passes);
  return passes.run(kernels);
}

static bool isScheduled(ModuleOp kernels) {
  return kernels
      .walk([](ta::ComputeOp op) {
        return op.getScheduleAttr() ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

// Whether a copy of the kernels can be lowered; nothing is reported.
static bool canLower(ModuleOp kernels) {
  ScopedDiagnosticHandler quiet(kernels.getContext(), [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> copy(kernels.clone());
  return succeeded(run(*copy, [](OpPassManager &pm) { addKernelPasses(pm, Stage::Lvl); }));
}

// Notes the last command of a statement without which the kernels can be lowered, unless the error
// stands at that command.
static bool noteCommandOf(ta::ComputeOp op, ModuleOp kernels, Diagnostic &error) {
  ta::ScheduleAttr schedule = op.getScheduleAttr();
  for (unsigned at = schedule.getCommands().size(); at-- > 0;) {
    Location place = ta::placeOfCommand(op, at);
    if (place == error.getLocation())
      continue;
    SmallVector<ta::CommandAttr> others(schedule.getCommands());
    ta::CommandAttr command = others[at];
    others.erase(others.begin() + at);
    op.setScheduleAttr(ta::ScheduleAttr::get(op.getContext(), others));
    bool helps = canLower(kernels);
    op.setScheduleAttr(schedule);
    if (helps) {
      error.attachNote(place) << "it can without '" << ta::commandText(command) << "'";
      return true;
    }
  }
  return false;
}

static void noteCommandToLeaveOut(ModuleOp kernels, Diagnostic &error) {
  OwningOpRef<ModuleOp> copy(kernels.clone());
  copy->walk([&](ta::ComputeOp op) {
    bool noted = op.getScheduleAttr() && noteCommandOf(op, *copy, error);
    return noted ? WalkResult::interrupt() : WalkResult::advance();
  });
}

LogicalResult notingCommandToLeaveOut(ModuleOp kernels, llvm::function_ref<LogicalResult()> lower) {
  if (!isScheduled(kernels))
    return lower();
  SmallVector<Diagnostic> reported;
  LogicalResult lowered = failure();
  {
    ScopedDiagnosticHandler keep(kernels.getContext(), [&](Diagnostic &diagnostic) {
      reported.push_back(std::move(diagnostic));
      return success();
    });
    lowered = lower();
  }
  auto *error = llvm::find_if(reported, [](Diagnostic &diagnostic) {
    return diagnostic.getSeverity() == DiagnosticSeverity::Error;
  });
  if (failed(lowered) && error != reported.end())
    noteCommandToLeaveOut(kernels, *error);
  for (Diagnostic &diagnostic : reported)
    kernels.getContext()->getDiagEngine().emit(std::move(diagnostic));
  return lowered;
}

static LogicalResult lowerWith(ModuleOp kernels, llvm::function_ref<void(OpPassManager &)> add) {
  OwningOpRef<ModuleOp> before(isScheduled(kernels) ? kernels.clone() : ModuleOp());
  auto lower = [&] { return run(kernels, add); };
  return before ? notingCommandToLeaveOut(*before, lower) : lower();
}

LogicalResult lowerKernels(ModuleOp kernels, Stage stage, const KernelOptions &options) {
  return lowerWith(kernels, [&](OpPassManager &pm) { addKernelPasses(pm, stage, options); });
}

LogicalResult lowerToShared(ModuleOp kernels, const KernelOptions &options) {
  return lowerWith(kernels, [&](OpPassManager &pm) { addPassesToShared(pm, options); });
}

LogicalResult lowerFromShared(ModuleOp kernels, const KernelOptions &options) {
  return run(kernels, [&](OpPassManager &pm) { addPassesFromShared(pm, options); });
}

} // namespace strata
