// Finds sums of terms with operands that are looked up, and makes vectors of their terms.
#include "strata/lower/scf/SumLoop.h"

#include "strata/lower/scf/VectorElements.h"
#include "strata/lower/utils/LoopHints.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace strata {

// Tells whether the loop makes one sum, and nothing else of the terms.
bool SumLoop::isPlain() {
  return loop.getInitArgs().size() == 1 && getConstantIntValue(loop.getStep()) == 1 &&
         !loop->hasAttr(loopAnnotationName) && findSum();
}

bool SumLoop::match() {
  if (!isPlain())
    return false;
  bool looksUp = false;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (&op == sum || &op == widening || isa<memref::PrefetchOp>(op))
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
  gathers = gathers && canGather();
  return looksUp;
}

bool SumLoop::matchNeighbours() {
  if (!isPlain() || widening)
    return false;
  bool moves = false;
  for (Operation &op : loop.getBody()->without_terminator()) {
    auto load = dyn_cast<memref::LoadOp>(op);
    if (load && (load.getType() != element || load.getIndices().size() != 1 ||
                 !loop.isDefinedOutsideOfLoop(load.getMemRef()) || !(isNext(load) || isSame(load))))
      return false;
    moves |= load && isNext(load);
    bool isPlace = op.getNumResults() == 1 && placeIn(loop, op.getResult(0)).moves;
    if (!load && !isPlace && !isElementwise(op, element))
      return false;
  }
  return moves;
}

// Tells whether all places follow from whole numbers that lie next to each other. (A place that is
// prefetched must be known by itself, and there memory takes the time.)
bool SumLoop::canGather() {
  return llvm::all_of(loop.getBody()->without_terminator(), [&](Operation &op) {
    if (op.getNumResults() != 1 || !op.getResult(0).getType().isIntOrIndex())
      return !isa<memref::PrefetchOp>(op);
    if (auto load = dyn_cast<memref::LoadOp>(op))
      return isNext(load);
    // Additions to the loop's variable are places of what is next, and of nothing else.
    return placeIn(loop, op.getResult(0)).moves ||
           llvm::none_of(op.getOperands(), [&](Value value) { return placeIn(loop, value).moves; });
  });
}

// Finds the sum, if its terms may be added in another order.
bool SumLoop::findSum() {
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
  widening = term.getDefiningOp<arith::ExtFOp>();
  if (widening && (!widening.getIn().getType().isF32() || !widening->hasOneUse() ||
                   widening->getBlock() != loop.getBody()))
    widening = {};
  if (widening)
    term = widening.getIn(), element = term.getType();
  return true;
}

// Is it the element next to that of the step before?
bool SumLoop::isNext(memref::LoadOp load) { return placeIn(loop, load.getIndices()[0]).moves; }

// Is it the same element in each step?
bool SumLoop::isSame(memref::LoadOp load) {
  return loop.isDefinedOutsideOfLoop(load.getIndices()[0]);
}

Value SumLoop::emitTerms(OpBuilder &b, Value first, Value mask) {
  VectorType type = vectorType();
  vectors.clear();
  SmallVector<IRMapping> each(lanes);
  for (auto [lane, mapping] : llvm::enumerate(each)) {
    Value skipped = arith::ConstantIndexOp::create(b, loop.getLoc(), lane);
    mapping.map(loop.getInductionVar(), arith::AddIOp::create(b, loop.getLoc(), first, skipped));
  }
  for (Operation &op : loop.getBody()->without_terminator()) {
    auto load = dyn_cast<memref::LoadOp>(op);
    if (&op == sum || &op == widening)
      continue;
    if (gathers && load && load.getType() == element && !isNext(load) && !isSame(load))
      vectors.map(load.getResult(), emitGather(b, load, mask));
    else if (Value places = gathers ? emitPlaces(b, op, first, mask) : Value())
      vectors.map(op.getResult(0), places);
    else if (load && load.getType() == element && isNext(load))
      vectors.map(load.getResult(),
                  emitLoad(b, load, each[0].lookupOrDefault(load.getIndices()[0]), mask));
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
  Value terms = asVector(b, term);
  return widening ? Value(arith::ExtFOp::create(b, widening.getLoc(), sumsType(), terms)) : terms;
}

// The whole numbers of several steps at once; null of other operations.
Value SumLoop::emitPlaces(OpBuilder &b, Operation &op, Value first, Value mask) {
  if (op.getNumResults() != 1 || !op.getResult(0).getType().isIntOrIndex() ||
      placeIn(loop, op.getResult(0)).moves)
    return {};
  auto wide = [&](Type type) { return VectorType::get({lanes}, type); };
  VectorType type = wide(op.getResult(0).getType());
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    Value base = placeIn(loop, load.getIndices()[0]).base;
    Value at = base ? Value(arith::AddIOp::create(b, op.getLoc(), base, first)) : first;
    return emitLoad(b, load, at, mask);
  }
  auto operands = llvm::map_to_vector(op.getOperands(), [&](Value value) {
    return widenedTo(b, wide(value.getType()), value, value, vectors);
  });
  return widened(b, op, operands, type);
}

