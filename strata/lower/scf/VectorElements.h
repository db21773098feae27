// Operations on elements that can be done for several of them at once.
#ifndef STRATA_LOWER_SCF_VECTORELEMENTS_H
#define STRATA_LOWER_SCF_VECTORELEMENTS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

namespace strata {

/// Of the widest vectors that loops are written with.
inline constexpr int64_t bytesOfVector = 64;

/// Does the operation compute an element from others, each from its own, for vectors of them as for
/// one? So do arithmetic, comparisons, choices and conversions, and the functions that processors
/// have instructions for. `isElement` says which types elements may have.
inline bool isElementwise(mlir::Operation &op, llvm::function_ref<bool(mlir::Type)> isElement) {
  bool isKnown =
      mlir::isa<mlir::arith::ArithDialect>(op.getDialect()) ||
      mlir::isa<mlir::math::AbsFOp, mlir::math::AbsIOp, mlir::math::SqrtOp, mlir::math::FmaOp>(op);
  return isKnown && op.getNumResults() == 1 && op.getNumOperands() > 0 &&
         mlir::OpTrait::hasElementwiseMappableTraits(&op) &&
         llvm::all_of(op.getOperandTypes(), isElement) &&
         llvm::all_of(op.getResultTypes(), isElement);
}

/// The same of integers and floating-point numbers.
inline bool isElementwise(mlir::Operation &op) {
  return isElementwise(op, [](mlir::Type type) { return type.isIntOrFloat(); });
}

/// The same, where all elements have this type.
inline bool isElementwise(mlir::Operation &op, mlir::Type element) {
  return isElementwise(op, [&](mlir::Type type) { return type == element && type.isIntOrFloat(); });
}

/// A place that moves by one element in each step of a loop.
struct MovingPlace {
  bool moves = false; ///< false of other places
  mlir::Value base;   ///< what is added to the loop's variable; null if nothing is
};

inline MovingPlace placeIn(mlir::scf::ForOp loop, mlir::Value index) {
  mlir::Value variable = loop.getInductionVar();
  if (index == variable)
    return {true, mlir::Value()};
  auto sum = index.getDefiningOp<mlir::arith::AddIOp>();
  if (!sum || (sum.getLhs() != variable && sum.getRhs() != variable))
    return {};
  mlir::Value base = sum.getLhs() == variable ? sum.getRhs() : sum.getLhs();
  return {loop.isDefinedOutsideOfLoop(base), base};
}

/// The vector that stands for a value in `vectors`; else its scalar, the same for all elements.
inline mlir::Value widenedTo(mlir::OpBuilder &b, mlir::VectorType type, mlir::Value value,
                             mlir::Value scalar, mlir::IRMapping &vectors) {
  if (mlir::Value known = vectors.lookupOrNull(value))
    return known;
  mlir::Value wide = mlir::vector::BroadcastOp::create(b, value.getLoc(), type, scalar);
  vectors.map(value, wide);
  return wide;
}

/// The same operation on vectors.
inline mlir::Value widened(mlir::OpBuilder &b, mlir::Operation &op, mlir::ValueRange operands,
                           mlir::VectorType type) {
  return b.create(op.getLoc(), op.getName().getIdentifier(), operands, {type}, op.getAttrs())
      ->getResult(0);
}

} // namespace strata

#endif // STRATA_LOWER_SCF_VECTORELEMENTS_H
