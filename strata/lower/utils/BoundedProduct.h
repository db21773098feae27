// Products of sizes, which go with what a user gave.
#ifndef STRATA_LOWER_UTILS_BOUNDEDPRODUCT_H
#define STRATA_LOWER_UTILS_BOUNDEDPRODUCT_H

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <limits>

namespace strata {

/// Emits x * y, or the greatest index if the product is greater: of so much nothing can be
/// allocated.
inline mlir::Value boundedProduct(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x,
                                  mlir::Value y) {
  using namespace mlir;
  Value largest = arith::ConstantIndexOp::create(b, loc, std::numeric_limits<int64_t>::max());
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value divisor = arith::MaxUIOp::create(b, loc, y, one);
  Value most = arith::DivUIOp::create(b, loc, largest, divisor);
  Value fits = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ule, x, most);
  Value product = arith::MulIOp::create(b, loc, x, y);
  return arith::SelectOp::create(b, loc, fits, product, largest);
}

} // namespace strata

#endif // STRATA_LOWER_UTILS_BOUNDEDPRODUCT_H
