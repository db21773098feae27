// Innermost loops that add to the elements of a row.
#include "strata/lower/scf/RowUpdate.h"

#include "strata/lower/scf/Buffers.h"
#include "strata/lower/utils/LoopHints.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace strata {

static MovingPlace placeIn(scf::ForOp loop, OperandRange indices) {
  return indices.size() == 1 ? placeIn(loop, indices[0]) : MovingPlace();
}

// Tells whether vectors of the type can be loaded and stored.
static bool hasTiles(Type type) {
  return isa<ComplexType>(type) || (type.isIntOrFloat() && !type.isInteger(1));
}

// Tells whether elements of the type can be computed with in vectors.
static bool isElement(Type type) { return isa<ComplexType>(type) || type.isIntOrFloat(); }

std::optional<RowUpdate> RowUpdate::match(scf::ForOp loop) {
  RowUpdate update{loop, {}, loop.getUpperBound(), {}, {}};
  loop.getBody()->walk([&](memref::StoreOp one) { update.store = one; });
  if (!update.store || !loop.getInitArgs().empty() || loop->hasAttr(loopAnnotationName) ||
      getConstantIntValue(loop.getLowerBound()) != 0 || getConstantIntValue(loop.getStep()) != 1)
    return std::nullopt;
  update.row = placeIn(loop, update.store.getIndices());
  if (!update.findQuestion())
    return std::nullopt;
  Type element = update.store.getValueToStore().getType();
  bool accumulates = false;
  const bool matches =
      update.row.moves && hasTiles(element) && loop.isDefinedOutsideOfLoop(update.buffer()) &&
      llvm::all_of(update.operations(),
                   [&](Operation *op) { return update.isKnown(*op, accumulates); }) &&
      accumulates;
  return matches ? std::optional(update) : std::nullopt;
}

// A question that the elements of the step answer alone: all else is there, whatever the answer.
bool RowUpdate::findQuestion() {
  for (auto one : scf::ForOp(loop).getBody()->getOps<scf::IfOp>()) {
    bool isPlain = one.getNumResults() == 0 && one.getElseRegion().empty();
    if (question || !isPlain || !isOfElements(one.getCondition()))
      return false;
    question = one;
  }
  return true;
}

bool RowUpdate::isOfElements(Value value) const {
  Operation *op = value.getDefiningOp();
  if (!op || op->hasTrait<OpTrait::ConstantLike>())
    return op != nullptr;
  if (op->getBlock() != scf::ForOp(loop).getBody())
    return false;
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return placeOf(load).moves && !isRow(load.getMemRef());
  return isElementwise(*op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) { return isOfElements(operand); });
}

SmallVector<Operation *> RowUpdate::operations() const {
  SmallVector<Operation *> all;
  for (Operation &op : scf::ForOp(loop).getBody()->without_terminator())
    if (&op == question)
      for (Operation &inner : scf::IfOp(question).thenBlock()->without_terminator())
        all.push_back(&inner);
    else
      all.push_back(&op);
  return all;
}

RowTiles RowUpdate::tiles(Location loc) const {
  return RowTiles(loc, size, memref::StoreOp(store).getValueToStore().getType());
}

MovingPlace RowUpdate::placeOf(memref::LoadOp load) const {
  return placeIn(loop, load.getIndices());
}

bool RowUpdate::isRow(Value view) const { return wholeOf(view) == wholeOf(buffer()); }

// Tells whether that can be done for several elements at once.
bool RowUpdate::isKnown(Operation &op, bool &accumulates) const {
  if (&op == store)
    return true;
  if (isa<arith::AddIOp>(op) && op.getResult(0).getType().isIndex())
    return llvm::all_of(op.getUsers(),
                        [](Operation *user) { return isa<memref::LoadOp, memref::StoreOp>(user); });
  auto load = dyn_cast<memref::LoadOp>(op);
  if (!load)
    return isElementwiseOfComplex(op) || isElementwise(op, isElement);
  const MovingPlace read = placeOf(load);
  if (isRow(load.getMemRef())) {
    accumulates = true;
    return load.getMemRef() == buffer() && read.moves && read.base == row.base;
  }
  scf::ForOp inner = loop;
  return hasTiles(load.getType()) && inner.isDefinedOutsideOfLoop(load.getMemRef()) &&
         (read.moves ||
          (load.getIndices().size() == 1 && inner.isDefinedOutsideOfLoop(load.getIndices()[0])));
}

Value RowUpdate::emit(OpBuilder &b, IRMapping &scalars, IRMapping vectors, const Lanes &place,
                      Value old) const {
  for (Operation *op : operations())
    emitElements(b, *op, scalars, vectors, place, old);
  Value last = memref::StoreOp(store).getValueToStore();
  Location loc = last.getLoc();
  Value sum = widenedTo(b, tiles(loc).type(), last, scalars.lookupOrDefault(last), vectors);
  if (!question)
    return sum;
  Value asked = scf::IfOp(question).getCondition(); // of constants alone it is the same for all
  Value answers = widenedTo(b, tiles(loc).typeOf(asked.getType()), asked,
                            scalars.lookupOrDefault(asked), vectors);
  return chosen(b, loc, answers, sum, old, last.getType());
}

void RowUpdate::emitElements(OpBuilder &b, Operation &op, IRMapping &scalars, IRMapping &vectors,
                             const Lanes &place, Value old) const {
  if (&op == store || op.getResult(0).getType().isIndex() ||
      scalars.contains(op.getResult(0)) || // the same for all vectors
      vectors.contains(op.getResult(0)))
    return;
  const RowTiles tiles = this->tiles(op.getLoc());
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    const MovingPlace read = placeOf(load);
    if (isRow(load.getMemRef()))
      vectors.map(load.getResult(), old);
    else if (read.moves)
      vectors.map(load.getResult(),
                  tiles.load(b, scalars.lookupOrDefault(load.getMemRef()),
                             read.base ? scalars.lookupOrDefault(read.base) : Value(), place));
    else
      b.clone(op, scalars);
    return;
  }
  if (llvm::none_of(op.getOperands(), [&](Value operand) { return vectors.contains(operand); })) {
    b.clone(op, scalars);
    return;
  }
  SmallVector<Value> operands = llvm::map_to_vector(op.getOperands(), [&](Value operand) {
    return widenedTo(b, tiles.typeOf(operand.getType()), operand, scalars.lookupOrDefault(operand),
                     vectors);
  });
  vectors.map(op.getResult(0), widened(b, op, operands, tiles.typeOf(op.getResult(0).getType())));
}

} // namespace strata
