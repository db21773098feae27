// Moves conversions and temporaries of what a loop does not change in front of the loop.
#include "strata/dialect/ta/Ta.h"
#include "strata/lower/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_HOISTCONVERSIONS
#include "strata/lower/Passes.h.inc"

namespace {

bool isProgramLoop(Operation *op) { return isa<ta::ForOp, ta::LoopOp>(op); }

// Gives an operation before `op`, in its block, that converts the same tensor in the same way.
Operation *sameBefore(Operation *op) {
  auto properties = [](Operation *op) {
    NamedAttrList attributes(op->getAttrDictionary());
    attributes.erase("reason");
    return attributes.getDictionary(op->getContext());
  };
  if (op->getNumOperands() == 0)
    return nullptr;
  for (Operation *user : op->getOperand(0).getUsers())
    if (user != op && user->getBlock() == op->getBlock() && user->isBeforeInBlock(op) &&
        user->getName() == op->getName() && user->getOperands() == op->getOperands() &&
        user->getResultTypes() == op->getResultTypes() && properties(user) == properties(op))
      return user;
  return nullptr;
}

bool varies(Operation *loop, Value value) {
  return loop->isAncestor(value.getParentRegion()->getParentOp());
}

// Returns the same tensor, as far as its sizes are concerned, as it is in front of the loop, which
// changes no sizes; null if that is not known.
Value withSizesBefore(Operation *loop, Value tensor) {
  while (varies(loop, tensor)) {
    if (auto argument = dyn_cast<BlockArgument>(tensor)) {
      if (argument.getOwner()->getParentOp() != loop)
        return {};
      const bool counts = isa<ta::ForOp>(loop); // by its first argument
      if (counts && argument.getArgNumber() == 0)
        return {};
      ValueRange inits =
          counts ? cast<ta::ForOp>(loop).getInits() : cast<ta::LoopOp>(loop).getInits();
      return inits[argument.getArgNumber() - counts];
    }
    if (!isa<ta::ConvertOp, ta::FetchOp, ta::ScatterOp>(tensor.getDefiningOp()))
      return {};
    tensor = tensor.getDefiningOp()->getOperand(0);
  }
  return tensor;
}

// Returns the number with which a statement has made the dimension of a tensor; null if a loop
// carries the tensor, or its type says that.
Value sizeGiven(Value tensor, unsigned dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return {};
  const unsigned number = type.getDynamicDimIndex(dim);
  if (auto made = tensor.getDefiningOp<ta::ComputeOp>())
    return made.getSizes()[number];
  if (auto made = tensor.getDefiningOp<ta::DistributeOp>())
    return made.getSizes()[number];
  if (isa_and_present<ta::ConvertOp, ta::FetchOp, ta::ScatterOp>(tensor.getDefiningOp()))
    return sizeGiven(tensor.getDefiningOp()->getOperand(0), dim);
  return {};
}

// Returns the same number in front of the loop; null if it is not known there.
Value numberBefore(Operation *loop, Value number) {
  if (!varies(loop, number))
    return number;
  Operation *op = number.getDefiningOp();
  if (auto same = dyn_cast_or_null<ta::SameSizeOp>(op)) { // or the loop ends there
    for (Value size : same.getSizes())
      if (Value before = numberBefore(loop, size))
        return before;
    return {};
  }
  OpBuilder b(loop);
  if (auto dim = dyn_cast_or_null<ta::DimOp>(op)) {
    if (Value given = sizeGiven(dim.getTensor(), dim.getDim()))
      return numberBefore(loop, given);
    Value tensor = withSizesBefore(loop, dim.getTensor());
    return tensor ? ta::DimOp::create(b, op->getLoc(), b.getIndexType(), tensor, dim.getDim())
                  : Value();
  }
  if (!isa_and_present<ta::FitOp, ta::CellsOp, arith::ConstantIndexOp>(op))
    return {};
  IRMapping mapping;
  for (Value operand : op->getOperands()) {
    Value before = numberBefore(loop, operand);
    if (!before)
      return {};
    mapping.map(operand, before);
  }
  return b.clone(*op, mapping)->getResult(0);
}

// Returns the same value in front of the loop: one from outside, a number, or those that a label is
// worth; null if it is not known there.
Value valueBefore(Operation *loop, Value value) {
  if (!varies(loop, value))
    return value;
  if (isa<IndexType>(value.getType()))
    return numberBefore(loop, value);
  auto iota = value.getDefiningOp<ta::IotaOp>();
  Value size = iota ? numberBefore(loop, iota.getSize()) : Value();
  if (!size)
    return {};
  OpBuilder b(loop);
  return ta::IotaOp::create(b, iota.getLoc(), iota.getType(), iota.getFirst(), iota.getStep(),
                            size);
}

// Maps what an operation reads, its regions included, to the same in front of the loop; nothing if
// one value is not known there.
std::optional<IRMapping> readBefore(Operation *loop, Operation *op) {
  llvm::SetVector<Value> read(llvm::from_range, op->getOperands());
  getUsedValuesDefinedAbove(op->getRegions(), read);
  IRMapping mapping;
  for (Value value : read) {
    Value before = valueBefore(loop, value);
    if (!before)
      return std::nullopt;
    mapping.map(value, before);
  }
  return mapping;
}

// Moves an operation that the compiler inserted; where the user asks for a copy, that is a
// statement.
void hoist(Operation *op) {
  bool moved = false;
  for (Operation *loop = op->getParentOp(); isProgramLoop(loop); loop = op->getParentOp()) {
    std::optional<IRMapping> read = readBefore(loop, op);
    if (!read)
      break;
    op->walk([&](Operation *inner) {
      for (OpOperand &operand : inner->getOpOperands())
        operand.set(read->lookupOrDefault(operand.get()));
    });
    op->moveBefore(loop);
    moved = true;
  }
  if (!moved || !op->hasAttr("reason"))
    return;
  if (Operation *same = isa<ta::ComputeOp>(op) ? nullptr : sameBefore(op)) {
    op->replaceAllUsesWith(same);
    op->erase();
    return;
  }
  std::string reason = op->getAttrOfType<StringAttr>("reason").getValue().str();
  op->setAttr("reason", StringAttr::get(op->getContext(), reason + "; once, before the loop"));
}

// Tells whether the compiler inserted the operation, which makes something for others of its own.
bool isInserted(Operation *op) {
  if (isa<ta::ConvertOp, ta::GatherOp, ta::NeedsOp, ta::ReachOp, ta::FetchOp, ta::ComputeOp>(op))
    return op->hasAttr("reason");
  // What a part replaces, where a program gives no such tensor.
  auto isInto = [&](OpOperand &use) {
    auto scatter = dyn_cast<ta::ScatterOp>(use.getOwner());
    return scatter && scatter.getInto() == use.get();
  };
  return isa<ta::InsideOp>(op) ||
         (isa<ta::FillOp>(op) && !op->use_empty() && llvm::all_of(op->getUses(), isInto));
}

struct HoistConversions : impl::HoistConversionsBase<HoistConversions> {
  void runOnOperation() override {
    SmallVector<Operation *> conversions;
    getOperation().walk([&](Operation *op) {
      if (isInserted(op))
        conversions.push_back(op);
    });
    for (Operation *op : conversions)
      hoist(op);
  }
};

} // namespace
} // namespace strata
