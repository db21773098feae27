// Evaluates affine expressions.
#include "strata/tensor/EvaluateAffine.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace strata {

int64_t evaluate(AffineExpr expr, ArrayRef<int64_t> dims) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t a = evaluate(binary.getLHS(), dims), b = evaluate(binary.getRHS(), dims);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return a + b;
  case AffineExprKind::Mul:
    return a * b;
  case AffineExprKind::Mod:
    return ((a % b) + b) % b;
  case AffineExprKind::FloorDiv:
    return llvm::divideFloorSigned(a, b);
  case AffineExprKind::CeilDiv:
  case AffineExprKind::Constant: // leaves are handled above
  case AffineExprKind::DimId:
  case AffineExprKind::SymbolId:
    break;
  }
  return llvm::divideCeilSigned(a, b);
}

int64_t extentOf(AffineMap map, ArrayRef<int64_t> sizes) {
  int64_t least = std::numeric_limits<int64_t>::max();
  for (AffineExpr bound : map.getResults())
    least = std::min(least, evaluate(bound, sizes));
  return std::max<int64_t>(least, 0);
}

} // namespace strata
