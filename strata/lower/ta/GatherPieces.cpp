// Makes tensors whole where an operation needs all of them, of those that are in pieces.
#include "strata/dialect/ta/Ta.h"
#include "strata/lower/Passes.h"
#include "strata/lower/analysis/IndexStatement.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_GATHERPIECES
#include "strata/lower/Passes.h.inc"

namespace {

// What people are told: not of what is printed or returned, which shows itself.
StringAttr reasonFor(Operation *op) {
  bool shows = isa<ta::PrintOp, ta::CheckpointOp, func::ReturnOp>(op);
  return shows ? StringAttr() : StringAttr::get(op->getContext(), "every cell needs all of it");
}

RankedTensorType placedType(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && ta::placementOf(type) ? type : RankedTensorType();
}

RankedTensorType whole(RankedTensorType type) { return ta::withPlacement(type, {}); }

// Operations that know pieces, or hand them on as they are.
bool knowsPieces(Operation *op) {
  return isa<ta::ReadOp, ta::WriteOp, ta::FillOp, ta::DistributeOp, ta::InsideOp, ta::NeedsOp,
             ta::ReachOp, ta::FetchOp, ta::ScatterOp, ta::ConvertOp, ta::DimOp, ta::ReleaseOp,
             ta::ForOp, ta::LoopOp, ta::IfOp, ta::NextOp, ta::BreakOp>(op);
}

// A copy of a whole tensor to other cells.
bool becomesConversion(ta::ComputeOp op) {
  Value from = copiedBy(op);
  if (!from || !(placedType(from) || placedType(op.getResult())) || !copiesWhole(op))
    return false;
  OpBuilder b(op);
  auto convert =
      ta::ConvertOp::create(b, op.getLoc(), op.getResult().getType(), from, StringAttr());
  op.getResult().replaceAllUsesWith(convert);
  op.erase();
  return true;
}

void gatherOperands(Operation *op) {
  llvm::SetVector<Value> placed;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (placedType(operand))
        placed.insert(operand);
  });
  OpBuilder b(op);
  for (Value operand : placed) {
    auto gathered =
        ta::ConvertOp::create(b, op->getLoc(), whole(placedType(operand)), operand, reasonFor(op));
    operand.replaceUsesWithIf(gathered,
                              [&](OpOperand &use) { return op->isAncestor(use.getOwner()); });
  }
}

void distributeResults(Operation *op) {
  OpBuilder b(op->getContext());
  b.setInsertionPointAfter(op);
  for (Value result : op->getResults()) {
    RankedTensorType type = placedType(result);
    if (!type)
      continue;
    result.setType(whole(type));
    auto placed = ta::ConvertOp::create(b, op->getLoc(), type, result, StringAttr());
    result.replaceAllUsesExcept(placed, placed);
  }
}

struct GatherPieces : impl::GatherPiecesBase<GatherPieces> {
  using GatherPiecesBase::GatherPiecesBase;

  void runOnOperation() override {
    SmallVector<Operation *> operations;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      const bool hands = knowsPieces(op) || (returnsPieces && isa<func::ReturnOp>(op));
      if (!isa<ModuleOp, func::FuncOp>(op) && !hands)
        operations.push_back(op);
      return isa<ta::ComputeOp>(op) ? WalkResult::skip() : WalkResult::advance();
    });
    for (Operation *op : operations) {
      if (auto compute = dyn_cast<ta::ComputeOp>(op); compute && becomesConversion(compute))
        continue;
      gatherOperands(op);
      distributeResults(op);
    }
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal())
        function.setFunctionType(
            FunctionType::get(&getContext(), function.getArgumentTypes(),
                              function.getBody().back().getTerminator()->getOperandTypes()));
  }
};

} // namespace
} // namespace strata
