// Affine expressions as arithmetic on index values.
#include "strata/lower/utils/EmitAffine.h"

#include "strata/dialect/ta/FormatMap.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace strata {

static Value emitFloorDiv(OpBuilder &b, Location loc, Value lhs, Value rhs, bool isSigned) {
  return isSigned ? b.createOrFold<arith::FloorDivSIOp>(loc, lhs, rhs)
                  : b.createOrFold<arith::DivUIOp>(loc, lhs, rhs);
}

static Value emitMod(OpBuilder &b, Location loc, Value lhs, Value rhs, bool isSigned) {
  if (!isSigned)
    return b.createOrFold<arith::RemUIOp>(loc, lhs, rhs);
  Value quotient = emitFloorDiv(b, loc, lhs, rhs, isSigned);
  return b.createOrFold<arith::SubIOp>(loc, lhs, b.createOrFold<arith::MulIOp>(loc, quotient, rhs));
}

Value emitAffine(OpBuilder &b, Location loc, AffineExpr expr, ValueRange dims, ValueRange symbols) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return arith::ConstantIndexOp::create(b, loc, constant.getValue());
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Value lhs = emitAffine(b, loc, binary.getLHS(), dims, symbols);
  auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (expr.getKind() == AffineExprKind::Mul && factor && factor.getValue() == -1)
    return b.createOrFold<arith::SubIOp>(loc, arith::ConstantIndexOp::create(b, loc, 0), lhs);
  Value rhs = emitAffine(b, loc, binary.getRHS(), dims, symbols);
  // What dims and symbols add up to is not negative, but parts of a difference are.
  bool isSigned = ta::canBeNegative(binary.getLHS());
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return b.createOrFold<arith::AddIOp>(loc, lhs, rhs);
  case AffineExprKind::Mul:
    return b.createOrFold<arith::MulIOp>(loc, lhs, rhs);
  case AffineExprKind::Mod:
    return emitMod(b, loc, lhs, rhs, isSigned);
  case AffineExprKind::FloorDiv:
    return emitFloorDiv(b, loc, lhs, rhs, isSigned);
  case AffineExprKind::CeilDiv:
  case AffineExprKind::Constant: // leaves are handled above
  case AffineExprKind::DimId:
  case AffineExprKind::SymbolId:
    break;
  }
  return isSigned ? b.createOrFold<arith::CeilDivSIOp>(loc, lhs, rhs)
                  : b.createOrFold<arith::CeilDivUIOp>(loc, lhs, rhs);
}

} // namespace strata
