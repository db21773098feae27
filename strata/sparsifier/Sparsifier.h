// In place of upstream's --sparsifier: from functions on sparse tensors to the LLVM dialect.
#ifndef STRATA_SPARSIFIER_SPARSIFIER_H
#define STRATA_SPARSIFIER_SPARSIFIER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/Pass.h"

namespace strata::sparsifier {

/// What a statement is compiled for.
struct StatementOptions {
  bool threads = false; ///< loops of kernels may be divided among threads
  bool gpu = false;     ///< a GPU is asked for, which is refused
};

/// Replaces statements (FoundStatement.h) by calls of functions that are declared, and adds the
/// code that these will call.
std::unique_ptr<mlir::Pass> createOutlineStatements(StatementOptions options);
/// Gives the functions that were declared bodies, once tensors are buffers: they hand over
/// the words of host/Statement.h.
std::unique_ptr<mlir::Pass> createDefineStatements();

/// Tells whether the function was declared for a statement, and has no body yet.
bool isDeclaredStatement(mlir::func::FuncOp function);
/// Says of each tensor that such a function takes whether it is written, for bufferization. The
/// tensors may be fewer than those of the statement: sparse ones may be buffers by now.
void declareAccesses(mlir::func::FuncOp function);

/// The dialects, and upstream's models of them for bufferization.
void registerDialects(mlir::DialectRegistry &registry);
/// Registers the pipeline `sparsifier`, with upstream's options.
void registerPipeline();

} // namespace strata::sparsifier

#endif // STRATA_SPARSIFIER_SPARSIFIER_H
