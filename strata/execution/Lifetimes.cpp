// Finds the last use of each tensor in its block.
#include "strata/execution/Lifetimes.h"

#include "strata/dialect/ta/Ta.h"

using namespace mlir;

namespace strata {

Lifetimes::Lifetimes(func::FuncOp function) { addBlock(function.getBody().front()); }

void Lifetimes::addBlock(Block &block) {
  for (BlockArgument argument : block.getArguments())
    add(argument, &block.front());
  for (Operation &op : block) {
    for (Value result : op.getResults())
      add(result, &op);
    if (isa<ta::ForOp, ta::LoopOp, ta::IfOp>(op))
      for (Region &region : op.getRegions())
        addBlock(region.front());
  }
}

void Lifetimes::add(Value value, Operation *last) {
  if (!isa<RankedTensorType>(value.getType()))
    return;
  for (Operation *user : value.getUsers()) {
    if (isa<ta::DimOp>(user))
      continue;
    Operation *inBlock = last->getBlock()->findAncestorOpInBlock(*user);
    if (last->isBeforeInBlock(inBlock))
      last = inBlock;
  }
  ending[last].push_back(value);
}

ArrayRef<Value> Lifetimes::endingWith(Operation *op) const {
  auto found = ending.find(op);
  return found == ending.end() ? ArrayRef<Value>() : ArrayRef<Value>(found->second);
}

bool Lifetimes::endsWith(Value tensor, Operation *op) const {
  return llvm::is_contained(endingWith(op), tensor);
}

} // namespace strata