// Elements that lie next to each other.
Value SumLoop::emitLoad(OpBuilder &b, memref::LoadOp load, Value at, Value mask) {
  Location loc = load.getLoc();
  auto type = VectorType::get({lanes}, load.getType());
  if (!mask)
    return vector::LoadOp::create(b, loc, type, load.getMemRef(), at);
  Value none = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  return vector::MaskedLoadOp::create(b, loc, type, load.getMemRef(), at, mask, none);
}

Value SumLoop::emitGather(OpBuilder &b, memref::LoadOp load, Value mask) {
  Location loc = load.getLoc();
  VectorType type = vectorType();
  Value places = vectors.lookup(load.getIndices()[0]);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  if (!mask)
    mask = arith::ConstantOp::create(
        b, loc, DenseElementsAttr::get(VectorType::get({lanes}, b.getI1Type()), true));
  Value none = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  return vector::GatherOp::create(b, loc, type, load.getMemRef(), zero, places, mask, none);
}

void SumLoop::addUpUnderMasks() {
  constexpr int64_t bitsOfVector = 512;
  lanes = bitsOfVector / sum.getType().getIntOrFloatBitWidth();
  OpBuilder b(loop);
  Location loc = loop.getLoc();
  Value none = arith::ConstantOp::create(b, loc, b.getZeroAttr(sumsType()));
  Value step = arith::ConstantIndexOp::create(b, loc, lanes);
  auto walk = scf::ForOp::create(b, loc, loop.getLowerBound(), loop.getUpperBound(), step, none);
  leaveAsItIs(walk);
  OpBuilder inside = OpBuilder::atBlockEnd(walk.getBody());
  Value first = walk.getInductionVar(), before = walk.getRegionIterArgs()[0];
  Value left = arith::SubIOp::create(inside, loc, loop.getUpperBound(), first);
  auto bits = VectorType::get({lanes}, b.getI1Type());
  Value mask = vector::CreateMaskOp::create(inside, loc, bits, left);
  Value added =
      arith::AddFOp::create(inside, loc, before, emitTerms(inside, first, mask), sum.getFastmath());
  scf::YieldOp::create(inside, loc,
                       Value(arith::SelectOp::create(inside, loc, mask, added, before)));
  Value all = vector::ReductionOp::create(b, loc, vector::CombiningKind::ADD, walk.getResult(0),
                                          sum.getFastmath());
  loop.getResult(0).replaceAllUsesWith(
      arith::AddFOp::create(b, loc, loop.getInitArgs()[0], all, sum.getFastmath()));
  loop.erase();
}

// What has no vectors, element by element.
void SumLoop::emitEach(OpBuilder &b, Operation &op, MutableArrayRef<IRMapping> each) {
  VectorType type = vectorType();
  SmallVector<Value> elements;
  for (IRMapping &mapping : each)
    llvm::append_range(elements, b.clone(op, mapping)->getResults());
  if (op.getNumResults() > 0 && op.getResult(0).getType() == element)
    vectors.map(op.getResult(0), vector::FromElementsOp::create(b, op.getLoc(), type, elements));
}

Value SumLoop::asVector(OpBuilder &b, Value value) {
  return widenedTo(b, vectorType(), value, value, vectors);
}

} // namespace strata
