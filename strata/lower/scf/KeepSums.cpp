// Keeps the sum of a place in a register while entries that lead there follow each other.
//
// before: fill y
//         for p { i = rows[p]; y[i] = y[i] + a[p] * x[columns[p]] }       rows ascend
// after:  fill y
//         for p, before = -1, sum = fill {
//           i = rows[p]
//           t = (i == before ? sum : fill) + a[p] * x[columns[p]]
//           y[i] = t, before = i, sum = t }
//
// Entries of the same row used to wait for each other: what was stored last is loaded next, which
// takes twice as long as an addition. No step asks by a branch whether a row ends: how long rows
// are is not foreseen. Terms are added in the same order, so that no bit differs.
#include "strata/lower/Passes.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/scf/LevelWalk.h"
#include "strata/lower/utils/KernelStage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_KEEPSUMS
#include "strata/lower/Passes.h.inc"

namespace {

// A loop that adds to places of a filled buffer, in their order.
class AddingLoop {
public:
  explicit AddingLoop(scf::ForOp loop) : loop(loop) {}

  bool match() {
    outermost = loop;
    if (isa<scf::ParallelOp>(loop->getParentOp()))
      outermost = loop->getParentOp();
    return loop.getNumResults() == 0 && isa<func::FuncOp>(outermost->getParentOp()) &&
           findUpdate() && findFill();
  }

  void emit() {
    OpBuilder b(loop);
    Location loc = loop.getLoc();
    Value none = arith::ConstantIndexOp::create(b, loc, -1);
    auto kept = scf::ForOp::create(b, loc, loop.getLowerBound(), loop.getUpperBound(),
                                   loop.getStep(), ValueRange{none, fill});
    kept->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    IRMapping mapping;
    mapping.map(loop.getInductionVar(), kept.getInductionVar());
    b.setInsertionPointToStart(kept.getBody());
    for (Operation &op : loop.getBody()->without_terminator()) {
      if (&op != load) {
        b.clone(op, mapping);
        continue;
      }
      Value before = kept.getRegionIterArgs()[0], sum = kept.getRegionIterArgs()[1];
      Value isSame = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                           mapping.lookup(load.getIndices()[0]), before);
      mapping.map(load.getResult(), arith::SelectOp::create(b, loc, isSame, sum, fill).getResult());
    }
    scf::YieldOp::create(
        b, loc,
        ValueRange{mapping.lookup(store.getIndices()[0]), mapping.lookup(store.getValueToStore())});
    loop.erase();
  }

private:
  // y[i] is loaded and then stored, of a coordinate i that ascends.
  bool findUpdate() {
    for (Operation &op : loop.getBody()->without_terminator())
      if (auto one = dyn_cast<memref::StoreOp>(op)) {
        if (store)
          return false;
        store = one;
      } else if (op.getNumRegions() > 0) {
        return false;
      }
    if (!store || store.getIndices().size() != 1)
      return false;
    Operation *place = store.getIndices()[0].getDefiningOp();
    if (!place || place->getBlock() != loop.getBody() || !place->hasAttr(LevelWalk::ascendsName))
      return false;
    for (Operation *user : store.getMemRef().getUsers())
      if (auto one = dyn_cast<memref::LoadOp>(user)) {
        if (load)
          return false;
        load = one;
      }
    return load && load->getBlock() == loop.getBody() && load->isBeforeInBlock(store) &&
           load.getIndices() == store.getIndices() &&
           loop.isDefinedOutsideOfLoop(store.getMemRef());
  }

  // The kernel allocates the buffer, fills all of it, and does nothing else with it before.
  bool findFill() {
    Value buffer = store.getMemRef();
    auto view = buffer.getDefiningOp<memref::ReinterpretCastOp>();
    if (!view || !view.getSource().getDefiningOp<func::CallOp>())
      return false;
    auto isAfter = [&](Operation *user) {
      return user->getBlock() == outermost->getBlock() && outermost->isBeforeInBlock(user);
    };
    for (Operation *user : view.getSource().getUsers())
      if (user != view && !isAfter(user))
        return false;
    for (Operation *user : buffer.getUsers())
      if (user != load && user != store && !isAfter(user) && !isFill(user))
        return false;
    return bool(fill);
  }

  bool isFill(Operation *user) {
    auto one = dyn_cast<memref::StoreOp>(user);
    auto all = dyn_cast<scf::ForOp>(user->getParentOp());
    if (!one || !all || fill || all->getBlock() != outermost->getBlock() ||
        !all->isBeforeInBlock(outermost) || one.getIndices()[0] != all.getInductionVar() ||
        getConstantIntValue(all.getLowerBound()) != 0 || getConstantIntValue(all.getStep()) != 1 ||
        !all.isDefinedOutsideOfLoop(one.getValueToStore()))
      return false;
    fill = one.getValueToStore();
    return true;
  }

  scf::ForOp loop;
  Operation *outermost = nullptr; ///< around the loop, in the kernel's block
  memref::LoadOp load;
  memref::StoreOp store;
  Value fill;
};

struct KeepSums : impl::KeepSumsBase<KeepSums> {
  void runOnOperation() override {
    if (failed(expectStage(getOperation(), KernelStage::Code, getArgument())))
      return signalPassFailure();
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      if (!isKernel(kernel))
        continue;
      SmallVector<AddingLoop> found;
      kernel.walk([&](scf::ForOp loop) {
        if (AddingLoop one(loop); one.match())
          found.push_back(one);
      });
      for (AddingLoop &one : found)
        one.emit();
    }
  }
};

} // namespace
} // namespace strata
