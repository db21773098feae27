// Numbers of another precision, real or complex.
#ifndef STRATA_LOWER_UTILS_PRECISION_H
#define STRATA_LOWER_UTILS_PRECISION_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"

namespace strata {

/// Emits the value with the precision of a type of the same kind.
inline mlir::Value emitPrecision(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value,
                                 mlir::Type type) {
  using namespace mlir;
  auto real = [&](Value part, Type to) -> Value {
    if (part.getType() == to)
      return part;
    if (to.getIntOrFloatBitWidth() > part.getType().getIntOrFloatBitWidth())
      return arith::ExtFOp::create(b, loc, to, part);
    return arith::TruncFOp::create(b, loc, to, part);
  };
  auto complex = dyn_cast<ComplexType>(type);
  if (!complex)
    return real(value, type);
  Type part = complex.getElementType();
  Value re = real(complex::ReOp::create(b, loc, value), part);
  Value im = real(complex::ImOp::create(b, loc, value), part);
  return complex::CreateOp::create(b, loc, type, re, im);
}

} // namespace strata

#endif // STRATA_LOWER_UTILS_PRECISION_H
