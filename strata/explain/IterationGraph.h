// The loops of a kernel, and the paths of tensors through them, as a graph.
#ifndef STRATA_EXPLAIN_ITERATIONGRAPH_H
#define STRATA_EXPLAIN_ITERATIONGRAPH_H

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>
#include <vector>

namespace strata {

/// The iteration graph of a kernel (004 section 4.1), with what becomes of each level.
struct IterationGraph {
  struct Loop {
    std::string name;       ///< of its index variable; "i, j" of a loop over pairs
    unsigned around = 0;    ///< the loop that it stands in: its number from 1; 0 is the root
    unsigned depth = 0;     ///< how many loops are around it
    bool allValues = false; ///< it takes all values of its variable
    bool divided = false;   ///< among threads
    std::string merges;     ///< "union", "intersection", ... of a loop that merges; else empty
  };
  enum class Use { Walked, Located, Inserted };
  /// Levels of a storage that one loop binds, from the loop in which the level above them is
  /// reached: an edge.
  struct Levels {
    unsigned from, to; ///< numbers of loops from 1; 0 is the root
    std::string storage;
    unsigned first, count; ///< counted from 0
    Use use;
  };
  std::string kernel;
  std::vector<Loop> loops; ///< from the outermost in, in the order of the code
  std::vector<Levels> levels;
};

/// One graph for each kernel of a module that is still in ta; nothing, after an error, if the
/// module could not be lowered.
std::optional<std::vector<IterationGraph>> iterationGraphs(mlir::ModuleOp kernels);

/// The graphs in the language of Graphviz's dot: an edge is drawn dashed where the level is located
/// and bold where it is the result's.
std::string dotText(const std::vector<IterationGraph> &graphs);

} // namespace strata

#endif // STRATA_EXPLAIN_ITERATIONGRAPH_H
