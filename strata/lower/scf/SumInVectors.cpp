// Adds up terms with operands that are looked up in vectors, whose elements are loaded one by one.
//
// before: for p { t = t + a[p] * x[crd[p]] }
// after:  for p in 0, 8, ... { v = v + a[p to p + 7] * (x[crd[p]], ..., x[crd[p + 7]]) }
//         t = t + the sum of v; for the rest { t = t + a[p] * x[crd[p]] }
//
// LLVM would gather, which on many processors takes longer than the loads do, and would add all
// terms of a short row one after the other.
#include "strata/lower/Passes.h"
#include "strata/lower/scf/VectorElements.h"
#include "strata/lower/utils/LoopHints.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_SUMINVECTORS
#include "strata/lower/Passes.h.inc"

namespace {

constexpr int64_t lanes = 8;

// A loop that adds a term to a sum in each step.
class SumLoop {
public:
  explicit SumLoop(scf::ForOp loop) : loop(loop) {}

  bool match() {
    if (loop.getInitArgs().size() != 1 || getConstantIntValue(loop.getStep()) != 1 ||
        loop->hasAttr(loopAnnotationName) || !findSum())
      return false;
    bool looksUp = false;
    for (Operation &op : loop.getBody()->without_terminator()) {
      if (&op == sum || isa<memref::PrefetchOp>(op))
        continue;
      auto load = dyn_cast<memref::LoadOp>(op);
      if (op.getNumResults() != 1 || op.getNumRegions() > 0 || (!load && !isPure(&op)))
        return false;
      if (load && (load.getIndices().size() != 1 || !loop.isDefinedOutsideOfLoop(load.getMemRef())))
        return false;
      looksUp |= load && load.getType() == element && !isNext(load) && !isSame(load);
      // Places are computed from whole numbers, of each element by itself.
      auto isPlace = [](Value value) { return value.getType().isIntOrIndex(); };
      if (!load && !isElementwise(op, element) &&
          (!isPlace(op.getResult(0)) || !llvm::all_of(op.getOperands(), isPlace)))
        return false;
      if (load && load.getType() != element && !isPlace(load))
        return false;
    }
    return looksUp;
  }

  void emit() {
    OpBuilder b(loop);
    Location loc = loop.getLoc();
    auto constant = [&](int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); };
    Value begin = loop.getLowerBound();
    Value length = arith::SubIOp::create(b, loc, loop.getUpperBound(), begin);
    Value many = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, length, constant(lanes));
    Value whole = arith::AndIOp::create(b, loc, length, constant(-lanes));
    Value end = arith::AddIOp::create(b, loc, begin, whole);
    auto choice = scf::IfOp::create(b, loc, TypeRange{element, b.getIndexType()}, many,
                                    /*addThenBlock=*/true, /*addElseBlock=*/true);
    OpBuilder inside = choice.getThenBodyBuilder();
    scf::YieldOp::create(inside, loc, ValueRange{emitVectors(inside, end), end});
    OpBuilder outside = choice.getElseBodyBuilder();
    scf::YieldOp::create(outside, loc, ValueRange{loop.getInitArgs()[0], begin});
    loop.getInitArgsMutable()[0].set(choice.getResult(0));
    loop.getLowerBoundMutable().set(choice.getResult(1));
    leaveAsItIs(loop); // the rest is short
  }

