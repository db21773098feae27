// Compares the sizes of labels with those of the result.
#include "strata/lower/analysis/WholeResult.h"

#include "strata/lower/analysis/IndexStatement.h"

using namespace mlir;

namespace strata {

bool reachesAllOf(ta::ComputeOp op, Value whole) {
  const AffineMap map = op.getOutMap(); // a label twice reaches a diagonal
  return map.isProjectedPermutation() &&
         llvm::all_of(llvm::enumerate(map.getResults()), [&](auto pair) {
           unsigned label = cast<AffineDimExpr>(pair.value()).getPosition();
           return isSizeOf(op.getExtents()[label], whole, pair.index());
         });
}

bool reachesWholeResult(ta::ComputeOp op) {
  return op->hasAttr(wholeResultAttribute) || reachesAllOf(op, op.getResult());
}

void markWholeResult(ta::ComputeOp op) {
  op->setAttr(wholeResultAttribute, UnitAttr::get(op.getContext()));
}

} // namespace strata
