// Loops that are nothing but a transpose: B[...] = f(A[...]), where A and B have all labels, in
// different orders.
#ifndef STRATA_LOWER_SCF_TRANSPOSENEST_H
#define STRATA_LOWER_SCF_TRANSPOSENEST_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace strata {

class TransposeNest {
public:
  /// Loops from `root` in; nothing where they do anything else, or the last labels of A and B are
  /// such that elements are copied as they lie.
  static std::optional<TransposeNest> match(mlir::scf::ForOp root);

  /// Where an element lies, as the loops compute it: ((x * size + y) * size + z).
  struct Layout {
    llvm::SmallVector<unsigned> loops;    ///< z, y, x: neighbours lie next to each other first
    llvm::SmallVector<mlir::Value> sizes; ///< of each but the last of them
  };
  Layout source, target;

  mlir::scf::ForOp root;
  mlir::scf::ParallelOp pieces;              ///< around the root, if that runs in pieces
  llvm::SmallVector<mlir::Value> extents;    ///< of each loop; all begin at 0
  mlir::memref::LoadOp load;                 ///< of A
  llvm::SmallVector<mlir::Operation *> body; ///< what f does, in its order: elementwise operations
                                             ///< and loads of other operands from the place of B
  mlir::memref::StoreOp store;               ///< to B

  /// The operation that all of this is.
  mlir::Operation *whole() { return pieces ? pieces : root.getOperation(); }
  mlir::Type element() { return load.getType(); }
  /// How many labels both have last, in the same order.
  unsigned sharedLabels() const;

private:
  bool collect(mlir::scf::ForOp loop);
  bool takeBody(mlir::Block &block);
  bool parse(mlir::Value index, Layout &layout) const;
  bool isOutside(mlir::Value value) const;

  llvm::SmallVector<mlir::scf::ForOp> loops; ///< from the outside in
};

} // namespace strata

#endif // STRATA_LOWER_SCF_TRANSPOSENEST_H
