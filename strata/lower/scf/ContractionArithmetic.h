// The numbers of a blocked contraction: real ones, complex ones as two real parts, whole ones; one
// by one or in vectors, added up and multiplied as a semiring says.
#ifndef STRATA_LOWER_SCF_CONTRACTIONARITHMETIC_H
#define STRATA_LOWER_SCF_CONTRACTIONARITHMETIC_H

#include "strata/lower/scf/Contraction.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace strata {

class ContractionArithmetic {
public:
  ContractionArithmetic(const Contraction &contraction, mlir::Location loc, mlir::OpBuilder &b);

  /// The real and the imaginary part of numbers, or of vectors of them; one part of those that are
  /// not complex.
  using Parts = llvm::SmallVector<mlir::Value, 2>;

  mlir::Type real;   ///< of a part
  int64_t parts = 1; ///< of a number

  /// How many bytes a number has.
  int64_t bytes() const { return parts * real.getIntOrFloatBitWidth() / 8; }

  /// What sums begin with: vectors of so many numbers, or without `lanes` one.
  Parts neutral(int64_t lanes);
  /// The sums and the products of two numbers each.
  Parts multiplyAdd(const Parts &sums, const Parts &x, const Parts &y);
  Parts product(const Parts &x, const Parts &y);
  Parts negative(const Parts &x);
  /// Of parts that a vector or a scalar holds in any order, the sums with those of another.
  mlir::Value sum(mlir::Value x, mlir::Value y);
  /// A number, as parts, and as vectors of `lanes` that all are it.
  Parts partsOf(mlir::Value number);
  Parts broadcast(const Parts &number, int64_t lanes);

  /// Numbers as they lie in memory, a part behind the other.
  mlir::VectorType vectorInMemory(int64_t lanes) const;
  mlir::Value joined(const Parts &vectors);
  Parts parted(mlir::Value vector);
  /// A number or a vector of numbers that an operand stores in a narrower type, in that of parts.
  mlir::Value widened(mlir::Value stored);
  /// The parts of a buffer of numbers.
  mlir::Value partsIn(mlir::Value buffer);

private:
  mlir::Value combine(ta::Combine combine, mlir::Value x, mlir::Value y,
                      mlir::arith::FastMathFlags flags);
  mlir::Value subtract(mlir::Value x, mlir::Value y);

  ta::Combine sums, products;
  mlir::Type element;
  mlir::Location loc;
  mlir::OpBuilder &b;
};

} // namespace strata

#endif // STRATA_LOWER_SCF_CONTRACTIONARITHMETIC_H
