// Tells which values of a loop's steps are the same, lie next to each other or need a lane each,
// and writes several steps at once.
#include "strata/lower/scf/VectorLoop.h"

#include "strata/lower/scf/Buffers.h"
#include "strata/lower/scf/LevelWalk.h"
#include "strata/lower/scf/VectorElements.h"
#include "strata/lower/utils/LoopHints.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace strata {

static bool hasVectors(Type type) { return type.isIntOrIndexOrFloat() || isa<ComplexType>(type); }

static bool isElementOperation(Operation &op) {
  return isElementwiseOfComplex(op) || isElementwise(op, hasVectors);
}

//===------------------------------------------------------------------------------------------===//
// Sums
//===------------------------------------------------------------------------------------------===//

static std::optional<vector::CombiningKind> kindOfCombination(Operation *op) {
  using Kind = vector::CombiningKind;
  return llvm::TypeSwitch<Operation *, std::optional<Kind>>(op)
      .Case<arith::AddFOp, arith::AddIOp, complex::AddOp>([](auto) { return Kind::ADD; })
      .Case<arith::MulFOp, arith::MulIOp>([](auto) { return Kind::MUL; })
      .Case([](arith::MinimumFOp) { return Kind::MINIMUMF; })
      .Case([](arith::MaximumFOp) { return Kind::MAXIMUMF; })
      .Case([](arith::MinSIOp) { return Kind::MINSI; })
      .Case([](arith::MaxSIOp) { return Kind::MAXSI; })
      .Case([](arith::MinUIOp) { return Kind::MINUI; })
      .Case([](arith::MaxUIOp) { return Kind::MAXUI; })
      .Case([](arith::AndIOp) { return Kind::AND; })
      .Case([](arith::OrIOp) { return Kind::OR; })
      .Case([](arith::XOrIOp) { return Kind::XOR; })
      .Default([](Operation *) { return std::nullopt; });
}

static arith::FastMathFlags flagsOf(Operation *op) {
  auto floats = dyn_cast<arith::ArithFastMathInterface>(op);
  return floats ? floats.getFastMathFlagsAttr().getValue() : arith::FastMathFlags::none;
}

bool LoopSum::mayReorder() const {
  return !isa<arith::AddFOp, arith::MulFOp, complex::AddOp>(combine) ||
         bitEnumContainsAll(flagsOf(combine), arith::FastMathFlags::reassoc);
}

TypedAttr LoopSum::neutral() const {
  using Kind = vector::CombiningKind;
  using Atomic = arith::AtomicRMWKind;
  const bool isFloat = isa<FloatType>(type());
  OpBuilder b(combine);
  auto atomic = [&] {
    switch (kind) {
    case Kind::MUL:
      return isFloat ? Atomic::mulf : Atomic::muli;
    case Kind::MINIMUMF:
      return Atomic::minimumf;
    case Kind::MAXIMUMF:
      return Atomic::maximumf;
    case Kind::MINSI:
      return Atomic::mins;
    case Kind::MAXSI:
      return Atomic::maxs;
    case Kind::MINUI:
      return Atomic::minu;
    case Kind::MAXUI:
      return Atomic::maxu;
    case Kind::AND:
      return Atomic::andi;
    default: // of the others it is zero
      return isFloat ? Atomic::addf : Atomic::addi;
    }
  };
  if (kind == Kind::ADD || kind == Kind::OR || kind == Kind::XOR)
    return b.getZeroAttr(type());
  return arith::getIdentityValueAttr(atomic(), type(), b, combine->getLoc());
}

bool LoopSum::isNeutral(Value value) const {
  Attribute constant;
  return matchPattern(value, m_Constant(&constant)) && constant == Attribute(neutral());
}

Value LoopSum::combined(OpBuilder &b, Value left, Value right) const {
  if (auto vectors = dyn_cast<VectorType>(left.getType()))
    return widened(b, *combine, {left, right}, vectors);
  return b
      .create(combine->getLoc(), combine->getName().getIdentifier(), {left, right},
              {left.getType()}, combine->getAttrs())
      ->getResult(0);
}

Value LoopSum::across(OpBuilder &b, Value vector) const {
  Location loc = combine->getLoc();
  auto reduced = [&](Value part) -> Value {
    return vector::ReductionOp::create(b, loc, kind, part, flagsOf(combine));
  };
  if (!isa<ComplexType>(type()))
    return reduced(vector);
  auto parts = vector::DeinterleaveOp::create(b, loc, vector);
  return complex::CreateOp::create(b, loc, type(), reduced(parts.getRes1()),
                                   reduced(parts.getRes2()));
}

