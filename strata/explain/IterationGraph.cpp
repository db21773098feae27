// Reads the iteration graph of a kernel off its lvl form.
#include "strata/explain/IterationGraph.h"

#include "strata/dialect/lvl/Lvl.h"
#include "strata/explain/LevelNames.h"
#include "strata/lower/LowerKernels.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"

using namespace mlir;

namespace strata {
namespace {

using Use = IterationGraph::Use;

class GraphReader {
public:
  IterationGraph read(func::FuncOp function) {
    graph.kernel = function.getName();
    if (function.getNumArguments() > 0)
      result = storageName(function.getArgument(0));
    block(function.getBody().front(), 0);
    for (unsigned at : parentless)
      graph.levels[at].from = loopThatInserts(graph.levels[at].first);
    return std::move(graph);
  }

private:
  // Of the cases of a loop the first has all that is walked.
  void block(Block &block, unsigned loop) {
    for (Operation &op : block) {
      if (auto inner = dyn_cast<lvl::CoiterateOp>(op))
        coiterate(inner, loop);
      else if (auto locate = dyn_cast<lvl::LocateOp>(op))
        add(locate.getParent(), unsigned(locate.getLevel()), 1, loop, Use::Located);
      else if (auto insert = dyn_cast<lvl::InsertOp>(op))
        this->insert(insert, loop);
      else
        for (Region &region : op.getRegions())
          for (Block &below : region)
            this->block(below, loop);
    }
  }

  void coiterate(lvl::CoiterateOp loop, unsigned around) {
    unsigned number = numbers[loop] = unsigned(graph.loops.size() + 1);
    size_t merged = loop.getIterators().size() + bool(loop.getUniverse());
    graph.loops.push_back({.name = loop.getName().str(),
                           .around = around,
                           .depth = around ? graph.loops[around - 1].depth + 1 : 0,
                           .allValues = bool(loop.getUniverse()),
                           .divided = bool(loop.getPieces()),
                           .merges = merged > 1 ? mergeName(loop).str() : ""});
    for (Value iterator : loop.getIterators()) {
      auto op = iterator.getDefiningOp<lvl::IteratorOp>();
      add(op.getParent(), unsigned(op.getLevel()), unsigned(op.getSteps().size()), number,
          Use::Walked);
    }
    block(loop.getBodies().front().front(), number);
  }

  void add(Value parent, unsigned level, unsigned count, unsigned loop, Use use) {
    graph.levels.push_back(
        {loopThatReaches(parent), loop, storageOfPath(parent), level, count, use});
  }

  // What is gathered, and what comes after its children, is inserted without its parent.
  void insert(lvl::InsertOp op, unsigned loop) {
    if (op.getParent())
      return add(op.getParent(), unsigned(op.getLevel()), 1, loop, Use::Inserted);
    parentless.push_back(unsigned(graph.levels.size()));
    graph.levels.push_back({0, loop, result, unsigned(op.getLevel()), 1, Use::Inserted});
  }

  // The loop that inserts the result's level above this one; the root of the first level.
  unsigned loopThatInserts(unsigned level) const {
    for (const IterationGraph::Levels &edge : graph.levels)
      if (edge.use == Use::Inserted && edge.first + edge.count == level)
        return edge.to;
    return 0;
  }

  unsigned loopThatReaches(Value path) const {
    if (auto argument = dyn_cast<BlockArgument>(path))
      return numbers.lookup(argument.getOwner()->getParentOp());
    Operation *op = path.getDefiningOp();
    return isa<lvl::RootOp>(op) ? 0 : numbers.lookup(op->getParentOfType<lvl::CoiterateOp>());
  }

  IterationGraph graph;
  std::string result;               ///< the name of what is made
  SmallVector<unsigned> parentless; ///< levels that are inserted without the place above them
  llvm::DenseMap<Operation *, unsigned> numbers; // of loops, from 1; 0 is the root
};

} // namespace

std::optional<std::vector<IterationGraph>> iterationGraphs(ModuleOp kernels) {
  OwningOpRef<ModuleOp> copy(kernels.clone());
  if (failed(lowerKernels(*copy, Stage::Lvl)))
    return std::nullopt;
  std::vector<IterationGraph> graphs;
  for (auto function : copy->getOps<func::FuncOp>())
    if (!function.isExternal())
      graphs.push_back(GraphReader().read(function));
  return graphs;
}

static std::string nodeOf(unsigned loop) {
  return loop ? "loop" + std::to_string(loop) : std::string("root");
}

static StringRef styleOf(Use use) {
  switch (use) {
  case Use::Walked:
    return "";
  case Use::Located:
    return "style=dashed, ";
  case Use::Inserted:
    break;
  }
  return "style=bold, ";
}

// The edges to a loop stand behind it.
static void writeDot(const IterationGraph &graph, llvm::raw_ostream &os) {
  os << "digraph " << graph.kernel << " {\n  root [shape=point]\n";
  auto edgesTo = [&](unsigned loop) {
    for (const IterationGraph::Levels &edge : graph.levels)
      if (edge.to == loop)
        os << "  " << nodeOf(edge.from) << " -> " << nodeOf(loop) << " [" << styleOf(edge.use)
           << "label=\"" << levelsText(edge.storage, edge.first, edge.count) << "\"]\n";
  };
  edgesTo(0);
  for (auto [at, loop] : llvm::enumerate(graph.loops)) {
    os << "  " << nodeOf(at + 1) << " [label=\"" << loop.name << (loop.allValues ? " (all)" : "")
       << "\"]\n";
    if (loop.allValues)
      os << "  " << nodeOf(loop.around) << " -> " << nodeOf(at + 1) << " [color=gray]\n";
    edgesTo(at + 1);
  }
  os << "}\n";
}

std::string dotText(const std::vector<IterationGraph> &graphs) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const IterationGraph &graph : graphs)
    writeDot(graph, os);
  return text;
}

} // namespace strata
