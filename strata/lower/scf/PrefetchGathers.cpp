// Asks for what loops read at coordinates before its turn comes.
//
// before: for p { t = t + a[p] * x[crd[p]] }
// after:  ahead = lookahead(crd, x)                                once in the kernel
//         if ahead > 0 and the end of crd is not near {
//           for p { prefetch x[crd[p + ahead]]; t = t + a[p] * x[crd[p]] } }
//         else { for p { t = t + a[p] * x[crd[p]] } }
//
// Likewise where an inner loop goes on from there, x[crd[p] * n + k]: its first lines are asked
// for. Loops that leave nothing but what they store, or carry it, look ahead until the end is near.
#include "strata/level/Emission.h"
#include "strata/lower/Passes.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/scf/Buffers.h"
#include "strata/lower/scf/FillLoop.h"
#include "strata/lower/scf/VectorElements.h"
#include "strata/lower/utils/KernelStage.h"
#include "strata/lower/utils/LoopHints.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_PREFETCHGATHERS
#include "strata/lower/Passes.h.inc"

namespace {

// More operands of one loop are not asked for.
constexpr size_t mostGathers = 3;
// Of a row so many lines; the processor sees that the next ones will follow.
constexpr int64_t linesOfRow = 4;

// An operand that is read at coordinates.
struct Gather {
  Value operand;
  Value index;       ///< where, or where an inner loop begins
  Value coordinates; ///< of which it is a linear function
  Value stride;      ///< elements from one coordinate to the next; null: one
  Value length;      ///< how far the inner loop goes; null: there is none
};

class GatheringLoop {
public:
  GatheringLoop(scf::ForOp loop, func::FuncOp kernel)
      : loop(loop), kernel(kernel), loc(loop.getLoc()) {}

  bool match() {
    if (getConstantIntValue(loop.getStep()) != 1 || loop->hasAttr(loopAnnotationName))
      return false;
    for (Operation &op : loop.getBody()->without_terminator()) {
      if (auto load = dyn_cast<memref::LoadOp>(op); load && load.getIndices().size() == 1)
        note(load.getMemRef(), load.getIndices()[0], Value());
      if (auto inner = dyn_cast<scf::ForOp>(op))
        for (auto load : inner.getBody()->getOps<memref::LoadOp>())
          if (load.getIndices().size() == 1)
            if (MovingPlace place = placeIn(inner, load.getIndices()[0]); place.base)
              note(load.getMemRef(), place.base, inner.getUpperBound());
    }
    return !gathers.empty() && gathers.size() <= mostGathers;
  }

  void prefetch() {
    Operation *outermost = loop;
    while (outermost->getParentOp() != kernel)
      outermost = outermost->getParentOp();
    OpBuilder b(outermost);
    Value zero = arith::ConstantIndexOp::create(b, loc, 0), any;
    for (const Gather &gather : gathers) {
      aheads.push_back(emit::lookahead(b, loc, kernel.getArgument(0), gather.coordinates,
                                       gather.operand, gather.stride));
      Value some = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, aheads.back(), zero);
      any = any ? b.createOrFold<arith::OrIOp>(loc, any, some) : some;
    }
    // Up to where all coordinates that it looks at are there; nowhere if it looks at none.
    Value limit;
    for (auto [gather, ahead] : llvm::zip(gathers, aheads)) {
      Value count = memref::DimOp::create(b, loc, gather.coordinates, zero);
      Value last = arith::SubIOp::create(b, loc, count, ahead);
      limit = limit ? Value(arith::MinSIOp::create(b, loc, limit, last)) : last;
    }
    limit = arith::SelectOp::create(b, loc, any, limit, arith::ConstantIndexOp::create(b, loc, -1));
    b.setInsertionPoint(loop);
    if ((loop.getNumResults() > 0 && !storesEachStep()) || FillLoop::before(loop))
      choose(b, limit);
    else
      split(b, limit);
  }

private:
  // Tells whether a loop that no other is around carries what each step stores: so its steps stay
  // in their order.
  bool storesEachStep() {
    return !loop->getParentOfType<scf::ForOp>() &&
           !loop.getBody()->getOps<memref::StoreOp>().empty();
  }