bool VectorLoop::findSums(std::string &why) {
  for (auto [before, after] : llvm::zip(loop.getRegionIterArgs(), loop.getYieldedValues())) {
    Operation *combine = after.getDefiningOp();
    std::optional<vector::CombiningKind> kind;
    if (combine && combine->getBlock() == loop.getBody() && combine->hasOneUse() &&
        before.hasOneUse() && llvm::is_contained(combine->getOperands(), before))
      kind = kindOfCombination(combine);
    if (!kind) {
      why = "a step needs what the step before it has computed";
      return false;
    }
    Value term = combine->getOperand(combine->getOperand(0) == before ? 1 : 0);
    sums.push_back({combine, term, *kind});
  }
  return true;
}

//===------------------------------------------------------------------------------------------===//
// Values of the steps
//===------------------------------------------------------------------------------------------===//

// A vector of truth values has a bit for each, a buffer a byte.
static bool liesInVectors(Type element) { return hasVectors(element) && !element.isInteger(1); }

VectorLoop::Kind VectorLoop::kindOf(Value value) const {
  if (scf::ForOp(loop).isDefinedOutsideOfLoop(value))
    return Kind::uniform;
  if (value == scf::ForOp(loop).getInductionVar())
    return Kind::moving;
  auto known = kinds.find(value);
  return known == kinds.end() ? Kind::varying : known->second;
}

bool VectorLoop::takesAccess(Value buffer, ValueRange indices, std::string &why) const {
  auto type = cast<MemRefType>(buffer.getType());
  if (!hasVectors(type.getElementType()))
    why = "its elements have no vectors";
  else if (indices.size() != 1 || !scf::ForOp(loop).isDefinedOutsideOfLoop(buffer) ||
           !type.isLastDimUnitStride())
    why = "its elements do not lie one behind the other";
  return why.empty();
}

// Tells whether each step's place is another one: next to that of the step before, a stride
// further, or that of another coordinate of a level that has each once. (A stride is a size, or a
// product of sizes: where it is zero, there are no elements.)
bool VectorLoop::isApart(Value place) const {
  if (kindOf(place) != Kind::varying)
    return isMoving(place);
  Operation *op = place.getDefiningOp();
  if (op && op->hasAttr(LevelWalk::distinctName))
    return true;
  auto isApartBeside = [&](unsigned at) {
    return isApart(op->getOperand(at)) && isUniform(op->getOperand(1 - at));
  };
  return isa_and_present<arith::AddIOp, arith::MulIOp>(op) &&
         (isApartBeside(0) || isApartBeside(1));
}

// Tells whether no step reads what another one stores, and stores come in the order of the steps.
bool VectorLoop::storesApart(memref::StoreOp store, std::string &why) const {
  Value at = store.getIndices()[0];
  auto isHere = [&](Value other) {
    MovingPlace here = placeIn(loop, at), there = placeIn(loop, other);
    return other == at || (here.moves && there.moves && here.base == there.base);
  };
  for (Operation &op : scf::ForOp(loop).getBody()->without_terminator()) {
    auto load = dyn_cast<memref::LoadOp>(op);
    auto second = dyn_cast<memref::StoreOp>(op);
    if (second == store || (!load && !second) ||
        wholeOf(op.getOperand(load ? 0 : 1)) != wholeOf(store.getMemRef()))
      continue;
    if (second)
      why = "a step stores twice";
    else if (!isApart(at))
      why = "two steps may add to the same place";
    else if (!load->isBeforeInBlock(store) || !isHere(load.getIndices()[0]))
      why = "a step may read what another one stores";
    if (!why.empty())
      return false;
  }
  return true;
}

