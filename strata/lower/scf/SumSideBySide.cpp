// Adds up four sums of the same length at once, each in a vector of its own.
//
// before: for p { t = 0; for k in [0, n) { t = t + c[r + k] * d[s(p) + k] }; use of t }
// after:  for p in 0, 4, ... { for k in 0, 8, ... { u = c[r + k to r + k + 7]
//                                                  v0 = v0 + u * d[s(p) + k to s(p) + k + 7]
//                                                  ... v3 = v3 + u * d[s(p + 3) + k to ...] }
//                              likewise for the rest of k, under a mask
//                              v0, ..., v3 are added across, all four together; four uses }
//         for the rest of p { the same with one sum }
//
// What the sums have in common is loaded once, they do not wait for each other, and adding one
// vector across takes about as long as all of four.
#include "strata/lower/Passes.h"
#include "strata/lower/scf/Buffers.h"
#include "strata/lower/scf/VectorElements.h"
#include "strata/lower/scf/VectorLoop.h"
#include "strata/lower/utils/KernelStage.h"
#include "strata/lower/utils/LoopHints.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_SUMSIDEBYSIDE
#include "strata/lower/Passes.h.inc"

namespace {

constexpr int64_t together = 4;

// A loop in each step of which one sum is made, over as many terms as in the others.
class Sums {
public:
  explicit Sums(scf::ForOp steps)
      : steps(steps), loc(steps.getLoc()), sum(steps, /*gathers=*/false) {}

  bool match() {
    if (getConstantIntValue(steps.getStep()) != 1 || steps->hasAttr(loopAnnotationName))
      return false;
    scf::ForOp inner;
    for (auto loop : steps.getBody()->getOps<scf::ForOp>()) {
      if (inner)
        return false;
      inner = loop;
    }
    if (!inner || !isOutside(inner.getLowerBound()) || !isOutside(inner.getUpperBound()) ||
        dependOnPiece({steps.getLowerBound(), steps.getUpperBound()}))
      return false;
    sum = VectorLoop(inner, /*gathers=*/false);
    return addsNeighbours() && matchPattern(inner.getInitArgs()[0], m_AnyZeroFloat()) &&
           findNeeded() && llvm::all_of(*steps.getBody(), [&](Operation &op) {
             return needed.contains(&op) || &op == sum.loop || mayFollow(op);
           });
  }

  void emit() {
    OpBuilder b(steps);
    Value lower = steps.getLowerBound();
    Value count = arith::SubIOp::create(b, loc, steps.getUpperBound(), lower);
    count = arith::MaxSIOp::create(b, loc, count, constant(b, 0));
    Value whole = arith::AndIOp::create(b, loc, count, constant(b, -together));
    Value middle = arith::AddIOp::create(b, loc, lower, whole);
    auto blocks =
        scf::ForOp::create(b, loc, lower, middle, constant(b, together), steps.getInitArgs());
    if (blocks.getNumResults() == 0)
      blocks.getBody()->getTerminator()->erase();
    OpBuilder inside = OpBuilder::atBlockEnd(blocks.getBody());
    emitBlock(inside, blocks.getInductionVar(), blocks.getRegionIterArgs());
    steps.setLowerBound(middle);
    steps.getInitArgsMutable().assign(blocks.getResults());
    emitSingle();
  }

private:
  //===----------------------------------------------------------------------------------------===//
  // What a step does
  //===----------------------------------------------------------------------------------------===//

  const LoopSum &total() const { return sum.sums.front(); }
  Type element() const { return total().type(); }
  bool isOutside(Value value) { return steps.isDefinedOutsideOfLoop(value); }

