// Adds up terms with operands that are looked up in vectors.
//
// before: for p { t = t + a[p] * x[crd[p]] }
// after:  for p in 0, 8, ... { v = v + a[p to p + 7] * (x[crd[p]], ..., x[crd[p + 7]]) }
//         t = t + the sum of v; for the rest { t = t + a[p] * x[crd[p]] }
//
// or:     for p in 0, 8, ... { m = (p < n, ..., p + 7 < n)
//           where m: v = v + a[p to p + 7] * (x[crd[p]], ..., x[crd[p + 7]]) }
//         t = t + the sum of v
//
// LLVM would gather, which on many processors takes longer than the loads do, and would add all
// terms of a short row one after the other. Where the machine has been measured to gather faster,
// this pass gathers, too, and if it has masks, the last vector is made under one.
#include "strata/lower/Passes.h"
#include "strata/lower/scf/SumLoop.h"
#include "strata/lower/utils/KernelStage.h"
#include "strata/lower/utils/LoopHints.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_SUMINVECTORS
#include "strata/lower/Passes.h.inc"

namespace {

// The sum so far, and what eight steps at a time up to `end` add to it.
static Value emitVectors(OpBuilder &b, SumLoop &sum, Value end) {
  scf::ForOp loop = sum.loop;
  Location loc = loop.getLoc();
  VectorType type = sum.sumsType();
  Value none = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  Value step = arith::ConstantIndexOp::create(b, loc, sum.lanes);
  auto walk = scf::ForOp::create(b, loc, loop.getLowerBound(), end, step, none);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(walk.getBody());
    Value added = sum.emitTerms(b, walk.getInductionVar());
    Value next =
        arith::AddFOp::create(b, loc, walk.getRegionIterArgs()[0], added, sum.sum.getFastmath());
    scf::YieldOp::create(b, loc, next);
  }
  Value all = vector::ReductionOp::create(b, loc, vector::CombiningKind::ADD, walk.getResult(0),
                                          sum.sum.getFastmath());
  return arith::AddFOp::create(b, loc, loop.getInitArgs()[0], all, sum.sum.getFastmath());
}

static void sumInVectors(SumLoop &sum) {
  scf::ForOp loop = sum.loop;
  const int64_t lanes = sum.lanes;
  OpBuilder b(loop);
  Location loc = loop.getLoc();
  auto constant = [&](int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); };
  Value begin = loop.getLowerBound();
  Value length = arith::SubIOp::create(b, loc, loop.getUpperBound(), begin);
  Value many = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, length, constant(lanes));
  Value whole = arith::AndIOp::create(b, loc, length, constant(-lanes));
  Value end = arith::AddIOp::create(b, loc, begin, whole);
  auto choice = scf::IfOp::create(b, loc, TypeRange{sum.sum.getType(), b.getIndexType()}, many,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder inside = choice.getThenBodyBuilder();
  scf::YieldOp::create(inside, loc, ValueRange{emitVectors(inside, sum, end), end});
  OpBuilder outside = choice.getElseBodyBuilder();
  scf::YieldOp::create(outside, loc, ValueRange{loop.getInitArgs()[0], begin});
  loop.getInitArgsMutable()[0].set(choice.getResult(0));
  loop.getLowerBoundMutable().set(choice.getResult(1));
  leaveAsItIs(loop); // the rest is short
}

struct SumInVectors : impl::SumInVectorsBase<SumInVectors> {
  using SumInVectorsBase::SumInVectorsBase;

  void runOnOperation() override {
    if (failed(expectStage(getOperation(), KernelStage::Code, getArgument())))
      return signalPassFailure();
    SmallVector<SumLoop> found;
    getOperation()->walk([&](scf::ForOp loop) {
      if (SumLoop sum(loop, gathers); sum.match())
        found.push_back(sum);
    });
    for (SumLoop &sum : found)
      if (masks && sum.canMask())
        sum.addUpUnderMasks();
      else
        sumInVectors(sum);
  }
};

} // namespace
} // namespace strata
