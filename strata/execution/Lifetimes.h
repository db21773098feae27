// When tensors of a host program are needed for the last time.
#ifndef STRATA_EXECUTION_LIFETIMES_H
#define STRATA_EXECUTION_LIFETIMES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace strata {

/// For each operation of a function, blocks of loops and branches included: the tensors of its own
/// block that nothing uses after it. A use within a loop is one by the loop. That a tensor's size
/// is asked for (`ta.dim`) is no use of it.
class Lifetimes {
public:
  Lifetimes() = default;
  explicit Lifetimes(mlir::func::FuncOp function);

  /// An argument of a block that is never used ends with the block's first operation.
  llvm::ArrayRef<mlir::Value> endingWith(mlir::Operation *op) const;
  bool endsWith(mlir::Value tensor, mlir::Operation *op) const;

private:
  void addBlock(mlir::Block &block);
  void add(mlir::Value value, mlir::Operation *last);

  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value, 2>> ending;
};

} // namespace strata

#endif // STRATA_EXECUTION_LIFETIMES_H