// Takes note of what an operation's value is over the steps.
bool VectorLoop::takes(Operation &op, std::string &why) {
  if (op.getNumRegions() > 0) {
    why = "its steps have conditions or loops of their own";
    return false;
  }
  if (auto store = dyn_cast<memref::StoreOp>(op)) {
    hasStores = true;
    if (!takesAccess(store.getMemRef(), store.getIndices(), why))
      return false;
    if (!liesInVectors(store.getMemRefType().getElementType()))
      why = "truth values are stored";
    return why.empty() && storesApart(store, why);
  }
  if (auto prefetch = dyn_cast<memref::PrefetchOp>(op)) {
    prefetches = true;
    return takesAccess(prefetch.getMemref(), prefetch.getIndices(), why);
  }
  auto load = dyn_cast<memref::LoadOp>(op);
  if (op.getNumResults() != 1 || (!load && !isMemoryEffectFree(&op))) {
    why = "a step calls a function, or allocates";
    return false;
  }
  if (!hasVectors(op.getResult(0).getType())) {
    why = "its elements have no vectors";
    return false;
  }
  const bool allUniform = llvm::all_of(op.getOperands(), [&](Value one) { return isUniform(one); });
  Kind kind = allUniform ? Kind::uniform : Kind::varying;
  if (load) {
    if (!takesAccess(load.getMemRef(), load.getIndices(), why))
      return false;
    hasLookUps |= kindOf(load.getIndices()[0]) == Kind::varying;
    loadsNeighbours |= isNext(load);
  } else if (op.getResult(0).getType().isIndex()) {
    auto add = dyn_cast<arith::AddIOp>(op);
    auto subtract = dyn_cast<arith::SubIOp>(op);
    if ((add && ((isMoving(add.getLhs()) && isUniform(add.getRhs())) ||
                 (isUniform(add.getLhs()) && isMoving(add.getRhs())))) ||
        (subtract && isMoving(subtract.getLhs()) && isUniform(subtract.getRhs())))
      kind = Kind::moving;
  }
  if (kind == Kind::varying &&
      (load || llvm::any_of(op.getOperands(), [&](Value one) { return fromMemory.contains(one); })))
    fromMemory.insert(op.getResult(0));
  mayTrap |= !load && kind == Kind::varying && !isSpeculatable(&op);
  kinds[op.getResult(0)] = kind;
  return true;
}

// A place that is prefetched must be known by itself, and there memory takes the time. Places that
// are a stride apart are loaded one by one as fast.
bool VectorLoop::isGathered(memref::LoadOp load) const {
  Type type = load.getType();
  return gathers && !prefetches && fromMemory.contains(load.getIndices()[0]) &&
         type.isIntOrFloat() &&
         (type.getIntOrFloatBitWidth() == 32 || type.getIntOrFloatBitWidth() == 64);
}

void VectorLoop::demandVector(Value value) {
  if (kindOf(value) != Kind::varying || !inVectors.insert(value))
    return;
  Operation &op = *value.getDefiningOp();
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    if (isNext(load) && liesInVectors(load.getType()))
      return;
    return isGathered(load) && !isNext(load) ? demandVector(load.getIndices()[0])
                                             : demandLanes(value);
  }
  if (!isElementOperation(op))
    return demandLanes(value);
  for (Value operand : op.getOperands())
    demandVector(operand);
}

void VectorLoop::demandLanes(Value value) {
  if (kindOf(value) != Kind::varying || !inLanes.insert(value))
    return;
  for (Value operand : value.getDefiningOp()->getOperands())
    if (!isa<MemRefType>(operand.getType()))
      demandLanes(operand);
}

bool VectorLoop::analyze(std::string &why) {
  why.clear();
  if (getConstantIntValue(loop.getStep()) != 1) {
    why = "its steps are further apart than one";
    return false;
  }
  if (!findSums(why))
    return false;
  auto isCombination = [&](Operation &op) {
    return llvm::any_of(sums, [&](const LoopSum &sum) { return sum.combine == &op; });
  };
  for (Operation &op : loop.getBody()->without_terminator())
    if (!isCombination(op) && !takes(op, why))
      return false;
  for (const LoopSum &sum : sums)
    demandVector(sum.term);
  for (Operation &op : loop.getBody()->without_terminator())
    if (auto store = dyn_cast<memref::StoreOp>(op)) {
      demandVector(store.getValue());
      if (!isMoving(store.getIndices()[0])) {
        demandLanes(store.getIndices()[0]);
        scatters = true;
      }
    } else if (auto prefetch = dyn_cast<memref::PrefetchOp>(op)) {
      demandLanes(prefetch.getIndices()[0]);
    }
  return true;
}

bool VectorLoop::canMask() const { return inLanes.empty() && !scatters && !mayTrap && !prefetches; }

//===------------------------------------------------------------------------------------------===//
// Steps in vectors
//===------------------------------------------------------------------------------------------===//

/// As many steps as there are lanes.
struct VectorLoop::Step {
  Step(VectorLoop &of, OpBuilder &b, Value first, int64_t lanes, Value mask, const IRMapping &outer)
      : of(of), b(b), lanes(lanes), mask(mask), scalars(outer), each(lanes) {
    scalars.map(of.loop.getInductionVar(), first);
  }

  void emit(Operation &op);
  Value vectorOf(Value value);

private:
  VectorType typeOf(Type element) const { return strata::vectorOf(element, lanes); }
  Value none(Location loc, VectorType type) {
    return arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  }
  Value scalarOf(Value value, int64_t lane);
  void emitLanes(Operation &op);
  Value emitVector(Operation &op);
  Value emitLoad(memref::LoadOp load);
  void emitStore(memref::StoreOp store);
  Value fromLanes(Operation &op);