  // Tells whether the sum's terms are computed from elements of its type that lie next to each
  // other, or are the same in all.
  bool addsNeighbours() {
    std::string why;
    if (!sum.analyze(why) || sum.sums.size() != 1 || sum.stores() || sum.looksUp() ||
        !sum.moves() || !isa<arith::AddFOp>(total().combine) || !total().mayReorder() ||
        !(element().isF64() || element().isF32()))
      return false;
    return llvm::all_of(sum.loop.getBody()->without_terminator(), [&](Operation &op) {
      auto load = dyn_cast<memref::LoadOp>(op);
      return load ? load.getType() == element()
                  : op.getNumResults() == 1 &&
                        (placeIn(sum.loop, op.getResult(0)).moves || isElementwise(op, element()));
    });
  }

  // Tells whether the bounds are those of a piece: threads would decide which steps are together,
  // and so, where there are several numbers that are none, which of them a sum becomes.
  static bool dependOnPiece(SmallVector<Value> open) {
    llvm::DenseSet<Value> seen;
    while (!open.empty()) {
      Value value = open.pop_back_val();
      if (!seen.insert(value).second)
        continue;
      if (Operation *op = value.getDefiningOp())
        llvm::append_range(open, op->getOperands());
      else if (isa<scf::ParallelOp, scf::WhileOp>(value.getParentBlock()->getParentOp()))
        return true;
    }
    return false;
  }

  // What the terms need that the step computes before: of this step alone, from what is only read.
  bool findNeeded() {
    SmallVector<Value> open;
    sum.loop->walk([&](Operation *op) { llvm::append_range(open, op->getOperands()); });
    while (!open.empty()) {
      Value value = open.pop_back_val();
      if (value == steps.getInductionVar() || value.getParentBlock() != steps.getBody())
        continue;
      Operation *op = value.getDefiningOp();
      if (!op || op->getNumRegions() > 0 || !(isPure(op) || isa<memref::LoadOp>(op)))
        return false;
      if (needed.insert(op))
        llvm::append_range(open, op->getOperands());
    }
    return true;
  }

  // Tells whether the operation may follow the sums of later steps: it stores where no term is
  // read. (What it calls ends the kernel.)
  bool mayFollow(Operation &op) {
    auto reads = [&](Value buffer) {
      bool found = false;
      auto look = [&](Operation *one) {
        auto load = dyn_cast<memref::LoadOp>(one);
        found |= load && wholeOf(load.getMemRef()) == wholeOf(buffer);
      };
      sum.loop->walk(look);
      llvm::for_each(needed, look);
      return found;
    };
    WalkResult all = op.walk([&](Operation *one) {
      auto store = dyn_cast<memref::StoreOp>(one);
      auto call = dyn_cast<func::CallOp>(one);
      bool known =
          store  ? !reads(store.getMemRef())
          : call ? llvm::none_of(call.getOperandTypes(), llvm::IsaPred<MemRefType>)
                 : one->getNumRegions() > 0 || isPure(one) ||
                       isa<memref::LoadOp, memref::PrefetchOp, scf::YieldOp, scf::ConditionOp>(one);
      return known ? WalkResult::advance() : WalkResult::interrupt();
    });
    return !all.wasInterrupted();
  }

  //===----------------------------------------------------------------------------------------===//
  // Steps
  //===----------------------------------------------------------------------------------------===//

  Value constant(OpBuilder &b, int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }

  // Four steps from `first` on.
  void emitBlock(OpBuilder &b, Value first, ValueRange carried) {
    SmallVector<IRMapping> each(together);
    for (auto [number, mapping] : llvm::enumerate(each))
      mapping.map(steps.getInductionVar(),
                  arith::AddIOp::create(b, loc, first, constant(b, int64_t(number))));
    for (Operation &op : *steps.getBody())
      if (needed.contains(&op))
        for (IRMapping &mapping : each)
          b.clone(op, mapping);
    SmallVector<Value> totals = emitSums(b, each);
    SmallVector<Value> state(carried);
    for (auto [mapping, total] : llvm::zip(each, totals)) {
      mapping.map(sum.loop.getResult(0), total);
      mapping.map(steps.getRegionIterArgs(), state);
      for (Operation &op : steps.getBody()->without_terminator())
        if (!needed.contains(&op) && &op != sum.loop)
          b.clone(op, mapping);
      state = llvm::map_to_vector(steps.getYieldedValues(),
                                  [&](Value value) { return mapping.lookupOrDefault(value); });
    }
    scf::YieldOp::create(b, loc, state);
  }

