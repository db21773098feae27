// A statement on sparse tensors, as it stands in a function of upstream's operations.
#ifndef STRATA_SPARSIFIER_FOUNDSTATEMENT_H
#define STRATA_SPARSIFIER_FOUNDSTATEMENT_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/SetVector.h"

namespace strata::sparsifier {

/// Tells whether a kernel computes the operation: a structured operation, a conversion, a
/// concatenation, a pad, or a reshape by constant factors, with a sparse tensor among its operands
/// or results.
bool isStatement(mlir::Operation *op);

/// An operation, what else of the function belongs to it, and what it takes from there.
///
/// Constants belong to it, what is only allocated or filled with a constant, and where its operands
/// are slices. So a result that is written to an allocation has memory of its own, and no kernel
/// adds to zeros that somebody stored.
struct FoundStatement {
  explicit FoundStatement(mlir::Operation *op);

  mlir::Operation *op;
  llvm::SetVector<mlir::Operation *> inside; ///< what belongs to it, in the order of the function
  llvm::SetVector<mlir::Value> inputs;       ///< tensors, and scalars of its body
  llvm::SetVector<mlir::Value> sizes;        ///< of what is allocated in it, and its slices
  /// Of each result the number of the input, a dense tensor, that it is written into; -1: none.
  llvm::SmallVector<int64_t> goals;

  /// A function `main` of upstream's operations that does the same, in a module of its own. Its
  /// arguments are the inputs; and, if there are sizes, a tensor with as many dimensions, of which
  /// it reads these sizes alone.
  mlir::OwningOpRef<mlir::ModuleOp> asProgram() const;

private:
  void add(mlir::Value value, bool isSize = true);
};

} // namespace strata::sparsifier

#endif // STRATA_SPARSIFIER_FOUNDSTATEMENT_H
