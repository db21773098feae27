// Keeps the few values that a loop adds to again and again in registers.
#include "strata/lower/Passes.h"
#include "strata/lower/scf/Buffers.h"
#include "strata/lower/utils/KernelStage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <map>

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_KEEPBLOCKS
#include "strata/lower/Passes.h.inc"

namespace {

// Loops that go through more are not unrolled.
constexpr int64_t mostKept = 8;

// The only operation of a loop that does something, if that is a question asked before the loop.
scf::IfOp soleQuestion(scf::ForOp loop) {
  scf::IfOp found;
  for (Operation &op : loop.getBody()->without_terminator()) {
    auto question = dyn_cast<scf::IfOp>(op);
    if (question && !found && question.getNumResults() == 0 && !question.getElseRegion().empty() &&
        loop.isDefinedOutsideOfLoop(question.getCondition()))
      found = question;
    else if (!isPure(&op) && !isa<memref::LoadOp>(op))
      return {};
  }
  return found;
}

// Asks before the loop what was asked in each of its steps.
void unswitch(scf::ForOp loop, scf::IfOp question) {
  OpBuilder b(loop);
  auto outer = scf::IfOp::create(b, loop.getLoc(), question.getCondition(), /*withElse=*/true);
  for (bool holds : {true, false}) {
    b.setInsertionPointToStart(holds ? outer.thenBlock() : outer.elseBlock());
    IRMapping mapping;
    b.clone(*loop, mapping);
    auto inside = cast<scf::IfOp>(mapping.lookup(question.getOperation()));
    Block *taken = holds ? inside.thenBlock() : inside.elseBlock();
    taken->getTerminator()->erase();
    inside->getBlock()->getOperations().splice(inside->getIterator(), taken->getOperations());
    inside.erase();
  }
  loop.erase();
}

// Repeats the body for each step, with constants.
void unroll(scf::ForOp loop, int64_t steps) {
  OpBuilder b(loop);
  for (int64_t step = 0; step < steps; ++step) {
    IRMapping mapping;
    mapping.map(loop.getInductionVar(), arith::ConstantIndexOp::create(b, loop.getLoc(), step));
    for (Operation &op : loop.getBody()->without_terminator())
      b.clone(op, mapping);
  }
  loop.erase();
}

// What a loop does to one buffer, at places that are the same in each of its steps.
class Kept {
public:
  Kept(scf::ForOp loop, Value buffer) : loop(loop), buffer(buffer) {}

  // Are all places known, and few? Loops of few steps between them are noted.
  bool match() {
    loop.walk([&](Operation *op) {
      if (auto store = dyn_cast<memref::StoreOp>(op))
        known &= note(op, store.getMemRef(), store.getIndices());
      else if (auto load = dyn_cast<memref::LoadOp>(op))
        known &= note(op, load.getMemRef(), load.getIndices());
      else
        known &= isa<scf::ForOp, scf::IfOp, scf::YieldOp>(op) || isPure(op);
    });
    return known && !unrolled.empty();
  }

  // In a scalar of its own each, which LLVM puts in a register.
  void keep(Block &around) {
    // Those inside others first: unrolling copies.
    loop.walk<WalkOrder::PostOrder>([&](scf::ForOp one) {
      if (unrolled.contains(one))
        unroll(one, *stepsOf(one));
    });
    Kept flat(loop, buffer);
    (void)flat.match();
    if (flat.known && llvm::all_of(flat.uses, [&](auto &use) { return flat.isSure(use.first); }))
      flat.keepAll(around);
  }

private:
  // How often a short loop from zero runs.
  static std::optional<int64_t> stepsOf(scf::ForOp loop) {
    std::optional<int64_t> steps = getConstantIntValue(loop.getUpperBound());
    bool isShort = steps && *steps <= mostKept && loop.getInitArgs().empty() &&
                   getConstantIntValue(loop.getLowerBound()) == 0 &&
                   getConstantIntValue(loop.getStep()) == 1;
    return isShort ? steps : std::nullopt;
  }

  // One use of the buffer: base and offset, or base and the variable of a short loop.
  bool note(Operation *op, Value of, OperandRange indices) {
    if (wholeOf(of) != wholeOf(buffer))
      return true;
    if (of != buffer || indices.size() != 1)
      return false;
    Value own = indices[0], moved;
    if (auto sum = own.getDefiningOp<arith::AddIOp>(); sum && !loop.isDefinedOutsideOfLoop(own)) {
      bool left = loop.isDefinedOutsideOfLoop(sum.getLhs()) && !getConstantIntValue(sum.getLhs());
      own = left ? sum.getLhs() : sum.getRhs();
      moved = left ? sum.getRhs() : sum.getLhs();
    }
    if (!loop.isDefinedOutsideOfLoop(own) || (base && base != own))
      return false;
    base = own;
    std::optional<int64_t> offset = moved ? getConstantIntValue(moved) : 0;
    if (offset) {
      uses[*offset].push_back(op);
      return true;
    }
    auto variable = dyn_cast<BlockArgument>(moved);
    auto around =
        variable ? dyn_cast<scf::ForOp>(variable.getOwner()->getParentOp()) : scf::ForOp();
    if (!around || around == loop || around.getInductionVar() != variable || !stepsOf(around))
      return false;
    unrolled.insert(around);
    return true;
  }

