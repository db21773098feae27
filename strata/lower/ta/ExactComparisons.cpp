// Finds statements in which rounding decides.
#include "strata/lower/ta/ExactComparisons.h"

#include "strata/dialect/ta/LabelValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;

namespace strata {

static bool isMultiplied(Value value) {
  if (auto negative = value.getDefiningOp<arith::NegFOp>())
    value = negative.getOperand();
  return value.getDefiningOp<arith::MulFOp>();
}

// Tells whether a multiplication that may be fused with an addition is a part of what makes the
// value.
static bool mayFuse(Value value) {
  SmallVector<Value> work{value};
  llvm::SmallDenseSet<Value> seen;
  while (!work.empty()) {
    Value one = work.pop_back_val();
    Operation *def = one.getDefiningOp();
    if (!def || isa<ta::AccessOp>(def) || !seen.insert(one).second)
      continue;
    if (isa<complex::MulOp>(def) ||
        (isa<arith::AddFOp, arith::SubFOp>(def) && llvm::any_of(def->getOperands(), isMultiplied)))
      return true;
    if (auto reduce = dyn_cast<ta::ReduceOp>(def))
      work.push_back(reduce.getYielded());
    else
      llvm::append_range(work, def->getOperands());
  }
  return false;
}

static bool asksEqual(ta::CompareOp compare) {
  bool asks =
      compare.getRelation() == ta::Relation::eq || compare.getRelation() == ta::Relation::ne;
  return asks && !compare->hasAttr(ta::ofLabelsAttribute) &&
         isa<FloatType, ComplexType>(compare.getLhs().getType());
}

bool comparesComputed(ta::ComputeOp op) {
  WalkResult found = op.getBody().walk([](Operation *inner) {
    bool finds = false;
    if (auto compare = dyn_cast<ta::CompareOp>(inner))
      finds = asksEqual(compare) && (mayFuse(compare.getLhs()) || mayFuse(compare.getRhs()));
    if (auto reduce = dyn_cast<ta::ReduceOp>(inner))
      finds =
          (reduce.getCombine() == ta::Combine::min || reduce.getCombine() == ta::Combine::max) &&
          mayFuse(reduce.getYielded());
    return finds ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found.wasInterrupted();
}

} // namespace strata