  // The loop as it was, for the steps that are left, makes its sum by vectors, too.
  void emitSingle() {
    OpBuilder b(sum.loop);
    SmallVector<IRMapping> alone(1);
    Value total = emitSums(b, alone).front();
    sum.loop.getResult(0).replaceAllUsesWith(total);
    sum.loop.erase();
    leaveAsItIs(steps);
  }

  //===----------------------------------------------------------------------------------------===//
  // Sums
  //===----------------------------------------------------------------------------------------===//

  int64_t lanes() { return bytesOfVector * 8 / element().getIntOrFloatBitWidth(); }
  VectorType vectorType() { return VectorType::get({lanes()}, element()); }
  // In this order: which steps make their sums together depends on the pieces of a loop, and no bit
  // may.
  Value add(OpBuilder &b, Value left, Value right) {
    auto kept = cast<arith::AddFOp>(total().combine).getFastmath() & ~arith::FastMathFlags::reassoc;
    return arith::AddFOp::create(b, loc, left, right, kept);
  }

  // The sum of each of some steps, whose values `each` has.
  SmallVector<Value> emitSums(OpBuilder &b, MutableArrayRef<IRMapping> each) {
    Value begin = sum.loop.getLowerBound(), end = sum.loop.getUpperBound();
    Value length = arith::SubIOp::create(b, loc, end, begin);
    Value whole = arith::AndIOp::create(b, loc, length, constant(b, -lanes()));
    Value middle = arith::AddIOp::create(b, loc, begin, whole);
    Value none = arith::ConstantOp::create(b, loc, b.getZeroAttr(vectorType()));
    auto walk = scf::ForOp::create(b, loc, begin, middle, constant(b, lanes()),
                                   SmallVector<Value>(each.size(), none));
    leaveAsItIs(walk);
    OpBuilder inside = OpBuilder::atBlockEnd(walk.getBody());
    scf::YieldOp::create(
        inside, loc,
        emitTerms(inside, each, walk.getInductionVar(), walk.getRegionIterArgs(), Value()));
    Value more = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, middle, end);
    auto rest = scf::IfOp::create(b, loc, walk.getResultTypes(), more, /*withElseRegion=*/true);
    inside = rest.getThenBodyBuilder();
    Value left = arith::SubIOp::create(inside, loc, end, middle);
    Value mask = vector::CreateMaskOp::create(
        inside, loc, VectorType::get({lanes()}, b.getI1Type()), ValueRange{left});
    scf::YieldOp::create(inside, loc, emitTerms(inside, each, middle, walk.getResults(), mask));
    inside = rest.getElseBodyBuilder();
    scf::YieldOp::create(inside, loc, walk.getResults());
    return addAcross(b, rest.getResults());
  }

  // Adds a vector of terms from `k` on to each of the sums.
  SmallVector<Value> emitTerms(OpBuilder &b, MutableArrayRef<IRMapping> each, Value k,
                               ValueRange sums, Value mask) {
    SmallVector<Value> added;
    IRMapping common; // of all sums
    for (auto [mapping, before] : llvm::zip(each, sums)) {
      IRMapping vectors = common;
      for (Operation &op : sum.loop.getBody()->without_terminator())
        if (&op != total().combine && op.getResult(0).getType() == element() &&
            !vectors.contains(op.getResult(0))) {
          Value made = emitVector(b, op, mapping, vectors, k, mask);
          vectors.map(op.getResult(0), made);
          if (isCommon(op))
            common.map(op.getResult(0), made);
        }
      Value term =
          widenedTo(b, vectorType(), total().term, mapping.lookupOrDefault(total().term), vectors);
      if (mask) { // the identity, whatever has become of nothing
        Value none = arith::ConstantOp::create(b, loc, b.getZeroAttr(vectorType()));
        term = arith::SelectOp::create(b, loc, mask, term, none);
      }
      added.push_back(add(b, before, term));
    }
    return added;
  }

