// Reads the iteration graph of a kernel off its lvl form.
#include "strata/explain/IterationGraph.h"

#include "strata/dialect/lvl/Lvl.h"
#include "strata/lower/LowerKernels.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"

using namespace mlir;

namespace strata {
namespace {

class Graph {
public:
  explicit Graph(llvm::raw_ostream &os) : os(os) {}

  void kernel(func::FuncOp function) {
    os << "digraph " << function.getName() << " {\n  root [shape=point]\n";
    loops.clear();
    block(function.getBody().front(), 0);
    os << "}\n";
  }

private:
  // Of the cases of a loop the first has all that is walked.
  void block(Block &block, unsigned loop) {
    for (Operation &op : block) {
      if (auto inner = dyn_cast<lvl::CoiterateOp>(op))
        coiterate(inner, loop);
      else if (auto locate = dyn_cast<lvl::LocateOp>(op))
        edge(locate.getParent(), locate.getLevel(), 1, loop, " [style=dashed");
      else if (auto insert = dyn_cast<lvl::InsertOp>(op); insert && insert.getParent())
        edge(insert.getParent(), insert.getLevel(), 1, loop, " [style=bold");
      else
        for (Region &region : op.getRegions())
          for (Block &below : region)
            this->block(below, loop);
    }
  }

  void coiterate(lvl::CoiterateOp loop, unsigned around) {
    unsigned number = loops.size() + 1;
    loops[loop] = number;
    os << "  " << nodeOf(number) << " [label=\"" << loop.getName()
       << (loop.getUniverse() ? " (all)" : "") << "\"]\n";
    if (loop.getUniverse())
      os << "  " << nodeOf(around) << " -> " << nodeOf(number) << " [color=gray]\n";
    for (Value iterator : loop.getIterators()) {
      auto op = iterator.getDefiningOp<lvl::IteratorOp>();
      edge(op.getParent(), op.getLevel(), op.getSteps().size(), number, " [");
    }
    block(loop.getBodies().front().front(), number);
  }

  // From the loop that reaches the level above, labelled "A2", or "A2-4" for several levels.
  void edge(Value parent, unsigned level, unsigned count, unsigned loop, llvm::StringRef style) {
    auto [from, storage] = reach(parent);
    os << "  " << nodeOf(from) << " -> " << nodeOf(loop) << style
       << (style.ends_with("[") ? "" : ", ") << "label=\"" << storage << level + 1;
    if (count > 1)
      os << "-" << level + count;
    os << "\"]\n";
  }

  // In which loop a path is reached, and whose it is.
  std::pair<unsigned, std::string> reach(Value path) const {
    if (auto argument = dyn_cast<BlockArgument>(path)) {
      Block *owner = argument.getOwner();
      auto loop = dyn_cast<lvl::CoiterateOp>(owner->getParentOp());
      if (!loop)
        return {0, "?"};
      ArrayRef<int64_t> present = loop.getCase(owner->getParent()->getRegionNumber());
      Value iterator =
          loop.getIterators()[present[argument.getArgNumber() - loop.getVariableCount()]];
      return {loops.lookup(loop),
              reach(iterator.getDefiningOp<lvl::IteratorOp>().getParent()).second};
    }
    Operation *op = path.getDefiningOp();
    if (auto root = dyn_cast<lvl::RootOp>(op)) {
      auto named = dyn_cast<NameLoc>(root.getStorage().getLoc());
      return {0, named ? named.getName().str() : "?"};
    }
    unsigned loop = loops.lookup(op->getParentOfType<lvl::CoiterateOp>());
    if (auto locate = dyn_cast<lvl::LocateOp>(op))
      return {loop, reach(locate.getParent()).second};
    auto insert = dyn_cast<lvl::InsertOp>(op);
    return {loop, insert && insert.getParent() ? reach(insert.getParent()).second : "?"};
  }

  static std::string nodeOf(unsigned loop) {
    return loop ? "loop" + std::to_string(loop) : std::string("root");
  }

  llvm::raw_ostream &os;
  llvm::DenseMap<Operation *, unsigned> loops; // numbered from 1; 0 is the root
};

} // namespace

std::string iterationGraph(ModuleOp kernels) {
  OwningOpRef<ModuleOp> copy(kernels.clone());
  if (failed(lowerKernels(*copy, Stage::Lvl)))
    return "";
  std::string text;
  llvm::raw_string_ostream os(text);
  for (auto function : copy->getOps<func::FuncOp>())
    if (!function.isExternal())
      Graph(os).kernel(function);
  return text;
}

} // namespace strata
