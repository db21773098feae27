// A product with a sum for a factor becomes the sum of products.
//
// before: for i { for k { t_j = 0; for j { t_j += C[i, j] * D[j, k] }; A[i, k] = B[i, k] * t_j } }
// after: for i { for k { for j { A[i, k] += B[i, k] * C[i, j] * D[j, k] } } }
//
// Then the sum's loops and those around it can be reordered.
#include "strata/dialect/ta/Algebra.h"
#include "strata/schedule/Loops.h"

#include "strata/lower/analysis/LoopNest.h"
#include "strata/lower/analysis/MergeCost.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace strata::schedule {
namespace {

// The only op of a block, if it is an assignment.
cin::AssignOp soleAssignment(Block &block) {
  return llvm::hasSingleElement(block) ? dyn_cast<cin::AssignOp>(block.front()) : cin::AssignOp();
}

// The read of a temporary, if the assigned value is a product of it and of other factors.
cin::AccessOp factorIn(cin::AssignOp assign, Value temporary) {
  cin::AccessOp found;
  for (Operation *user : temporary.getUsers())
    if (assign->isProperAncestor(user)) {
      if (found)
        return {};
      found = cast<cin::AccessOp>(user);
    }
  if (!found)
    return {};
  for (Value at = found.getResult(); at != assign.getYielded();) {
    if (!at.hasOneUse() || !isProduct(*at.getUsers().begin()))
      return {};
    at = (*at.getUsers().begin())->getResult(0);
  }
  return found;
}

// Where the consumer assigns a product of the temporary, a sum, and of other factors: puts these
// into the sum, so that its loops are the whole body of the one around. False if that is not so.
bool takeFactorsIn(func::FuncOp kernel, cin::WhereOp where) {
  cin::TempOp temp = temporaryOf(where);
  auto head = dyn_cast<cin::ForallOp>(where.getProducer().front().front());
  bool scalarSum = temp.getCombine() == ta::Combine::add && !temp.getMissing() &&
                   temp.getExtents().empty() && head &&
                   llvm::hasSingleElement(where.getProducer().front());
  if (!scalarSum || &where->getBlock()->front() != temp || &where->getBlock()->back() != where)
    return false;
  cin::AssignOp term = soleAssignment(chainFrom(head).back().getBlock());
  cin::AssignOp product = soleAssignment(where.getConsumer().front());
  if (!term || !product || term.getTarget() != temp.getStorage() ||
      term.getCombine() != ta::Combine::add)
    return false;
  cin::AccessOp factor = factorIn(product, temp.getStorage());
  auto builds = kernel.getBody().front().getOps<cin::BuildOp>();
  bool isResult = !assignsTemporary(product);
  if (!factor || product.getMissing() ||
      (product.getCombine() ? product.getCombine() != ta::Combine::add
                            : !isResult || builds.empty()))
    return false;

  OpBuilder b(factor);
  IRMapping mapping;
  for (Operation &op : term.getBlock().without_terminator())
    b.clone(op, mapping);
  factor.getResult().replaceAllUsesWith(mapping.lookupOrDefault(term.getYielded()));
  factor.erase();
  if (!product.getCombine()) {
    TypedAttr zero = ta::identityOf(ta::Combine::add, product.getYielded().getType());
    if (ta::fillOf(product.getTarget().getType().getTensor()) != zero)
      cin::BuildOp(*builds.begin()).setInitialAttr(zero);
    product.setCombine(ta::Combine::add);
    product.setReduces(true);
  }
  head->moveBefore(temp);
  product->moveBefore(term);
  term.erase();
  where.erase();
  temp.erase();
  return true;
}

} // namespace

void takeFactorsIn(func::FuncOp kernel, ArrayRef<cin::ForallOp> loops) {
  auto isBetween = [&](cin::WhereOp where, cin::ForallOp inside) {
    return where && where.getProducer().isAncestor(inside->getParentRegion()) &&
           llvm::any_of(loops, [&](cin::ForallOp loop) { return loop->isProperAncestor(where); });
  };
  for (bool changed = true; std::exchange(changed, false);)
    for (cin::ForallOp loop : loops) {
      auto where = dyn_cast<cin::WhereOp>(headOfChain(loop)->getParentOp());
      if (isBetween(where, loop) && takeFactorsIn(kernel, where)) {
        changed = true;
        break;
      }
    }
}

} // namespace strata::schedule
