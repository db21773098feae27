// Writes the last commands of the compiler's own schedule, parallelize(i, CPUThread, NoRaces), and
// applies them.
//
// before: for i { for j in A { y[i] += A[i, j] * x[j] } }
// after:  for i in threads { for j in A { y[i] += A[i, j] * x[j] } }
//
// All outermost loops are candidates. That is legal which becomes walks with the mark, so the
// conversion to walks is asked, of a copy, for the outermost loops alone: what is legal is said in
// one place, for a person's commands and for these. A loop whose sums go on from value to value
// stays on one thread.
#include "strata/lower/Passes.h"
#include "strata/lower/lvl/KernelConverter.h"
#include "strata/lower/utils/KernelStage.h"

#include "mlir/IR/OwningOpRef.h"

#include <limits>

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_PARALLELIZELOOPS
#include "strata/lower/Passes.h.inc"

namespace {

SmallVector<cin::ForallOp> outermostLoops(func::FuncOp kernel) {
  SmallVector<cin::ForallOp> loops;
  kernel.walk<WalkOrder::PreOrder>([&](cin::ForallOp loop) {
    loops.push_back(loop);
    return WalkResult::skip();
  });
  return loops;
}

ta::MarkAttr inThreads(MLIRContext *context) {
  return ta::MarkAttr::get(context, ta::Unit::thread, ta::Strategy::none);
}

// Tells which of the kernel's outermost loops threads can share, unless they have a mark already.
llvm::SmallBitVector shareableLoops(func::FuncOp kernel) {
  OwningOpRef<func::FuncOp> copy = kernel.clone();
  SmallVector<cin::ForallOp> loops = outermostLoops(*copy);
  OpBuilder b(kernel.getContext());
  KernelConverter survey(*copy, b,
                         {.loops = 0, .mostCode = std::numeric_limits<double>::infinity()},
                         /*vectorBytes=*/0);
  llvm::SmallBitVector unmarked(loops.size());
  for (auto [at, loop] : llvm::enumerate(loops)) {
    if (loop.getMark() || survey.hasRunningSums(loop))
      continue;
    unmarked.set(at);
    loop.setMarkAttr(inThreads(kernel.getContext()));
  }
  if (unmarked.none())
    return unmarked;
  // What cannot become walks at all is an error of the conversion itself.
  ScopedDiagnosticHandler quiet(kernel.getContext(), [](Diagnostic &) { return success(); });
  return survey.findShareable(loops) &= unmarked;
}

struct ParallelizeLoops : impl::ParallelizeLoopsBase<ParallelizeLoops> {
  void runOnOperation() override {
    if (failed(expectStage(getOperation(), KernelStage::Loops, getArgument())))
      return signalPassFailure();
    for (auto kernel : getOperation().getOps<func::FuncOp>())
      if (isKernel(kernel) && prefers(kernel, Policy::Threads)) {
        forget(kernel, Policy::Threads);
        share(kernel);
      }
  }

private:
  void share(func::FuncOp kernel) {
    Builder b(&getContext());
    llvm::SmallSetVector<ta::CommandAttr, 8> commands;
    for (ta::CommandAttr command : scheduleOf(kernel).getCommands())
      commands.insert(command);
    llvm::SmallBitVector shareable = shareableLoops(kernel);
    for (auto [at, loop] : llvm::enumerate(outermostLoops(kernel))) {
      if (!shareable.test(at))
        continue;
      loop.setMarkAttr(inThreads(&getContext()));
      commands.insert(
          ta::CommandAttr::get(&getContext(), "parallelize",
                               ArrayRef<Attribute>{loop.getNameAttr(), b.getStringAttr("CPUThread"),
                                                   b.getStringAttr("NoRaces")}));
    }
    setSchedule(kernel, ta::ScheduleAttr::get(&getContext(), commands.getArrayRef()));
  }
};

} // namespace

} // namespace strata
