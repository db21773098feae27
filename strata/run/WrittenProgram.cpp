// Copies a program, and marks where its tensors have their values.
#include "strata/run/WrittenProgram.h"

#include "strata/dialect/ta/Ta.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace strata {

WrittenProgram::WrittenProgram(ModuleOp module) {
  IRMapping toCopy;
  copy = cast<ModuleOp>(module->clone(toCopy));
  auto mark = [&](OpBuilder &b, Value value) {
    if (!isa<RankedTensorType>(value.getType()))
      return;
    ta::CheckpointOp::create(b, value.getLoc(), value, int64_t(tensors.size()));
    tensors.push_back(toCopy.lookup(value));
  };
  auto markBlock = [&](Block &block) {
    OpBuilder b = OpBuilder::atBlockBegin(&block);
    for (BlockArgument argument : block.getArguments())
      mark(b, argument);
  };
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    SmallVector<Operation *> steps;
    function.walk([&](Operation *op) {
      bool host = isa<func::FuncOp, ta::ForOp, ta::LoopOp, ta::IfOp>(op->getParentOp());
      if (host)
        steps.push_back(op);
    });
    markBlock(function.getBody().front());
    for (Operation *op : steps) {
      OpBuilder b(op->getContext());
      b.setInsertionPointAfter(op);
      for (Value result : op->getResults())
        mark(b, result);
      if (isa<ta::ForOp, ta::LoopOp, ta::IfOp>(op))
        for (Region &region : op->getRegions())
          if (!region.empty())
            markBlock(region.front());
    }
  }
}

} // namespace strata
