// Makes statements of parts of others.
#include "strata/lower/ta/StatementPart.h"

#include "strata/dialect/ta/Algebra.h"
#include "strata/lower/analysis/MergeCost.h"
#include "strata/lower/analysis/Resolutions.h"
#include "strata/lower/ta/Reindex.h"

using namespace mlir;

namespace strata {

Value accessTo(const IndexStatement &statement, Value temporary, const StatementPart &part,
               OpBuilder &b, const IRMapping &mapping) {
  SmallVector<Value> indices;
  for (unsigned variable : part.variables)
    indices.push_back(mapping.lookupOrDefault(statement.variables[variable].argument));
  Type element = ta::valueTypeOf(cast<RankedTensorType>(temporary.getType()).getElementType());
  return ta::AccessOp::create(b, part.value.getLoc(), element, temporary, indices,
                              b.getMultiDimIdentityMap(indices.size()), part.missing);
}

Value computeFirst(const IndexStatement &statement, const StatementPart &part, StringRef name,
                   ArrayRef<ta::AccessOp> read,
                   llvm::function_ref<Value(OpBuilder &, IRMapping &)> body) {
  ta::ComputeOp op = statement.op;
  OpBuilder b(op);
  unsigned rank = part.variables.size();
  auto type = ta::withFormat(
      RankedTensorType::get(SmallVector<int64_t>(rank, ShapedType::kDynamic), part.value.getType()),
      part.format);
  SmallVector<Value> extents, inputs;
  SmallVector<Attribute> names;
  for (unsigned variable : part.variables) {
    extents.push_back(statement.variables[variable].extent);
    names.push_back(b.getStringAttr(statement.variables[variable].name));
  }
  for (ta::AccessOp access : read)
    if (!llvm::is_contained(inputs, access.getTensor()))
      inputs.push_back(access.getTensor());
  Location loc = NameLoc::get(b.getStringAttr(name), op.getLoc());
  auto compute = ta::ComputeOp::create(b, loc, type, extents, inputs, extents, Value(),
                                       AffineMapAttr::get(b.getMultiDimIdentityMap(rank)),
                                       ta::CombineAttr(), b.getArrayAttr(names));
  compute.setReason(part.reason);
  keepConstraints(compute, op);
  OpBuilder::InsertionGuard guard(b);
  Block *block = b.createBlock(&compute.getBody());
  IRMapping mapping;
  for (unsigned variable : part.variables)
    mapping.map(statement.variables[variable].argument, block->addArgument(b.getIndexType(), loc));
  ta::YieldOp::create(b, loc, body(b, mapping));
  dropUnusedInputs(compute);
  return compute.getResult();
}

// The masks that the value has to pass on its way to the statement's, and to nothing else, of which
// the variables of `free` tell whether they let it pass.
static SmallVector<Operation *> masksAround(const IndexStatement &statement, Value value,
                                            const llvm::SmallBitVector &free) {
  ta::ComputeOp op = statement.op;
  SmallVector<Operation *> masks;
  while (value.hasOneUse()) {
    OpOperand &use = *value.use_begin();
    Operation *user = use.getOwner();
    if (isa<ta::YieldOp>(user)) {
      user = user->getParentOp();
      if (user == op)
        break;
    } else if (isa<ta::MaskedOp, ta::UnmaskedOp>(user) && use.getOperandNumber() == 0) {
      llvm::SmallBitVector beyond = statement.freeVariables(user->getOperand(1));
      beyond.reset(free);
      if (beyond.none())
        masks.push_back(user);
    }
    value = user->getResult(0);
  }
  return masks;
}

// The value where the masks let it pass.
static Value masked(OpBuilder &b, Value value, ArrayRef<Operation *> masks, IRMapping &mapping) {
  for (Operation *mask : masks) {
    Value asked = cloneValue(b, mask->getOperand(1), mapping);
    value = isa<ta::UnmaskedOp>(mask)
                ? Value(ta::UnmaskedOp::create(b, mask->getLoc(), value, asked))
                : Value(ta::MaskedOp::create(b, mask->getLoc(), value, asked));
  }
  return value;
}

SmallVector<unsigned> storedOrder(const AccessPath &path, const llvm::SmallBitVector &labels) {
  SmallVector<unsigned> order;
  for (unsigned level = 0; level < path.coordinates.size(); ++level)
    for (int label : labels.set_bits())
      if (path.depends(level, label) && !llvm::is_contained(order, unsigned(label)))
        order.push_back(label);
  for (int label : labels.set_bits()) // which the tensor does not have
    if (!llvm::is_contained(order, unsigned(label)))
      order.push_back(label);
  return order;
}

Value computeMasked(const IndexStatement &statement, const StatementPart &part, StringRef name) {
  SmallVector<Operation *> masks =
      masksAround(statement, part.value, statement.freeVariables(part.value));
  SmallVector<ta::AccessOp> read = accessesIn(statement.op, part.value);
  for (Operation *mask : masks)
    llvm::append_range(read, accessesIn(statement.op, mask->getOperand(1)));
  return computeFirst(statement, part, name, read, [&](OpBuilder &b, IRMapping &mapping) -> Value {
    IRMapping own(mapping);
    Value value = cloneValue(b, part.value, mapping);
    auto sum = value.getDefiningOp<ta::ReduceOp>();
    if (!sum || masks.empty())
      return masked(b, value, masks, own);
    // At the terms of a sum, so that what the masks exclude is not computed.
    Operation *end = sum.getBlock().getTerminator();
    OpBuilder inside(end);
    end->setOperand(0, masked(inside, sum.getYielded(), masks, own));
    sum.setMissing(true);
    return sum.getResult();
  });
}

ta::AccessOp elementRead(Value value) {
  Operation *def = value.getDefiningOp();
  while (def && isa<CastOpInterface>(def) && def->getNumOperands() == 1)
    def = def->getOperand(0).getDefiningOp();
  return dyn_cast_or_null<ta::AccessOp>(def);
}

llvm::SmallBitVector labelsIn(const IndexStatement &statement, ta::AccessOp access) {
  llvm::SmallBitVector labels(statement.variables.size());
  for (Value index : access.getIndices())
    labels.set(statement.numberOf(index));
  return labels;
}

ta::AccessOp widestElement(const IndexStatement &statement, Value value) {
  llvm::SmallBitVector free = statement.freeVariables(value);
  ta::AccessOp widest;
  SmallVector<Value> work{value};
  while (!work.empty()) {
    Operation *def = work.pop_back_val().getDefiningOp();
    if (!def || isa<ta::ReduceOp>(def) || ta::asksPresence(def))
      return {};
    if (auto access = dyn_cast<ta::AccessOp>(def)) {
      if (access.getMissing() || isSparse(access))
        return {};
      if (labelsIn(statement, access) == free)
        widest = access;
      continue;
    }
    llvm::append_range(work, def->getOperands());
  }
  return widest;
}

void factorsOf(Value value, SmallVectorImpl<Value> &factors) {
  Operation *def = value.getDefiningOp();
  if (!def || !isProduct(def))
    return factors.push_back(value);
  for (Value operand : def->getOperands())
    factorsOf(operand, factors);
}

void replaceBy(const IndexStatement &statement, const StatementPart &part, Value temporary) {
  ta::ComputeOp op = statement.op;
  OpBuilder b(part.value.getDefiningOp());
  Value access = accessTo(statement, temporary, part, b);
  Value(part.value).replaceAllUsesWith(access);
  op.getInputsMutable().append(temporary);
  dropUnused(op);
}

void dropUnused(ta::ComputeOp op) {
  for (bool erased = true; erased;) {
    SmallVector<Operation *> unused;
    op.getBody().walk([&](Operation *inner) {
      if (inner->getNumResults() && inner->use_empty())
        unused.push_back(inner);
    });
    erased = !unused.empty();
    if (erased)
      unused.front()->erase(); // another may lie in it
  }
  dropUnusedInputs(op);
}

} // namespace strata
