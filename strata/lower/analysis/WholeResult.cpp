// Compares the sizes of labels with those of the result.
#include "strata/lower/analysis/WholeResult.h"

#include "strata/lower/analysis/IndexStatement.h"

using namespace mlir;

namespace strata {

static constexpr StringLiteral attribute = "strata.whole";

bool reachesWholeResult(ta::ComputeOp op) {
  if (op->hasAttr(attribute))
    return true;
  llvm::SmallBitVector seen(op.getOutMap().getNumDims()); // a label twice reaches a diagonal
  for (auto [dim, place] : llvm::enumerate(op.getOutMap().getResults())) {
    auto label = dyn_cast<AffineDimExpr>(place);
    if (!label || seen.test(label.getPosition()) ||
        !isSizeOf(op.getExtents()[label.getPosition()], op.getResult(), dim))
      return false;
    seen.set(label.getPosition());
  }
  return true;
}

void markWholeResult(ta::ComputeOp op) { op->setAttr(attribute, UnitAttr::get(op.getContext())); }

} // namespace strata
