// Which buffer a value stands for.
#ifndef STRATA_LOWER_SCF_BUFFERS_H
#define STRATA_LOWER_SCF_BUFFERS_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace strata {

/// The buffer that a view is of.
inline mlir::Value wholeOf(mlir::Value view) {
  while (mlir::Operation *def = view.getDefiningOp()) {
    if (!mlir::isa<mlir::memref::ReinterpretCastOp, mlir::memref::CastOp>(def))
      break;
    view = def->getOperand(0);
  }
  return view;
}

} // namespace strata

#endif // STRATA_LOWER_SCF_BUFFERS_H
