// Operations on elements that can be done for several of them at once.
#ifndef STRATA_LOWER_SCF_VECTORELEMENTS_H
#define STRATA_LOWER_SCF_VECTORELEMENTS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace strata {

/// Does the operation compute an element from others of this type, each from its own?
inline bool isElementwise(mlir::Operation &op, mlir::Type element) {
  using namespace mlir::arith;
  auto isElement = [&](mlir::Type type) { return type == element; };
  return mlir::isa<AddFOp, SubFOp, MulFOp, DivFOp, NegFOp, MaximumFOp, MinimumFOp, MaxNumFOp,
                   MinNumFOp>(op) &&
         llvm::all_of(op.getOperandTypes(), isElement);
}

/// The same operation on vectors.
inline mlir::Value widened(mlir::OpBuilder &b, mlir::Operation &op, mlir::ValueRange operands,
                           mlir::VectorType type) {
  return b.create(op.getLoc(), op.getName().getIdentifier(), operands, {type}, op.getAttrs())
      ->getResult(0);
}

} // namespace strata

#endif // STRATA_LOWER_SCF_VECTORELEMENTS_H
