// Recognizes loops that are cut in pieces by what their bounds are computed from.
#include "strata/lower/scf/CutLoop.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace strata {

// The number of which `bound` is the part before piece `at` of `count`: number * at / count.
static Value cutNumber(Value bound, Value at, Value count) {
  auto quotient = bound.getDefiningOp<arith::DivUIOp>();
  auto product = quotient && quotient.getRhs() == count
                     ? quotient.getLhs().getDefiningOp<arith::MulIOp>()
                     : arith::MulIOp();
  if (!product)
    return Value();
  auto isAt = [&](Value factor) {
    if (factor == at)
      return true;
    auto next = factor.getDefiningOp<arith::AddIOp>();
    return next && (next.getLhs() == at || next.getRhs() == at);
  };
  return isAt(product.getRhs())   ? product.getLhs()
         : isAt(product.getLhs()) ? product.getRhs()
                                  : Value();
}

std::optional<CutLoop> CutLoop::around(scf::ForOp root) {
  auto around = dyn_cast<scf::ParallelOp>(root->getParentOp());
  if (!around || around.getNumLoops() != 1 || around.getNumResults() > 0)
    return std::nullopt;
  // Nothing else is there but what the bounds are computed from.
  for (Operation &op : around.getBody()->without_terminator())
    if (&op != root && (!isa<arith::MulIOp, arith::DivUIOp, arith::AddIOp, arith::ConstantOp>(op) ||
                        llvm::any_of(op.getUsers(), [&](Operation *user) {
                          return root->isProperAncestor(user);
                        })))
      return std::nullopt;
  Value at = around.getInductionVars()[0], count = around.getUpperBound()[0];
  Value first = cutNumber(root.getLowerBound(), at, count),
        last = cutNumber(root.getUpperBound(), at, count);
  if (!first || first != last || around.getRegion().isAncestor(first.getParentRegion()))
    return std::nullopt;
  return CutLoop{around, first};
}

} // namespace strata
