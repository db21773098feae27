// Reads the schedule off the kernel at cin, where all its commands have been applied.
#include "strata/compile/ChosenSchedule.h"

#include "strata/lower/Pipeline.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/target/cpu/Processor.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace strata {

FailureOr<ta::ScheduleAttr> lowerWithSchedule(ModuleOp kernel) {
  PassManager loops(kernel.getContext()), walks(kernel.getContext());
  KernelOptions options;
  if (auto processor = Processor::fromEnvironment())
    options.caches = processor->caches();
  addKernelPasses(loops, Stage::Cin, options);
  addWalkPasses(walks);
  if (failed(loops.run(kernel)))
    return failure();
  ta::ScheduleAttr schedule = scheduleOf(*kernel.getOps<func::FuncOp>().begin());
  if (failed(walks.run(kernel)))
    return failure();
  return schedule;
}

bool contracts(ta::ScheduleAttr schedule) {
  return llvm::any_of(schedule.getCommands(),
                      [](ta::CommandAttr one) { return one.getName() == "contract"; });
}

} // namespace strata
