// Takes one step at a time where loops over the entries of rows store where these lead.
//
// before: for j { for p in pos[j] to pos[j + 1] { y[crd[p]] = y[crd[p]] + a[p] * x[j] } }
// after:  singly = is that better than several steps at once       asked once in the kernel
//         if singly { the loops, of which LLVM makes no copies } else { the loops as they were }
//
// LLVM makes eight copies of the step, and a loop for what is left: two more branches at the end of
// each row, which pays where they are foreseen and what is stored to is near. Of a loop with one
// step it makes four copies of the loop around it, one for each of four rows, each with a branch of
// its own to be learned.
#include "strata/level/Emission.h"
#include "strata/lower/Passes.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/scf/Buffers.h"
#include "strata/lower/scf/RowBounds.h"
#include "strata/lower/utils/KernelStage.h"
#include "strata/lower/utils/LoopHints.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_SCATTERSINGLY
#include "strata/lower/Passes.h.inc"

namespace {

// A loop over rows around one over the entries of a row.
class ScatteringRows {
public:
  ScatteringRows(scf::ForOp rows, func::FuncOp kernel)
      : rows(rows), kernel(kernel), loc(rows.getLoc()) {}

  bool match() {
    if (!isFree(rows) || !findEntries() || !isFree(entries))
      return false;
    std::optional<RowBounds> bounds = RowBounds::of(entries);
    if (!bounds || !isAtEntry(bounds->positions) || !isa<BlockArgument>(wholeOf(bounds->positions)))
      return false;
    positions = bounds->positions;
    for (Operation &op : entries.getBody()->without_terminator()) {
      if (op.getNumRegions() > 0)
        return false;
      if (auto store = dyn_cast<memref::StoreOp>(op))
        if (store.getIndices().size() == 1 && isLoaded(store.getIndices()[0]) &&
            isAtEntry(store.getMemRef()))
          target = store.getMemRef();
    }
    return bool(target);
  }

  void emit() {
    Operation *outermost = rows;
    while (outermost->getParentOp() != kernel)
      outermost = outermost->getParentOp();
    OpBuilder b(outermost);
    Value answer = emit::scattersSingly(b, loc, kernel.getArgument(0), positions, target);
    Value zero = arith::ConstantIndexOp::create(b, loc, 0);
    Value singly = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, answer, zero);
    b.setInsertionPoint(rows);
    auto choice = scf::IfOp::create(b, loc, singly, /*withElseRegion=*/true);
    b.setInsertionPointToStart(choice.thenBlock());
    auto copy = cast<scf::ForOp>(b.clone(*rows));
    leaveAsItIs(copy);
    leaveAsItIs(*copy.getBody()->getOps<scf::ForOp>().begin());
    rows->moveBefore(choice.elseBlock()->getTerminator());
  }

private:
  // Tells whether the loop has no results, and no schedule of its own.
  static bool isFree(scf::ForOp loop) {
    return loop.getNumResults() == 0 && !loop->hasAttr(loopAnnotationName);
  }

  // The only loop inside.
  bool findEntries() {
    for (Operation &op : rows.getBody()->without_terminator())
      if (op.getNumRegions() > 0) {
        if (entries || !isa<scf::ForOp>(op))
          return false;
        entries = cast<scf::ForOp>(op);
      }
    return bool(entries);
  }

  bool isAtEntry(Value value) { return value.getParentBlock() == &kernel.getBody().front(); }

  // Tells whether a place is computed from what the step loads.
  bool isLoaded(Value place) {
    Operation *op = place.getDefiningOp();
    if (!op || op->getBlock() != entries.getBody())
      return false;
    return isa<memref::LoadOp>(op) ||
           llvm::any_of(op->getOperands(), [&](Value operand) { return isLoaded(operand); });
  }

  scf::ForOp rows, entries;
  func::FuncOp kernel;
  Location loc;
  Value positions; ///< where each row begins
  Value target;    ///< what is stored to
};

struct ScatterSingly : impl::ScatterSinglyBase<ScatterSingly> {
  void runOnOperation() override {
    if (failed(expectStage(getOperation(), KernelStage::Code, getArgument())))
      return signalPassFailure();
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      if (!isKernel(kernel))
        continue;
      SmallVector<ScatteringRows> found;
      kernel.walk([&](scf::ForOp loop) {
        if (ScatteringRows one(loop, kernel); one.match())
          found.push_back(one);
      });
      for (ScatteringRows &one : found)
        one.emit();
    }
  }
};

} // namespace
} // namespace strata
