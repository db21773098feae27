// The loops of a kernel as a graph, in the language of Graphviz's dot.
#ifndef STRATA_EXPLAIN_ITERATIONGRAPH_H
#define STRATA_EXPLAIN_ITERATIONGRAPH_H

#include "mlir/IR/BuiltinOps.h"
#include <string>

namespace strata {

/// One graph for each kernel of a module that is still in ta. Nodes are the loops, from the root
/// down; an edge is a level of a storage, from the loop in which the level above it is reached to
/// the loop that walks it, drawn dashed where the level is located and bold where it is the
/// result's. Empty if the module could not be lowered.
std::string iterationGraph(mlir::ModuleOp kernels);

} // namespace strata

#endif // STRATA_EXPLAIN_ITERATIONGRAPH_H