  // A loop that ends where others begin looks ahead or does not: its sums are the same.
  void choose(OpBuilder &b, Value limit) {
    Value fits =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle, loop.getUpperBound(), limit);
    auto choice = scf::IfOp::create(b, loc, loop.getResultTypes(), fits, /*withElseRegion=*/true);
    std::optional<FillLoop> fill = FillLoop::before(loop);
    loop.replaceAllUsesWith(choice.getResults());
    auto finish = [&](Block *block, scf::ForOp one) {
      b.setInsertionPointToEnd(block);
      if (one.getNumResults() > 0)
        scf::YieldOp::create(b, loc, one.getResults());
    };
    for (bool looks : {true, false}) {
      Block *block = looks ? choice.thenBlock() : choice.elseBlock();
      b.setInsertionPointToStart(block);
      if (fill)
        b.clone(*fill->loop);
      scf::ForOp one = looks ? cast<scf::ForOp>(b.clone(*loop)) : loop;
      if (looks)
        ask(one);
      else
        one->moveBefore(block, b.getInsertionPoint());
      finish(block, one);
    }
    if (fill)
      fill->loop->erase();
  }

  // A long one looks ahead until the end is near.
  void split(OpBuilder &b, Value limit) {
    Value end = arith::MinSIOp::create(b, loc, loop.getUpperBound(), limit);
    end = arith::MaxSIOp::create(b, loc, end, loop.getLowerBound());
    auto looking = cast<scf::ForOp>(b.clone(*loop));
    looking.setUpperBound(end);
    loop.setLowerBound(end);
    loop.getInitArgsMutable().assign(looking.getResults());
    ask(looking);
  }

  bool isInside(Value value) { return !loop.isDefinedOutsideOfLoop(value); }
  // Before all loops.
  bool isAtEntry(Value value) { return value.getParentBlock() == &kernel.getBody().front(); }

  void note(Value operand, Value index, Value length) {
    Value stride;
    Value coordinates = coordinatesOf(index, stride);
    auto isKnown = [&](const Gather &one) {
      return one.operand == operand && one.coordinates == coordinates;
    };
    if (coordinates && coordinates != operand && isAtEntry(operand) &&
        llvm::none_of(gathers, isKnown))
      gathers.push_back({operand, index, coordinates, stride, length});
  }

  // The coordinates, one for each step, of which an index is a linear function.
  Value coordinatesOf(Value index, Value &stride) {
    while (isInside(index)) {
      Operation *op = index.getDefiningOp();
      if (!op || op->getBlock() != loop.getBody())
        return {};
      if (auto load = dyn_cast<memref::LoadOp>(op)) {
        bool listed = load.getIndices().size() == 1 &&
                      load.getIndices()[0] == loop.getInductionVar() &&
                      isAtEntry(load.getMemRef()) && isa<BlockArgument>(wholeOf(load.getMemRef()));
        return listed ? load.getMemRef() : Value();
      }
      if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op)) {
        index = op->getOperand(0);
        continue;
      }
      if (!isa<arith::AddIOp, arith::MulIOp>(op) ||
          isInside(op->getOperand(0)) == isInside(op->getOperand(1)))
        return {};
      bool first = isInside(op->getOperand(0));
      Value other = op->getOperand(first ? 1 : 0);
      index = op->getOperand(first ? 0 : 1);
      if (isa<arith::AddIOp>(op))
        continue;
      if (stride || !isAtEntry(other))
        return {};
      stride = other;
    }
    return {};
  }

  void ask(scf::ForOp looking) {
    OpBuilder b = OpBuilder::atBlockBegin(looking.getBody());
    for (auto [gather, ahead] : llvm::zip(gathers, aheads)) {
      IRMapping mapping;
      Value at = arith::AddIOp::create(b, loc, looking.getInductionVar(), ahead);
      mapping.map(loop.getInductionVar(), at);
      Value first = there(b, gather.index, mapping);
      ask(b, gather.operand, first);
      if (gather.length && !isInside(gather.length))
        askForMore(b, looking, gather, first);
    }
  }

  void ask(OpBuilder &b, Value operand, Value index) {
    memref::PrefetchOp::create(b, loc, operand, index, /*isWrite=*/false, /*localityHint=*/3,
                               /*isDataCache=*/true);
  }

  // The other lines of a row, which may be shorter.
  void askForMore(OpBuilder &b, scf::ForOp looking, const Gather &gather, Value first) {
    OpBuilder before(looking);
    int64_t inLine = bytesOfLine / emit::bytesOf(gather.operand);
    Value one = arith::ConstantIndexOp::create(before, loc, 1);
    Value last = arith::SubIOp::create(before, loc, gather.length, one);
    for (int64_t line = 1; line < linesOfRow; ++line) {
      Value begin = arith::ConstantIndexOp::create(before, loc, line * inLine);
      Value offset = arith::MinSIOp::create(before, loc, begin, last);
      ask(b, gather.operand, arith::AddIOp::create(b, loc, first, offset));
    }
  }

  // What an index is at another step.
  Value there(OpBuilder &b, Value index, IRMapping &mapping) {
    if (!isInside(index) || mapping.contains(index))
      return mapping.lookupOrDefault(index);
    Operation *op = index.getDefiningOp();
    for (Value operand : op->getOperands())
      (void)there(b, operand, mapping);
    return b.clone(*op, mapping)->getResult(0);
  }

  scf::ForOp loop;
  func::FuncOp kernel;
  Location loc;
  SmallVector<Gather> gathers;
  SmallVector<Value> aheads;
};

struct PrefetchGathers : impl::PrefetchGathersBase<PrefetchGathers> {
  void runOnOperation() override {
    if (failed(expectStage(getOperation(), KernelStage::Code, getArgument())))
      return signalPassFailure();
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      if (!isKernel(kernel))
        continue;
      SmallVector<GatheringLoop> found;
      kernel.walk([&](scf::ForOp loop) {
        if (GatheringLoop one(loop, kernel); one.match())
          found.push_back(std::move(one));
      });
      for (GatheringLoop &one : found)
        one.prefetch();
    }
  }
};

} // namespace
} // namespace strata
