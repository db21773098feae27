// Loops and branches: what their regions must hand over.
#include "strata/dialect/ta/Ta.h"

using namespace mlir;
using namespace strata::ta;

namespace {

bool isScalar(Value value) { return cast<RankedTensorType>(value.getType()).getRank() == 0; }

// What a terminator hands over, against the results of the operation that it ends.
LogicalResult verifyHandsOver(Operation *terminator, Operation *target) {
  if (llvm::equal(terminator->getOperandTypes(), target->getResultTypes()))
    return success();
  return terminator->emitOpError("hands over other types than the results of ")
         << target->getName();
}

LogicalResult verifyLoop(Operation *loop, ValueRange inits, ValueRange carried) {
  Operation &last = loop->getRegion(0).front().back();
  if (!isa<NextOp, BreakOp>(last))
    return loop->emitOpError("needs a region that ends with ta.next or ta.break");
  if (!llvm::equal(inits.getTypes(), carried.getTypes()))
    return loop->emitOpError("has a region whose arguments differ from what it carries");
  if (loop->getNumResults() < inits.size() ||
      !llvm::equal(loop->getResults().take_front(inits.size()).getTypes(), inits.getTypes()))
    return loop->emitOpError("must give what it carries as its first results");
  return success();
}

} // namespace

LogicalResult ForOp::verify() {
  if (!isScalar(getLower()) ||
      !cast<RankedTensorType>(getLower().getType()).getElementType().isInteger(64))
    return emitOpError("counts in 64-bit integers");
  if (getBlock().getNumArguments() == 0 || getCounter().getType() != getLower().getType())
    return emitOpError("needs its counter as the region's first argument");
  return verifyLoop(*this, getInits(), getCarried());
}

LogicalResult LoopOp::verify() {
  if (getLimit() < 1)
    return emitOpError("needs a limit of at least one round");
  return verifyLoop(*this, getInits(), getCarried());
}

RankedTensorType DistributeOp::typeOnCells(unsigned operand) {
  Type type = getTensors()[operand].getType();
  if (hasRounds() && (*getWindows())[operand] >= 0)
    type = cast<TypeAttr>((*getTypes())[operand]).getValue();
  return cast<RankedTensorType>(type);
}

// Each round takes a chunk of the same dimension of some operands, and hands its result on.
static LogicalResult verifyRounds(DistributeOp op) {
  const unsigned count = op.getTensors().size();
  if (!op.hasRounds())
    return op.getParts() || op.getChunk() || op.getTypes() || op.getRotated()
               ? op.emitOpError("has no windows, and no rounds")
               : success();
  if (op.getWindows()->size() != count || !op.getTypes() || op.getTypes()->size() != count)
    return op.emitOpError("needs a window and a type for each operand");
  if (bool(op.getParts()) == bool(op.getChunk()) || (op.getChunk() && *op.getChunk() < 1))
    return op.emitOpError("needs either the number of its rounds or what they have of a dimension");
  for (unsigned operand = 0; operand < count; ++operand) {
    auto from = cast<RankedTensorType>(op.getTensors()[operand].getType());
    const RankedTensorType to = op.typeOnCells(operand);
    if (from.getShape() != to.getShape() || from.getElementType() != to.getElementType() ||
        (*op.getWindows())[operand] >= from.getRank())
      return op.emitOpError("has rounds of something else than its operands");
  }
  if (op.getWindows()->back() >= 0 || op.getTensors().back().getType() != op.getResult().getType())
    return op.emitOpError("needs what rounds begin with as its last operand");
  return success();
}

LogicalResult DistributeOp::verify() {
  if (getTensors().empty() || failed(verifyRounds(*this)))
    return getTensors().empty()
               ? emitOpError("is of tensors, one or more, that are placed on one machine")
               : failure();
  StringRef machine;
  auto isPlaced = [&](RankedTensorType type) {
    PlacementAttr placement = placementOf(type);
    if (!placement || (!machine.empty() && placement.getMachine() != machine))
      return false;
    machine = placement.getMachine();
    return true;
  };
  SmallVector<Type> onCells;
  for (unsigned operand = 0; operand < getTensors().size(); ++operand)
    onCells.push_back(typeOnCells(operand));
  auto result = cast<RankedTensorType>(getResult().getType());
  if (!isPlaced(result) ||
      !llvm::all_of(onCells, [&](Type type) { return isPlaced(cast<RankedTensorType>(type)); }))
    return emitOpError("is of tensors, one or more, that are placed on one machine");
  if (getSizes().size() != result.getNumDynamicDims())
    return emitOpError("needs the sizes of its result's dynamic dimensions");
  auto arePieces = [](TypeRange pieces, TypeRange wholes) {
    return llvm::equal(pieces, wholes, [](Type piece, Type whole) {
      return piece == pieceType(cast<RankedTensorType>(whole));
    });
  };
  auto next = dyn_cast<NextOp>(getBlock().back());
  if (!arePieces(getBlock().getArgumentTypes(), onCells) || !next ||
      !arePieces(next->getOperandTypes(), (*this)->getResultTypes()))
    return emitOpError("needs a region from pieces of its operands to a piece of its result");
  return success();
}

LogicalResult NextOp::verify() {
  Operation *parent = (*this)->getParentOp();
  if (isa<DistributeOp>(parent))
    return success(); // which verifies what it gets
  if (!isa<ForOp, LoopOp, IfOp>(parent))
    return emitOpError("stands in no loop and no branch");
  return verifyHandsOver(*this, parent);
}

LogicalResult BreakOp::verify() {
  Operation *parent = (*this)->getParentOp();
  while (isa<IfOp>(parent))
    parent = parent->getParentOp();
  if (!isa<ForOp, LoopOp>(parent))
    return emitOpError("stands in no loop");
  return verifyHandsOver(*this, parent);
}

LogicalResult HoldsOp::verify() {
  if (!isScalar(getLhs()) || !isScalar(getRhs()))
    return emitOpError("compares scalars only");
  bool complex = llvm::any_of(getOperandTypes(), [](Type type) {
    return isa<ComplexType>(cast<RankedTensorType>(type).getElementType());
  });
  if (complex && getRelation() != Relation::eq && getRelation() != Relation::ne)
    return emitOpError("has no order of complex numbers");
  return success();
}
