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
#include "strata/dialect/ta/Algebra.h"
#include "strata/lower/Passes.h"
#include "strata/lower/scf/Buffers.h"
#include "strata/lower/scf/VectorElements.h"
#include "strata/lower/scf/VectorLoop.h"
#include "strata/lower/utils/KernelStage.h"
#include "strata/lower/utils/LoopHints.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
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
    return addsNeighbours() && findNeeded() && llvm::all_of(*steps.getBody(), [&](Operation &op) {
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
  bool isOutside(Value value) { return steps.isDefinedOutsideOfLoop(value); }

  // Tells whether the sum's terms are computed from elements that lie next to each other, or are
  // the same in all, and can be made under a mask.
  bool addsNeighbours() {
    std::string why;
    return sum.analyze(why) && sum.sums.size() == 1 && !sum.stores() && !sum.looksUp() &&
           sum.moves() && sum.canMask() && total().mayReorder() && !total().type().isIndex() &&
           !total().type().isInteger(1);
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
    for (auto [mapping, total] : llvm::zip(each, emitSums(b, each)))
      mapping.map(sum.loop.getResult(0), total);
    const auto done = emitFunctions(b, each);
    SmallVector<Value> state(carried);
    for (IRMapping &mapping : each) {
      mapping.map(steps.getRegionIterArgs(), state);
      for (Operation &op : steps.getBody()->without_terminator())
        if (!needed.contains(&op) && &op != sum.loop && !done.contains(&op))
          b.clone(op, mapping);
      state = llvm::map_to_vector(steps.getYieldedValues(),
                                  [&](Value value) { return mapping.lookupOrDefault(value); });
    }
    scf::YieldOp::create(b, loc, state);
  }

  // Tells whether it calls a function for an element, which takes as long for a vector.
  static bool isFunction(Operation &op) {
    return isa<math::MathDialect>(op.getDialect()) && OpTrait::hasElementwiseMappableTraits(&op) &&
           op.getNumResults() == 1 && !isElementwise(op);
  }

  using Operations = llvm::SmallPtrSet<Operation *, 8>;

  // Tells whether the operation computes from the sum, and what was computed from it, alone.
  bool followsSum(Operation &op, const Operations &done) {
    return op.getNumRegions() == 0 && op.getNumResults() == 1 && isPure(&op) &&
           llvm::all_of(op.getOperands(), [&](Value operand) {
             Operation *def = operand.getDefiningOp();
             return isOutside(operand) || operand == steps.getInductionVar() ||
                    (def && (def == sum.loop || needed.contains(def) || done.contains(def)));
           });
  }

  // Calls functions of the sums (1 / (1 + exp(-s))) for a vector of all steps: the operations that
  // need not be repeated for each.
  Operations emitFunctions(OpBuilder &b, MutableArrayRef<IRMapping> each) {
    Operations done;
    if (llvm::none_of(*steps.getBody(), [&](Operation &op) { return isFunction(op); }))
      return done;
    IRMapping vectors;
    for (Operation &op : steps.getBody()->without_terminator()) {
      if (needed.contains(&op) || &op == sum.loop || !followsSum(op, done))
        continue;
      done.insert(&op);
      bool together = isFunction(op) ||
                      (isElementwise(op) && llvm::any_of(op.getOperands(), [&](Value operand) {
                         return vectors.contains(operand);
                       }));
      if (together)
        emitForAll(b, op, each, vectors);
      else
        for (IRMapping &mapping : each)
          b.clone(op, mapping);
    }
    return done;
  }

  void emitForAll(OpBuilder &b, Operation &op, MutableArrayRef<IRMapping> each,
                  IRMapping &vectors) {
    auto typeOf = [&](Value value) { return vectorOf(value.getType(), int64_t(each.size())); };
    auto operands = llvm::map_to_vector(op.getOperands(), [&](Value operand) -> Value {
      if (Value known = vectors.lookupOrNull(operand))
        return known;
      auto elements = llvm::map_to_vector(
          each, [&](IRMapping &mapping) { return mapping.lookupOrDefault(operand); });
      return vector::FromElementsOp::create(b, loc, typeOf(operand), elements);
    });
    Value result = op.getResult(0), made = widened(b, op, operands, typeOf(result));
    vectors.map(result, made);
    for (auto [lane, mapping] : llvm::enumerate(each))
      mapping.map(result, elementOf(b, loc, made, int64_t(lane), result.getType()));
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

  int64_t lanes() const {
    constexpr int64_t most = 32;
    return std::min<int64_t>(most, bytesOfVector / ta::bytesOf(total().type()));
  }
  // In this order: which steps make their sums together depends on the pieces of a loop, and no bit
  // may.
  Value combine(OpBuilder &b, Value left, Value right) const {
    Value made = total().combined(b, left, right);
    if (auto floats = made.getDefiningOp<arith::ArithFastMathInterface>()) {
      auto kept = floats.getFastMathFlagsAttr().getValue() & ~arith::FastMathFlags::reassoc;
      floats->setAttr(floats.getFastMathAttrName(),
                      arith::FastMathFlagsAttr::get(b.getContext(), kept));
    }
    return made;
  }

  // The sum of each of some steps, whose values `each` has.
  SmallVector<Value> emitSums(OpBuilder &b, MutableArrayRef<IRMapping> each) {
    Value begin = sum.loop.getLowerBound(), end = sum.loop.getUpperBound();
    Value length = arith::SubIOp::create(b, loc, end, begin);
    Value whole = arith::AndIOp::create(b, loc, length, constant(b, -lanes()));
    Value middle = arith::AddIOp::create(b, loc, begin, whole);
    Value none = sum.neutrals(b, lanes()).front();
    auto walk = scf::ForOp::create(b, loc, begin, middle, constant(b, lanes()),
                                   SmallVector<Value>(each.size(), none));
    leaveAsItIs(walk);
    OpBuilder inside = OpBuilder::atBlockEnd(walk.getBody());
    scf::YieldOp::create(
        inside, loc,
        addTerms(inside, each, walk.getInductionVar(), walk.getRegionIterArgs(), Value()));
    Value more = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, middle, end);
    auto rest = scf::IfOp::create(b, loc, walk.getResultTypes(), more, /*withElseRegion=*/true);
    inside = rest.getThenBodyBuilder();
    Value left = arith::SubIOp::create(inside, loc, end, middle);
    Value mask = vector::CreateMaskOp::create(
        inside, loc, VectorType::get({lanes()}, b.getI1Type()), ValueRange{left});
    scf::YieldOp::create(inside, loc, addTerms(inside, each, middle, walk.getResults(), mask));
    inside = rest.getElseBodyBuilder();
    scf::YieldOp::create(inside, loc, walk.getResults());
    SmallVector<Value> totals = addAcross(b, rest.getResults());
    if (Value begun = sum.loop.getInitArgs()[0]; !total().isNeutral(begun))
      for (auto [mapping, one] : llvm::zip(each, totals))
        one = combine(b, mapping.lookupOrDefault(begun), one);
    return totals;
  }

  // Adds a vector of terms from `k` on to each of the sums. What several of them load is loaded
  // once: nothing is stored between.
  SmallVector<Value> addTerms(OpBuilder &b, ArrayRef<IRMapping> each, Value k, ValueRange sums,
                              Value mask) {
    SmallVector<Value> added;
    for (auto [mapping, before] : llvm::zip(each, sums)) {
      Value term = sum.emitStep(b, k, lanes(), mask, mapping).front();
      if (mask) // nothing, whatever has become of what is not read
        term = chosen(b, loc, mask, term, sum.neutrals(b, lanes()).front(), total().type());
      added.push_back(combine(b, before, term));
    }
    return added;
  }

  // The sum of the lanes of each of four vectors, or of one, which is added up as one of four.
  SmallVector<Value> addAcross(OpBuilder &b, ValueRange sums) {
    if (sums.size() == 1)
      return {addAcross(b, SmallVector<Value>(together, sums[0])).front()};
    const int64_t parts = isa<ComplexType>(total().type()) ? 2 : 1;
    auto shuffled = [&](Value left, Value right, llvm::function_ref<int64_t(int64_t)> lane) {
      SmallVector<int64_t> from;
      for (int64_t to = 0; to < lanes(); ++to)
        for (int64_t part = 0; part < parts; ++part)
          from.push_back(parts * lane(to) + part);
      return vector::ShuffleOp::create(b, loc, left, right, from);
    };
    // Neighbours are added: of two sums by turns, then two by two of all four.
    auto merged = [&](Value left, Value right, int64_t size) {
      auto from = [&](int64_t skipped) {
        return shuffled(left, right, [&](int64_t lane) {
          int64_t group = lane / (2 * size) * (2 * size), within = lane % (2 * size);
          return group + skipped + within % size + (within < size ? 0 : lanes());
        });
      };
      return combine(b, from(0), from(size));
    };
    Value all = merged(merged(sums[0], sums[1], 1), merged(sums[2], sums[3], 1), 2);
    for (int64_t size = lanes(); size > together; size /= 2) {
      auto part = [&](int64_t first) {
        return vector::ExtractStridedSliceOp::create(b, loc, all, ArrayRef<int64_t>{parts * first},
                                                     ArrayRef<int64_t>{parts * size / 2},
                                                     ArrayRef<int64_t>{1});
      };
      all = combine(b, part(0), part(size / 2));
    }
    return llvm::map_to_vector(llvm::seq<int64_t>(together), [&](int64_t lane) -> Value {
      return elementOf(b, loc, all, lane, total().type());
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
