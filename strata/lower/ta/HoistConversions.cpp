// Moves conversions and temporaries of what a loop does not change in front of the loop.
#include "strata/dialect/ta/Ta.h"
#include "strata/lower/Passes.h"

#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_HOISTCONVERSIONS
#include "strata/lower/Passes.h.inc"

namespace {

bool isProgramLoop(Operation *op) { return isa<ta::ForOp, ta::LoopOp>(op); }

// Gives an operation before `op`, in its block, that converts the same tensor in the same way.
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

// What an operation before the loop would need that stands in the loop and can go before it as
// well: sizes, and the numbers that labels are worth. Nothing where something varies from round to
// round.
std::optional<SmallVector<Operation *>> neededBefore(Operation *loop, Operation *op) {
  llvm::SetVector<Value> operands(llvm::from_range, op->getOperands());
  getUsedValuesDefinedAbove(op->getRegions(), operands);
  SmallVector<Operation *> needed;
  for (Value operand : operands) {
    if (!loop->isAncestor(operand.getParentRegion()->getParentOp()))
      continue;
    Operation *def = operand.getDefiningOp();
    if (!def || !(isa<ta::DimOp, ta::IotaOp>(def) || def->hasTrait<OpTrait::ConstantLike>()))
      return std::nullopt;
    auto those = neededBefore(loop, def);
    if (!those)
      return std::nullopt;
    needed.append(*those);
    needed.push_back(def);
  }
  return needed;
}

// One that the compiler inserted; where the user asks for a copy, that is a statement.
void hoist(Operation *op) {
  bool moved = false;
  for (Operation *loop = op->getParentOp(); isProgramLoop(loop); loop = op->getParentOp()) {
    auto needed = neededBefore(loop, op);
    if (!needed)
      break;
    for (Operation *first : *needed)
      if (loop->isProperAncestor(first))
        first->moveBefore(loop);
    op->moveBefore(loop);
    moved = true;
  }
  if (!moved)
    return;
  if (Operation *same = isa<ta::ComputeOp>(op) ? nullptr : sameBefore(op)) {
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
      if (isa<ta::ConvertOp, ta::GatherOp, ta::NeedsOp, ta::FetchOp, ta::ComputeOp>(op) &&
          op->hasAttr("reason"))
        conversions.push_back(op);
    });
    for (Operation *op : conversions)
      hoist(op);
  }
};

} // namespace
} // namespace strata
