// Moves conversions of what a loop does not change in front of the loop.
#include "strata/dialect/ta/Ta.h"
#include "strata/lower/Passes.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_HOISTCONVERSIONS
#include "strata/lower/Passes.h.inc"

namespace {

bool isProgramLoop(Operation *op) { return isa<ta::ForOp, ta::LoopOp>(op); }

// An operation before `op`, in its block, that converts the same tensor in the same way.
Operation *sameBefore(Operation *op) {
  auto properties = [](Operation *op) {
    NamedAttrList attributes(op->getAttrDictionary());
    attributes.erase("reason");
    return attributes.getDictionary(op->getContext());
  };
  for (Operation *user : op->getOperand(0).getUsers())
    if (user != op && user->getBlock() == op->getBlock() && user->isBeforeInBlock(op) &&
        user->getName() == op->getName() && user->getOperands() == op->getOperands() &&
        user->getResultTypes() == op->getResultTypes() && properties(user) == properties(op))
      return user;
  return nullptr;
}

// One that the compiler inserted; where the user asks for a copy, that is a statement.
void hoist(Operation *op) {
  bool moved = false;
  for (Operation *loop = op->getParentOp(); isProgramLoop(loop); loop = op->getParentOp()) {
    bool varies = llvm::any_of(op->getOperands(), [&](Value operand) {
      return loop->isAncestor(operand.getParentRegion()->getParentOp());
    });
    if (varies)
      break;
    op->moveBefore(loop);
    moved = true;
  }
  if (!moved)
    return;
  if (Operation *same = sameBefore(op)) {
    op->replaceAllUsesWith(same);
    op->erase();
    return;
  }
  std::string reason = op->getAttrOfType<StringAttr>("reason").getValue().str();
  op->setAttr("reason", StringAttr::get(op->getContext(), reason + "; once, before the loop"));
}

struct HoistConversions : impl::HoistConversionsBase<HoistConversions> {
  void runOnOperation() override {
    SmallVector<Operation *> conversions;
    getOperation().walk([&](Operation *op) {
      if (isa<ta::ConvertOp, ta::GatherOp, ta::NeedsOp, ta::FetchOp>(op) && op->hasAttr("reason"))
        conversions.push_back(op);
    });
    for (Operation *op : conversions)
      hoist(op);
  }
};

} // namespace
} // namespace strata