  // Does every step reach that place? Only then it is surely there, and no other thread's: also
  // where what is added there is a sum without terms.
  bool isSure(int64_t offset) { return isSure(uses[offset], *loop.getBody()); }
  static bool isSure(ArrayRef<Operation *> wanted, Block &block) {
    return llvm::any_of(block, [&](Operation &op) {
      if (auto question = dyn_cast<scf::IfOp>(op))
        return !question.getElseRegion().empty() &&
               isSure(wanted, question.getThenRegion().front()) &&
               isSure(wanted, question.getElseRegion().front());
      if (auto sum = dyn_cast<scf::ForOp>(op))
        return isSure(wanted, *sum.getBody());
      return llvm::is_contained(wanted, &op);
    });
  }

  void keepAll(Block &around) {
    OpBuilder b(loop);
    Value some = arith::CmpIOp::create(b, loop.getLoc(), arith::CmpIPredicate::slt,
                                       loop.getLowerBound(), loop.getUpperBound());
    auto question = scf::IfOp::create(b, loop.getLoc(), some, /*withElse=*/false);
    loop->moveBefore(question.getThenRegion().front().getTerminator());
    for (auto &[offset, operations] : uses)
      keepAt(offset, operations, around);
  }

  void keepAt(int64_t offset, ArrayRef<Operation *> operations, Block &around) {
    Location loc = loop.getLoc();
    OpBuilder before(loop), after(loop), start = OpBuilder::atBlockBegin(&around);
    after.setInsertionPointAfter(loop);
    auto type = MemRefType::get({}, cast<MemRefType>(buffer.getType()).getElementType());
    Value scalar = memref::AllocaOp::create(start, loc, type);
    Value index = arith::AddIOp::create(before, loc, base,
                                        arith::ConstantIndexOp::create(before, loc, offset));
    Value value = memref::LoadOp::create(before, loc, buffer, index);
    memref::StoreOp::create(before, loc, value, scalar);
    for (Operation *use : operations) {
      OpBuilder b(use);
      if (auto store = dyn_cast<memref::StoreOp>(use)) {
        memref::StoreOp::create(b, loc, store.getValueToStore(), scalar);
      } else {
        Value load = memref::LoadOp::create(b, loc, scalar);
        use->getResult(0).replaceAllUsesWith(load);
      }
      use->erase();
    }
    value = memref::LoadOp::create(after, loc, scalar);
    memref::StoreOp::create(after, loc, value, buffer, index);
  }

  scf::ForOp loop;
  Value buffer, base;
  bool known = true;
  std::map<int64_t, SmallVector<Operation *>> uses; ///< by offset from the base
  llvm::SmallPtrSet<Operation *, 4> unrolled;
};

struct KeepBlocks : impl::KeepBlocksBase<KeepBlocks> {
  void runOnOperation() override {
    if (failed(expectStage(getOperation(), KernelStage::Code, getArgument())))
      return signalPassFailure();
    while (askBefore() || keepOne())
      ;
  }

private:
  bool askBefore() {
    scf::ForOp loop;
    scf::IfOp question;
    getOperation()->walk([&](scf::ForOp one) {
      if (one.getInitArgs().empty())
        question = soleQuestion(one);
      loop = question ? one : loop;
      return question ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (loop)
      unswitch(loop, question);
    return bool(loop);
  }

  // The outermost loop that leaves a block where it is.
  bool keepOne() {
    bool found = false;
    getOperation()->walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
      llvm::SmallSetVector<Value, 2> changed;
      loop.walk([&](memref::StoreOp store) {
        if (loop.isDefinedOutsideOfLoop(store.getMemRef()))
          changed.insert(store.getMemRef());
      });
      for (Value buffer : changed) {
        Kept kept(loop, buffer);
        if (!kept.match())
          continue;
        Operation *around = loop->getParentOp();
        while (!isa<func::FuncOp, scf::ParallelOp>(around))
          around = around->getParentOp();
        kept.keep(around->getRegion(0).front());
        found = true;
        return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    return found;
  }
};

} // namespace
} // namespace strata
