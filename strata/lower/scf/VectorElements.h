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

/// A vector of so many elements. One of complex numbers has their real and imaginary parts in
/// turns, as memory has them.
mlir::VectorType vectorOf(mlir::Type element, int64_t lanes);

/// A vector whose elements are all this one.
mlir::Value repeated(mlir::OpBuilder &b, mlir::Location loc, mlir::VectorType type,
                     mlir::Value element);

/// The element of a vector in a lane, which has this type.
mlir::Value elementOf(mlir::OpBuilder &b, mlir::Location loc, mlir::Value vector, int64_t lane,
                      mlir::Type type);

/// The numbers that stand for an element in a vector: itself, or the parts of a complex number.
llvm::SmallVector<mlir::Value, 2> partsOf(mlir::OpBuilder &b, mlir::Value element);

/// Of elements of this type those of one vector where the mask is set, and of another elsewhere.
mlir::Value chosen(mlir::OpBuilder &b, mlir::Location loc, mlir::Value mask, mlir::Value then,
                   mlir::Value otherwise, mlir::Type type);

/// Elements of a buffer from a place on: all that a vector has lanes for, or, where there is a mask
/// of a bit for each, those.
struct VectorWindow {
  mlir::Value buffer, at, mask;
};
/// Loads a vector. What the mask leaves out is zero.
mlir::Value loadVector(mlir::OpBuilder &b, mlir::Location loc, VectorWindow window,
                       mlir::VectorType type);
void storeVector(mlir::OpBuilder &b, mlir::Location loc, mlir::Value values, VectorWindow window);

/// Is that a sum, difference, product, opposite, or conjugate of complex numbers, or does it take
/// one apart or make one?
bool isElementwiseOfComplex(mlir::Operation &op);

/// The vector that stands for a value in `vectors`; else its scalar, the same for all elements.
mlir::Value widenedTo(mlir::OpBuilder &b, mlir::VectorType type, mlir::Value value,
                      mlir::Value scalar, mlir::IRMapping &vectors);

/// The same operation on vectors.
mlir::Value widened(mlir::OpBuilder &b, mlir::Operation &op, mlir::ValueRange operands,
                    mlir::VectorType type);

} // namespace strata

#endif // STRATA_LOWER_SCF_VECTORELEMENTS_H