  VectorLoop &of;
  OpBuilder &b;
  int64_t lanes;
  Value mask;
  IRMapping scalars, vectors; ///< of the first step; of all
  SmallVector<IRMapping> each;
};

// The value of one step. What moves is further by the number of the step.
Value VectorLoop::Step::scalarOf(Value value, int64_t lane) {
  if (of.kindOf(value) == Kind::varying)
    return each[lane].lookup(value);
  Value first = scalars.lookupOrDefault(value);
  if (of.isUniform(value) || lane == 0)
    return first;
  if (Value known = each[lane].lookupOrNull(value))
    return known;
  Value skipped = arith::ConstantIndexOp::create(b, value.getLoc(), lane);
  Value place = arith::AddIOp::create(b, value.getLoc(), first, skipped);
  each[lane].map(value, place);
  return place;
}

Value VectorLoop::Step::vectorOf(Value value) {
  if (Value known = vectors.lookupOrNull(value))
    return known;
  Location loc = value.getLoc();
  VectorType type = typeOf(value.getType());
  Value made = repeated(b, loc, type, scalars.lookupOrDefault(value));
  if (of.isMoving(value))
    made = arith::AddIOp::create(b, loc, made, vector::StepOp::create(b, loc, type));
  vectors.map(value, made);
  return made;
}

void VectorLoop::Step::emitLanes(Operation &op) {
  for (int64_t lane = 0; lane < lanes; ++lane) {
    Operation *clone = b.clone(op);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(clone);
    for (OpOperand &operand : clone->getOpOperands())
      operand.set(scalarOf(operand.get(), lane));
    if (op.getNumResults() > 0)
      each[lane].map(op.getResult(0), clone->getResult(0));
  }
}

Value VectorLoop::Step::fromLanes(Operation &op) {
  SmallVector<Value> elements;
  for (IRMapping &mapping : each)
    llvm::append_range(elements, partsOf(b, mapping.lookup(op.getResult(0))));
  return vector::FromElementsOp::create(b, op.getLoc(), typeOf(op.getResult(0).getType()),
                                        elements);
}

Value VectorLoop::Step::emitLoad(memref::LoadOp load) {
  Location loc = load.getLoc();
  Value index = load.getIndices()[0];
  VectorType type = typeOf(load.getType());
  if (of.inLanes.contains(load))
    return fromLanes(*load);
  if (of.isNext(load)) {
    VectorWindow window{load.getMemRef(), scalars.lookupOrDefault(index), mask};
    return loadVector(b, loc, window, type);
  }
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value all = mask;
  if (!all)
    all = arith::ConstantOp::create(b, loc, DenseElementsAttr::get(typeOf(b.getI1Type()), true));
  return vector::GatherOp::create(b, loc, type, load.getMemRef(), zero, vectorOf(index), all,
                                  none(loc, type));
}

Value VectorLoop::Step::emitVector(Operation &op) {
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return emitLoad(load);
  if (!isElementOperation(op))
    return fromLanes(op);
  auto operands =
      llvm::map_to_vector(op.getOperands(), [&](Value operand) { return vectorOf(operand); });
  return widened(b, op, operands, typeOf(op.getResult(0).getType()));
}

void VectorLoop::Step::emitStore(memref::StoreOp store) {
  Location loc = store.getLoc();
  Value value = vectorOf(store.getValue()), index = store.getIndices()[0];
  if (of.isMoving(index)) {
    storeVector(b, loc, value, {store.getMemRef(), scalars.lookupOrDefault(index), mask});
    return;
  }
  for (int64_t lane = 0; lane < lanes; ++lane) {
    Value element = elementOf(b, loc, value, lane, store.getValue().getType());
    memref::StoreOp::create(b, loc, element, store.getMemRef(), scalarOf(index, lane));
  }
}

void VectorLoop::Step::emit(Operation &op) {
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return emitStore(store);
  if (auto prefetch = dyn_cast<memref::PrefetchOp>(op)) {
    if (of.kindOf(prefetch.getIndices()[0]) == Kind::varying)
      return emitLanes(op);
    b.clone(op, scalars);
    return;
  }
  Value result = op.getResult(0);
  if (of.kindOf(result) != Kind::varying) {
    b.clone(op, scalars);
    return;
  }
  if (of.inLanes.contains(result))
    emitLanes(op);
  if (of.inVectors.contains(result))
    vectors.map(result, emitVector(op));
}

