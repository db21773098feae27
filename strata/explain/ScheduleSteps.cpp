// Applies a schedule command by command, and writes the loops down in between.
#include "strata/explain/ScheduleSteps.h"

#include "strata/dialect/cin/NestText.h"
#include "strata/dialect/ta/Notation.h"
#include "strata/lower/Passes.h"
#include "strata/lower/Pipeline.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/schedule/Commands.h"

#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace strata {

FailureOr<std::vector<ScheduleStep>> scheduleSteps(ModuleOp kernel) {
  OwningOpRef<ModuleOp> copy(kernel.clone());
  PassManager begin(kernel.getContext()), finish(kernel.getContext());
  begin.addPass(createTaToCin());
  addFinishingPasses(finish);
  if (failed(begin.run(*copy)))
    return failure();
  func::FuncOp loops = *copy->getOps<func::FuncOp>().begin();
  std::vector<ScheduleStep> steps;
  auto note = [&](std::string command) {
    steps.push_back({std::move(command), cin::nestText(loops.getBody().front())});
  };
  note("");
  const ta::ScheduleAttr written = scheduleOf(loops);
  for (ta::CommandAttr command : written.getCommands()) {
    if (failed(schedule::apply(loops, ta::ScheduleAttr::get(kernel.getContext(), command))))
      return failure();
    note(ta::commandText(command));
  }
  schedule::contractAll(loops);
  for (ta::CommandAttr command :
       scheduleOf(loops).getCommands().drop_front(written.getCommands().size()))
    note(ta::commandText(command));
  if (failed(finish.run(*copy)))
    return failure();
  note("");
  return steps;
}

} // namespace strata