  // Tells whether the value is the same in all steps.
  bool isCommon(Operation &op) {
    auto load = dyn_cast<memref::LoadOp>(op);
    if (!load)
      return false;
    Value base = placeIn(sum.loop, load.getIndices()[0]).base;
    return sum.isNext(load) ? !base || isOutside(base) : isOutside(load.getIndices()[0]);
  }

  Value emitVector(OpBuilder &b, Operation &op, IRMapping &mapping, IRMapping &vectors, Value k,
                   Value mask) {
    auto load = dyn_cast<memref::LoadOp>(op);
    if (!load)
      return widened(b, op,
                     llvm::map_to_vector(op.getOperands(),
                                         [&](Value value) {
                                           return widenedTo(b, vectorType(), value,
                                                            mapping.lookupOrDefault(value),
                                                            vectors);
                                         }),
                     vectorType());
    if (sum.isSame(load))
      return vector::BroadcastOp::create(b, loc, vectorType(), b.clone(op, mapping)->getResult(0));
    Value base = placeIn(sum.loop, load.getIndices()[0]).base;
    Value at = base ? Value(arith::AddIOp::create(b, loc, mapping.lookupOrDefault(base), k)) : k;
    if (!mask)
      return vector::LoadOp::create(b, loc, vectorType(), load.getMemRef(), at);
    Value none = arith::ConstantOp::create(b, loc, b.getZeroAttr(vectorType()));
    return vector::MaskedLoadOp::create(b, loc, vectorType(), load.getMemRef(), at, mask, none);
  }

  // The sum of the lanes of each of four vectors, or of one, which is added up as one of four.
  SmallVector<Value> addAcross(OpBuilder &b, ValueRange sums) {
    if (sums.size() == 1)
      return {addAcross(b, SmallVector<Value>(together, sums[0])).front()};
    auto shuffled = [&](Value left, Value right, llvm::function_ref<int64_t(int64_t)> lane) {
      return vector::ShuffleOp::create(b, loc, left, right,
                                       llvm::map_to_vector(llvm::seq<int64_t>(lanes()), lane));
    };
    // Neighbours are added: of two sums by turns, then two by two of all four.
    auto merged = [&](Value left, Value right, int64_t size) {
      auto from = [&](int64_t skipped) {
        return shuffled(left, right, [&](int64_t lane) {
          int64_t group = lane / (2 * size) * (2 * size), within = lane % (2 * size);
          return group + skipped + within % size + (within < size ? 0 : lanes());
        });
      };
      return add(b, from(0), from(size));
    };
    Value all = merged(merged(sums[0], sums[1], 1), merged(sums[2], sums[3], 1), 2);
    for (int64_t size = lanes(); size > together; size /= 2) {
      auto part = [&](int64_t first) {
        return vector::ExtractStridedSliceOp::create(b, loc, all, ArrayRef<int64_t>{first},
                                                     ArrayRef<int64_t>{size / 2},
                                                     ArrayRef<int64_t>{1});
      };
      all = add(b, part(0), part(size / 2));
    }
    return llvm::map_to_vector(llvm::seq<int64_t>(together), [&](int64_t lane) -> Value {
      return vector::ExtractOp::create(b, loc, all, lane);
    });
  }

  scf::ForOp steps;
  Location loc;
  VectorLoop sum;
  SetVector<Operation *> needed;
};

struct SumSideBySide : impl::SumSideBySideBase<SumSideBySide> {
  void runOnOperation() override {
    if (failed(expectStage(getOperation(), KernelStage::Code, getArgument())))
      return signalPassFailure();
    SmallVector<Sums> found;
    getOperation()->walk([&](scf::ForOp loop) {
      if (Sums sums(loop); sums.match())
        found.push_back(std::move(sums));
    });
    for (Sums &sums : found)
      sums.emit();
  }
};

} // namespace
} // namespace strata