SmallVector<Value> VectorLoop::emitStep(OpBuilder &b, Value first, int64_t lanes, Value mask,
                                        const IRMapping &outer) {
  Step step(*this, b, first, lanes, mask, outer);
  for (Operation &op : loop.getBody()->without_terminator())
    if (llvm::none_of(sums, [&](const LoopSum &sum) { return sum.combine == &op; }))
      step.emit(op);
  return llvm::map_to_vector(sums, [&](const LoopSum &sum) { return step.vectorOf(sum.term); });
}

//===------------------------------------------------------------------------------------------===//
// Loops over vectors
//===------------------------------------------------------------------------------------------===//

SmallVector<Value> VectorLoop::neutrals(OpBuilder &b, int64_t lanes) const {
  return llvm::map_to_vector(sums, [&](const LoopSum &sum) -> Value {
    VectorType type = vectorOf(sum.type(), lanes);
    TypedAttr all = isa<ComplexType>(sum.type())
                        ? b.getZeroAttr(type)
                        : DenseElementsAttr::get(type, Attribute(sum.neutral()));
    return arith::ConstantOp::create(b, sum.combine->getLoc(), all);
  });
}

// Combines the lanes of each sum, and what the sum begins with.
SmallVector<Value> VectorLoop::addAcross(OpBuilder &b, ValueRange vectors) const {
  SmallVector<Value> all;
  for (auto [sum, begin, vector] : llvm::zip(sums, scf::ForOp(loop).getInitArgs(), vectors)) {
    all.push_back(sum.combined(b, begin, sum.across(b, vector)));
  }
  return all;
}

// Emits the loop over vectors up to `end`, where the last one may be under a mask, and returns what
// the sums are then.
SmallVector<Value> VectorLoop::emitVectors(OpBuilder &b, Value end, int64_t lanes, bool masked) {
  Location loc = loop.getLoc();
  Value step = arith::ConstantIndexOp::create(b, loc, lanes);
  auto walk = scf::ForOp::create(b, loc, loop.getLowerBound(), end, step, neutrals(b, lanes));
  if (sums.empty())
    walk.getBody()->getTerminator()->erase();
  OpBuilder inside = OpBuilder::atBlockEnd(walk.getBody());
  Value first = walk.getInductionVar(), mask;
  if (masked) {
    leaveAsItIs(walk);
    Value left = arith::SubIOp::create(inside, loc, end, first);
    auto bits = VectorType::get({lanes}, b.getI1Type());
    mask = vector::CreateMaskOp::create(inside, loc, bits, left);
  }
  SmallVector<Value> terms = emitStep(inside, first, lanes, mask), after;
  for (auto [sum, before, term] : llvm::zip(sums, walk.getRegionIterArgs(), terms)) {
    Value next = sum.combined(inside, before, term);
    after.push_back(mask ? chosen(inside, loc, mask, next, before, sum.type()) : next);
  }
  scf::YieldOp::create(inside, loc, after);
  return addAcross(b, walk.getResults());
}

void VectorLoop::emitUnderMasks(int64_t lanes) {
  OpBuilder b(loop);
  loop.replaceAllUsesWith(emitVectors(b, loop.getUpperBound(), lanes, /*masked=*/true));
  loop.erase();
}

void VectorLoop::emitWhole(int64_t lanes) {
  OpBuilder b(loop);
  Location loc = loop.getLoc();
  auto constant = [&](int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); };
  Value begin = loop.getLowerBound();
  Value length = arith::SubIOp::create(b, loc, loop.getUpperBound(), begin);
  Value many = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, length, constant(lanes));
  Value whole = arith::AndIOp::create(b, loc, length, constant(-lanes));
  Value end = arith::AddIOp::create(b, loc, begin, whole);
  SmallVector<Type> types =
      llvm::map_to_vector(sums, [](const LoopSum &sum) { return sum.type(); });
  types.push_back(b.getIndexType());
  auto choice = scf::IfOp::create(b, loc, types, many, /*addThenBlock=*/true,
                                  /*addElseBlock=*/true);
  OpBuilder inside = choice.getThenBodyBuilder();
  SmallVector<Value> done = emitVectors(inside, end, lanes, /*masked=*/false);
  done.push_back(end);
  scf::YieldOp::create(inside, loc, done);
  SmallVector<Value> nothing(loop.getInitArgs());
  nothing.push_back(begin);
  OpBuilder outside = choice.getElseBodyBuilder();
  scf::YieldOp::create(outside, loc, nothing);
  loop.getInitArgsMutable().assign(choice.getResults().drop_back());
  loop.getLowerBoundMutable().assign(choice.getResults().back());
  leaveAsItIs(loop); // the rest is short
}

} // namespace strata
