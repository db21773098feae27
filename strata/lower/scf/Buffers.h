// Which buffer a value stands for, and how functions are given buffers.
#ifndef STRATA_LOWER_SCF_BUFFERS_H
#define STRATA_LOWER_SCF_BUFFERS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace strata {

/// Caches hold so many bytes as one.
inline constexpr int64_t bytesOfLine = 64;

/// Tells whether the operation computes a place in a buffer from others.
inline bool computesPlaces(mlir::Operation &op) {
  return mlir::isa<mlir::arith::AddIOp, mlir::arith::MulIOp>(op) &&
         op.getResult(0).getType().isIndex();
}

/// The buffer that a view is of.
inline mlir::Value wholeOf(mlir::Value view) {
  while (mlir::Operation *def = view.getDefiningOp()) {
    if (!mlir::isa<mlir::memref::ReinterpretCastOp, mlir::memref::CastOp>(def))
      break;
    view = def->getOperand(0);
  }
  return view;
}

/// A buffer as a function's arguments: a bare pointer, and how many elements there are.
struct GivenBuffer {
  mlir::Value pointer, size;
};
GivenBuffer giveBuffer(mlir::OpBuilder &b, mlir::Location loc, mlir::Value buffer);
/// In the function, the same buffer again.
mlir::Value takeBuffer(mlir::OpBuilder &b, mlir::Location loc, mlir::MemRefType type,
                       const GivenBuffer &given);

/// Marks the arguments of a function that overlap nothing, since they are buffers of the kernel
/// that do not, each given once: `given` are the values of its last arguments.
void keepAliases(mlir::func::FuncOp kernel, mlir::func::FuncOp function,
                 llvm::ArrayRef<mlir::Value> given);

} // namespace strata

#endif // STRATA_LOWER_SCF_BUFFERS_H
