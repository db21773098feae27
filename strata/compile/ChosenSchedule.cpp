// Reads the order of loops and the assembly off the kernel at cin, the threads off its lvl form.
#include "strata/compile/ChosenSchedule.h"

#include "strata/dialect/cin/Cin.h"
#include "strata/dialect/lvl/Lvl.h"
#include "strata/lower/Pipeline.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/target/cpu/Processor.h"

#include "mlir/IR/Builders.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace strata {

// Adds `parallelize` for each loop that is cut in pieces, by the label of its first loop. A loop
// that counts entries and that which stores them are one. `names` are those of the loops at cin.
static ta::ScheduleAttr withThreads(ta::ScheduleAttr schedule, const llvm::StringSet<> &names,
                                    ModuleOp lvlModule) {
  SmallVector<ta::CommandAttr> commands(schedule.getCommands());
  Builder b(lvlModule.getContext());
  lvlModule.walk<WalkOrder::PreOrder>([&](lvl::CoiterateOp loop) {
    if (!loop.getPieces())
      return;
    SmallVector<StringRef> labels;
    loop.getName().split(labels, ", ");
    // Around the loop over a label that runs in blocks is one over its blocks.
    if (!names.contains(labels.front()))
      labels.front().consume_back("_block");
    bool said = llvm::any_of(commands, [&](ta::CommandAttr command) {
      ArrayRef<Attribute> given = command.getArguments();
      auto label = given.empty() ? StringAttr() : dyn_cast<StringAttr>(given[0]);
      return command.getName() == "parallelize" && given[1] == b.getStringAttr("CPUThread") &&
             label && llvm::is_contained(labels, label);
    });
    Attribute arguments[] = {b.getStringAttr(labels.front()), b.getStringAttr("CPUThread"),
                             b.getStringAttr("NoRaces")};
    if (!said)
      commands.push_back(ta::CommandAttr::get(b.getContext(), "parallelize", arguments));
  });
  return ta::ScheduleAttr::get(b.getContext(), commands);
}

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
  llvm::StringSet<> names;
  kernel.walk([&](cin::ForallOp loop) { names.insert(loop.getName()); });
  if (failed(walks.run(kernel)))
    return failure();
  return withThreads(schedule, names, kernel);
}

} // namespace strata
