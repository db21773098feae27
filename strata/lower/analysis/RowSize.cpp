// Finds the rows of dense results.
#include "strata/lower/analysis/RowSize.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace strata {

std::optional<unsigned> rowVariable(ta::ComputeOp op) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  const ta::FormatAttr format = ta::formatOf(type);
  const AffineMap out = op.getOutMap();
  if (type.getRank() < 2 || !format.isFull() || !format.getDimToLvl().isIdentity())
    return std::nullopt;
  auto place = dyn_cast<AffineDimExpr>(out.getResult(type.getRank() - 1));
  return place ? std::optional(place.getPosition()) : std::nullopt;
}

void fixRowSize(func::FuncOp kernel, int64_t size) {
  auto op = *kernel.getOps<ta::ComputeOp>().begin();
  const std::optional<unsigned> variable = rowVariable(op);
  if (!variable)
    return;
  Value extent = op.getExtents()[*variable];
  OpBuilder b = OpBuilder::atBlockBegin(&kernel.front());
  extent.replaceAllUsesWith(arith::ConstantIndexOp::create(b, kernel.getLoc(), size));
}

} // namespace strata
