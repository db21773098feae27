// Reads the loops of a kernel off its lvl form.
#include "strata/explain/Explain.h"

#include "strata/compile/ChosenSchedule.h"
#include "strata/dialect/lvl/Lvl.h"
#include "strata/dialect/lvl/RunningSum.h"
#include "strata/dialect/ta/LabelValues.h"
#include "strata/dialect/ta/Notation.h"
#include "strata/explain/LevelNames.h"
#include "strata/lower/LowerKernels.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/runtime/Counted.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace strata {
namespace {

class Explainer {
public:
  Explainer(const llvm::StringSet<> &shared, llvm::raw_ostream &os) : shared(shared), os(os) {}
  void block(Block &block, unsigned depth) {
    for (Operation &op : block) {
      if (auto loop = dyn_cast<lvl::CoiterateOp>(op))
        coiterate(loop, depth);
      else if (auto build = dyn_cast<lvl::BuildOp>(op))
        line(depth) << "build " << storageName(build.getStorage()) << "\n";
      else if (auto refill = dyn_cast<lvl::RefillOp>(op))
        line(depth) << "compute the values of " << storageName(refill.getStorage())
                    << ", whose pattern is there\n";
      else if (auto put = dyn_cast<lvl::StoreOp>(op))
        line(depth) << (put.getAtomic()    ? "accumulate, atomically"
                        : put.getCombine() ? "accumulate"
                                           : "store")
                    << "\n";
      else
        for (Region &region : op.getRegions())
          for (Block &inner : region)
            this->block(inner, depth);
    }
  }

private:
  llvm::raw_ostream &line(unsigned depth) { return os.indent(2 * depth); }

  static std::string located(lvl::CoiterateOp loop) {
    llvm::SmallSetVector<StringRef, 4> unique;
    SmallVector<std::string> names;
    for (Operation &op : loop.getBodies().front().front())
      if (auto locate = dyn_cast<lvl::LocateOp>(op))
        names.push_back(
            levelsText(storageOfPath(locate.getParent()), unsigned(locate.getLevel()), 1));
    return llvm::join(names, ", ");
  }

  void coiterate(lvl::CoiterateOp loop, unsigned depth) {
    SmallVector<std::string> walked;
    bool runs = false;
    for (Value iterator : loop.getIterators()) {
      auto op = iterator.getDefiningOp<lvl::IteratorOp>();
      walked.push_back(levelsText(op));
      runs |= op.getDedup();
    }
    llvm::raw_ostream &text = line(depth);
    text << "for " << loop.getName();
    const bool bounded = loop->hasAttr(ta::boundedAttribute);
    if (loop.getUniverse())
      text << (bounded ? " over its values" : " over all its values");
    if (!walked.empty())
      text << (loop.getUniverse() ? ", merged with " : " in ") << llvm::join(walked, ", ");
    if (std::optional<uint64_t> mask = loop.getAdmitting())
      text << ", where " << walked[*mask] << " is marked in the workspace";
    else if (loop.getPredicates())
      text << " (" << mergeName(loop) << ", one body for all cases)";
    else if (walked.size() + bool(loop.getUniverse()) > 1)
      text << " (" << mergeName(loop) << ", " << counted(loop.getCases().size(), "case")
           << (loop.getGallop() == true ? ", galloping" : "") << ")";
    if (bounded)
      text << ", between the bounds of comparisons";
    if (loop->hasAttr(lvl::goesOnAttribute))
      text << ", going on where the sum before ended";
    if (runs)
      text << ", duplicates together";
    if (std::string names = located(loop); !names.empty())
      text << ", locating " << names;
    if (loop.getPieces())
      text << ", in parallel";
    else if (shared.contains(loop.getName()))
      text << ", on one thread: it is inside another loop, and threads share the outermost one";
    text << "\n";
    block(loop.getBodies().front().front(), depth + 1);
  }

  const llvm::StringSet<> &shared; ///< labels whose values threads are to share
  llvm::raw_ostream &os;
};

} // namespace

// The labels whose values threads are to share, as the schedules of a module in ta say.
static llvm::StringSet<> sharedLabels(ModuleOp taModule) {
  llvm::StringSet<> labels;
  taModule.walk([&](ta::ComputeOp statement) {
    std::optional<ta::ScheduleAttr> schedule = statement.getSchedule();
    for (ta::CommandAttr command :
         schedule ? schedule->getCommands() : ArrayRef<ta::CommandAttr>()) {
      ArrayRef<Attribute> arguments = command.getArguments();
      if (command.getName() == "parallelize" && arguments.size() >= 2 &&
          arguments[1] == StringAttr::get(taModule.getContext(), "CPUThread") &&
          isa<StringAttr>(arguments[0]))
        labels.insert(cast<StringAttr>(arguments[0]).getValue());
    }
  });
  return labels;
}

static std::string explainLoops(ModuleOp lvlModule, const llvm::StringSet<> &shared) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (auto kernel : lvlModule.getOps<func::FuncOp>())
    if (!kernel.isExternal())
      Explainer(shared, os).block(kernel.getBody().front(), 0);
  return text.empty() ? "nothing to do\n" : text;
}

static bool isScheduled(ModuleOp taModule) {
  return taModule
      .walk([](ta::ComputeOp statement) {
        return statement.getSchedule() ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

// Why no loop of the kernel runs in parallel; empty if one does.
static std::string explainSequence(ModuleOp lvlModule) {
  SmallVector<lvl::CoiterateOp> outer;
  bool divided = false;
  lvlModule.walk([&](lvl::CoiterateOp loop) {
    divided |= bool(loop.getPieces());
    if (!loop->getParentOfType<lvl::CoiterateOp>())
      outer.push_back(loop);
  });
  if (divided)
    return "";
  if (outer.empty())
    return "there are no loops";
  if (outer.size() > 1)
    return "several loops follow each other";
  const std::string name = outer.front().getName().str();
  bool goesOn = false;
  outer.front().walk([&](lvl::CoiterateOp loop) {
    goesOn |= loop->hasAttr(lvl::goesOnAttribute) &&
              loop->getParentOfType<lvl::CoiterateOp>() == outer.front();
  });
  if (goesOn)
    return "a sum goes on from one value of " + name + " to the next";
  return "the iterations of the outermost loop, over " + name +
         ", do not make separate parts of the result";
}

KernelLoops explainLoopsOf(ModuleOp kernel) {
  OwningOpRef<ModuleOp> copy(kernel.clone());
  llvm::StringSet<> shared = sharedLabels(kernel);
  FailureOr<ta::ScheduleAttr> schedule = failure();
  if (failed(notingCommandToLeaveOut(kernel, [&] { return schedule = lowerWithSchedule(*copy); })))
    return {};
  std::string sequence = isScheduled(kernel) && shared.empty() ? "the schedule asks for no threads"
                                                               : explainSequence(*copy);
  return {explainLoops(*copy, shared), ta::commandsText(*schedule), sequence};
}

std::optional<std::string> explainKernel(ModuleOp kernels) {
  OwningOpRef<ModuleOp> copy(kernels.clone());
  if (failed(lowerKernels(*copy, Stage::Lvl)))
    return std::nullopt;
  return explainLoops(*copy, sharedLabels(kernels));
}

} // namespace strata
