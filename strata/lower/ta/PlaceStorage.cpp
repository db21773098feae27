// Decides what storages results take over, and when those of tensors are given back.
#include "strata/dialect/ta/Ta.h"
#include "strata/dialect/ta/ValuesOps.h"
#include "strata/lower/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_PLACESTORAGE
#include "strata/lower/Passes.h.inc"

namespace {

/// Tensors whose last uses are in one block, by the operations of the block that use them last.
class Ending {
public:
  explicit Ending(Block &block) {
    for (BlockArgument argument : block.getArguments())
      add(argument, nullptr);
    for (Operation &op : block)
      for (Value result : op.getResults())
        add(result, &op);
  }

  /// Lets the last user of each tensor take it over, or puts a release behind it; in front of the
  /// block for an argument that nothing uses.
  void place(Block &block) {
    for (auto &[last, tensors] : ending) {
      SmallVector<Value> released;
      for (Value tensor : tensors)
        if (!handsOver(last, tensor))
          released.push_back(tensor);
      if (released.empty())
        continue;
      OpBuilder b(block.getParentOp()->getContext());
      if (last)
        b.setInsertionPointAfter(last);
      else
        b.setInsertionPointToStart(&block);
      ta::ReleaseOp::create(b, last ? last->getLoc() : block.getParentOp()->getLoc(), released);
    }
  }

private:
  // That a size is asked for is no use of the tensor. One within a loop or a branch is one by that.
  void add(Value value, Operation *last) {
    if (!isa<RankedTensorType>(value.getType()))
      return;
    for (Operation *user : value.getUsers()) {
      if (isa<ta::DimOp>(user))
        continue;
      Operation *inBlock = value.getParentBlock()->findAncestorOpInBlock(*user);
      if (!last || last->isBeforeInBlock(inBlock))
        last = inBlock;
    }
    ending[last].push_back(value);
  }

  // Tells whether the last user of a tensor takes its storage over, or hands it on.
  static bool handsOver(Operation *last, Value tensor) {
    if (!last)
      return false;
    if (last->hasTrait<OpTrait::IsTerminator>())
      return true;
    return llvm::TypeSwitch<Operation *, bool>(last)
        .Case<ta::ComputeOp, ta::WithValuesOp, ta::ForOp, ta::LoopOp>(
            [&](auto op) { return takesOver(op, tensor); })
        .Default(false);
  }

  // A statement that reads what it updates needs it as it was before.
  static bool takesOver(ta::ComputeOp statement, Value tensor) {
    if (statement.getInit() != tensor || llvm::is_contained(statement.getInputs(), tensor))
      return false;
    statement.setInPlace(true);
    return true;
  }

  // What is given twice is needed as it is.
  static bool takesOver(ta::WithValuesOp with, Value tensor) {
    OperandRange operands = with->getOperands();
    if (llvm::count(operands, tensor) != 1)
      return false;
    SmallVector<int64_t> moved(with.getMoved());
    moved.push_back(std::distance(operands.begin(), llvm::find(operands, tensor)));
    with.setMoved(moved);
    return true;
  }

  // A loop that takes a tensor twice, or reads it inside, needs it as it was before.
  template <typename LoopOp> static bool takesOver(LoopOp loop, Value tensor) {
    bool isReadInside = llvm::any_of(tensor.getUsers(),
                                     [&](Operation *user) { return loop->isProperAncestor(user); });
    OperandRange inits = loop.getInits();
    auto init = llvm::find(inits, tensor);
    if (isReadInside || init == inits.end() || llvm::count(loop->getOperands(), tensor) != 1)
      return false;
    SmallVector<int64_t> moved(loop.getMoved());
    moved.push_back(std::distance(inits.begin(), init));
    loop.setMoved(moved);
    return true;
  }

  llvm::MapVector<Operation *, SmallVector<Value, 2>> ending;
};

void placeStorageIn(Block &block) {
  for (Operation &op : block)
    if (isa<ta::ForOp, ta::LoopOp, ta::IfOp, ta::DistributeOp>(op))
      for (Region &region : op.getRegions())
        placeStorageIn(region.front());
  Ending(block).place(block);
}

struct PlaceStorage : impl::PlaceStorageBase<PlaceStorage> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isDeclaration())
        placeStorageIn(function.getBody().front());
  }
};

} // namespace
} // namespace strata
