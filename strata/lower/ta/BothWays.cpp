// Makes branches of two statements with the same result.
#include "strata/lower/ta/BothWays.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace strata {

namespace {

// Holds what was converted, or computed, for a statement alone: operands before it, and what these
// were made of; and its result after it, which then is as it was `wanted`. (Further conversions,
// such as that to a hybrid format, are not for it.)
struct Inserted {
  Inserted(ta::ComputeOp op, Type wanted) : ops{op} {
    for (size_t seen = 0; seen < ops.size(); ++seen)
      for (Value input : tensorsReadBy(ops[ops.size() - 1 - seen]))
        if (isForThese(input.getDefiningOp()))
          ops.insert(ops.begin(), input.getDefiningOp());
    result = op.getResult();
    if (result.getType() != wanted && result.hasOneUse())
      if (auto convert = dyn_cast<ta::ConvertOp>(*result.getUsers().begin());
          convert && convert.getReason()) {
        ops.push_back(convert);
        result = convert.getResult();
      }
  }

  static ValueRange tensorsReadBy(Operation *op) {
    auto compute = dyn_cast<ta::ComputeOp>(op);
    return compute ? ValueRange(compute.getInputs()) : ValueRange(op->getOperands());
  }

  // Tells whether nothing else needs what an operation makes.
  bool isForThese(Operation *first) const {
    auto convert = dyn_cast_or_null<ta::ConvertOp>(first);
    auto part = dyn_cast_or_null<ta::ComputeOp>(first);
    return ((convert && convert.getReason()) || (part && part.getReason())) &&
           first->getBlock() == ops.back()->getBlock() && !llvm::is_contained(ops, first) &&
           llvm::all_of(first->getUsers(), [&](Operation *user) {
             return llvm::any_of(ops, [&](Operation *op) { return op->isAncestor(user); });
           });
  }

  // Moves it all to the end of the block, which hands the result over.
  void moveTo(Block *block, OpBuilder &b) {
    for (Operation *op : ops)
      op->moveBefore(block, block->end());
    b.setInsertionPointToEnd(block);
    ta::NextOp::create(b, ops.front()->getLoc(), result);
  }

  SmallVector<Operation *> ops;
  Value result;
};

} // namespace

ta::ComputeOp copyOf(ta::ComputeOp op) {
  OpBuilder b(op->getBlock(), std::next(op->getIterator()));
  return cast<ta::ComputeOp>(b.clone(*op));
}

bool convertsOnce(ta::ComputeOp op) {
  Operation *loop = op->getParentOp();
  return isa<ta::ForOp, ta::LoopOp>(loop) && llvm::any_of(op.getInputs(), [&](Value input) {
           auto convert = input.getDefiningOp<ta::ConvertOp>();
           return convert && convert.getReason() &&
                  !loop->isAncestor(convert.getTensor().getParentRegion()->getParentOp());
         });
}

void keepBoth(ta::ComputeOp op, ta::ComputeOp other, Type wanted, StringRef attribute,
              bool unknown) {
  Inserted converting(op, wanted), without(other, wanted);
  OpBuilder b(converting.ops.front());
  Value condition = arith::ConstantIntOp::create(b, op.getLoc(), unknown, 1);
  auto branch = ta::IfOp::create(b, op.getLoc(), converting.result.getType(), condition);
  branch->setAttr(attribute, b.getUnitAttr());
  converting.result.replaceUsesWithIf(branch.getResult(0), [&](OpOperand &use) {
    return !llvm::is_contained(converting.ops, use.getOwner());
  });
  without.moveTo(b.createBlock(&branch.getBody()), b);
  converting.moveTo(b.createBlock(&branch.getOtherwise()), b);
}

} // namespace strata