private:
  // Finds the sum, if its terms may be added in another order.
  bool findSum() {
    element = loop.getInitArgs()[0].getType();
    sum = loop.getYieldedValues()[0].getDefiningOp<arith::AddFOp>();
    Value before = loop.getRegionIterArgs()[0];
    if (!(element.isF64() || element.isF32()) || !sum || sum->getBlock() != loop.getBody() ||
        !bitEnumContainsAll(sum.getFastmath(), arith::FastMathFlags::reassoc) ||
        !before.hasOneUse() || !sum->hasOneUse())
      return false;
    if (sum.getLhs() != before && sum.getRhs() != before)
      return false;
    term = sum.getLhs() == before ? sum.getRhs() : sum.getLhs();
    return true;
  }

  // Is it the element next to that of the step before?
  bool isNext(memref::LoadOp load) { return placeIn(loop, load.getIndices()[0]).moves; }

  // Is it the same element in each step?
  bool isSame(memref::LoadOp load) { return isOutside(load.getIndices()[0]); }

  bool isOutside(Value value) { return loop.isDefinedOutsideOfLoop(value); }

  // The sum so far, and what eight steps at a time up to `end` add to it.
  Value emitVectors(OpBuilder &b, Value end) {
    Location loc = loop.getLoc();
    type = VectorType::get({lanes}, element);
    Value none = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
    Value step = arith::ConstantIndexOp::create(b, loc, lanes);
    auto walk = scf::ForOp::create(b, loc, loop.getLowerBound(), end, step, none);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(walk.getBody());
      Value added = emitTerm(b, walk.getInductionVar());
      Value next =
          arith::AddFOp::create(b, loc, walk.getRegionIterArgs()[0], added, sum.getFastmath());
      scf::YieldOp::create(b, loc, next);
    }
    Value all = vector::ReductionOp::create(b, loc, vector::CombiningKind::ADD, walk.getResult(0),
                                            sum.getFastmath());
    return arith::AddFOp::create(b, loc, loop.getInitArgs()[0], all, sum.getFastmath());
  }

  Value emitTerm(OpBuilder &b, Value first) {
    SmallVector<IRMapping> each(lanes);
    for (auto [lane, mapping] : llvm::enumerate(each)) {
      Value skipped = arith::ConstantIndexOp::create(b, loop.getLoc(), lane);
      mapping.map(loop.getInductionVar(), arith::AddIOp::create(b, loop.getLoc(), first, skipped));
    }
    for (Operation &op : loop.getBody()->without_terminator()) {
      auto load = dyn_cast<memref::LoadOp>(op);
      if (&op == sum)
        continue;
      if (load && load.getType() == element && isNext(load))
        vectors.map(load.getResult(),
                    vector::LoadOp::create(b, op.getLoc(), type, load.getMemRef(),
                                           each[0].lookupOrDefault(load.getIndices()[0])));
      else if (load && load.getType() == element && isSame(load))
        vectors.map(load.getResult(),
                    vector::BroadcastOp::create(b, op.getLoc(), type, b.clone(op)->getResult(0)));
      else if (isElementwise(op, element))
        vectors.map(op.getResult(0),
                    widened(b, op,
                            llvm::map_to_vector(op.getOperands(),
                                                [&](Value value) { return asVector(b, value); }),
                            type));
      else
        emitEach(b, op, each);
    }
    return asVector(b, term);
  }

  // What has no vectors, element by element.
  void emitEach(OpBuilder &b, Operation &op, MutableArrayRef<IRMapping> each) {
    SmallVector<Value> elements;
    for (IRMapping &mapping : each)
      llvm::append_range(elements, b.clone(op, mapping)->getResults());
    if (op.getNumResults() > 0 && op.getResult(0).getType() == element)
      vectors.map(op.getResult(0), vector::FromElementsOp::create(b, op.getLoc(), type, elements));
  }

  Value asVector(OpBuilder &b, Value value) { return widenedTo(b, type, value, value, vectors); }

  scf::ForOp loop;
  arith::AddFOp sum;
  Value term;
  Type element;
  VectorType type;
  IRMapping vectors;
};

struct SumInVectors : impl::SumInVectorsBase<SumInVectors> {
  void runOnOperation() override {
    SmallVector<SumLoop> found;
    getOperation()->walk([&](scf::ForOp loop) {
      if (SumLoop sum(loop); sum.match())
        found.push_back(sum);
    });
    for (SumLoop &sum : found)
      sum.emit();
  }
};

} // namespace
} // namespace strata
