// Statements over tensors stored as sums become statements over the parts.
#include "strata/dialect/ta/Algebra.h"
#include "strata/dialect/ta/Sums.h"
#include "strata/lower/Passes.h"
#include "strata/lower/analysis/IndexStatement.h"
#include "strata/lower/analysis/MergeCost.h"
#include "strata/lower/ta/BothWays.h"
#include "strata/lower/ta/PassOverValues.h"
#include "strata/lower/ta/Reindex.h"
#include "strata/lower/ta/RenewResult.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_EXPANDSUMS
#include "strata/lower/Passes.h.inc"

namespace {

// So many sparse storages are merged in a statement: the cases double with each.
constexpr size_t mostMergedStorages = 4;

RankedTensorType typeOf(Value tensor) { return cast<RankedTensorType>(tensor.getType()); }
ta::SumAttr sumOf(Value tensor) { return ta::sumOf(typeOf(tensor)); }

//===------------------------------------------------------------------------------------------===//
// Where a statement is the sum of the same statement over each part
//===------------------------------------------------------------------------------------------===//

// Does the operation's value, as a function of one operand, keep sums, but for terms that another
// operand adds?
bool keepsSums(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::NegFOp, arith::AddIOp, arith::SubIOp,
          arith::MulIOp, complex::AddOp, complex::SubOp, complex::MulOp, complex::NegOp,
          arith::ExtFOp, arith::ExtSIOp, arith::SIToFPOp>(user))
    return true;
  return isa<arith::DivFOp, complex::DivOp>(user) && use.getOperandNumber() == 0;
}

// The operations from an access to the statement's value, if it depends on the access as a sum.
struct LinearPath {
  SmallVector<OpOperand *> uses; ///< from the access outwards; the yield of a reduction is one
  explicit operator bool() const { return complete; }
  bool complete = false;
};

LinearPath linearPath(ta::AccessOp access) {
  LinearPath path;
  Value value = access.getResult();
  while (value.hasOneUse()) {
    OpOperand &use = *value.use_begin();
    Operation *user = use.getOwner();
    if (isa<ta::YieldOp>(user)) {
      Operation *around = user->getParentOp();
      auto reduce = dyn_cast<ta::ReduceOp>(around);
      path.complete = !reduce;
      if (!reduce || reduce.getMissing() || reduce.getCombine() != ta::Combine::add)
        return path;
      path.uses.push_back(&use);
      value = reduce.getResult();
      continue;
    }
    if (!keepsSums(use))
      return path;
    path.uses.push_back(&use);
    value = user->getResult(0);
  }
  return path;
}

// Clones what a statement adds up for one access, with another value in its place.
class TermClone {
public:
  TermClone(OpBuilder &b, const LinearPath &path, IRMapping &mapping)
      : b(b), path(path), mapping(mapping) {}

  Value run(llvm::function_ref<Value()> access) { return emit(path.uses.size(), access); }

private:
  // The value behind the first `count` operations of the path.
  Value emit(size_t count, llvm::function_ref<Value()> access) {
    if (count == 0)
      return access();
    OpOperand &use = *path.uses[count - 1];
    Operation *user = use.getOwner();
    if (isa<ta::YieldOp>(user))
      return sum(cast<ta::ReduceOp>(user->getParentOp()), count - 1, access);
    Value inner = emit(count - 1, access);
    if (isAddition(user) || (isDifference(user) && use.getOperandNumber() == 0))
      return inner;
    SmallVector<Value> operands;
    for (OpOperand &operand : user->getOpOperands())
      if (operand.getOperandNumber() == use.getOperandNumber())
        operands.push_back(inner);
      else if (isDifference(user)) // a - x contributes 0 - x
        operands.push_back(
            ta::emitConstant(b, user->getLoc(), ta::identityOf(ta::Combine::add, inner.getType())));
      else
        operands.push_back(cloneValue(b, operand.get(), mapping));
    Operation *clone = b.clone(*user, mapping);
    clone->setOperands(operands);
    return clone->getResult(0);
  }

  Value sum(ta::ReduceOp reduce, size_t count, llvm::function_ref<Value()> access) {
    auto clone = ta::ReduceOp::create(b, reduce.getLoc(), reduce.getType(), reduce.getCombine(),
                                      reduce.getExtents(), reduce.getNamesAttr(),
                                      /*missing=*/false);
    OpBuilder::InsertionGuard guard(b);
    Block *block = b.createBlock(&clone.getBody());
    for (Value variable : reduce.getVariables())
      mapping.map(variable, block->addArgument(b.getIndexType(), reduce.getLoc()));
    ta::YieldOp::create(b, reduce.getLoc(), emit(count, access));
    return clone.getResult();
  }

  OpBuilder &b;
  const LinearPath &path;
  IRMapping &mapping;
};

//===------------------------------------------------------------------------------------------===//
// The pass
//===------------------------------------------------------------------------------------------===//

class Expander {
public:
  void run(ta::ComputeOp op) {
    if (convertsSum(op) && copiesWhole(op))
      return; // a conversion, which divides and joins
    if (sumOf(op.getResult()) && keepParts(op))
      return;
    if (sumOf(op.getResult()))
      joinResult(op);
    SmallVector<ta::ComputeOp> work = {op};
    while (!work.empty())
      expand(work.pop_back_val(), work);
  }

private:
  static bool keepParts(ta::ComputeOp op);
  void joinResult(ta::ComputeOp op);
  void expand(ta::ComputeOp op, SmallVectorImpl<ta::ComputeOp> &work);
  bool distribute(ta::ComputeOp op, ta::AccessOp access, SmallVectorImpl<ta::ComputeOp> &work);
  void addUp(ta::ComputeOp op, ta::AccessOp access);
  void joinOperand(ta::ComputeOp op, ta::AccessOp access);
  ArrayRef<Value> partsOf(Value tensor);
  static Value readPart(OpBuilder &b, ta::AccessOp access, Value part, ValueRange indices) {
    return ta::AccessOp::create(b, access.getLoc(), access.getType(), part, indices,
                                access.getMap(), access.getMissing());
  }

  DenseMap<Value, SmallVector<Value>> parts;
};

// The parts of a tensor, taken where it is defined.
ArrayRef<Value> Expander::partsOf(Value tensor) {
  SmallVector<Value> &known = parts[tensor];
  if (!known.empty())
    return known;
  OpBuilder b(tensor.getContext());
  b.setInsertionPointAfterValue(tensor);
  for (auto [at, part] : llvm::enumerate(sumOf(tensor).getParts()))
    known.push_back(ta::ComponentOp::create(b, tensor.getLoc(),
                                            ta::withFormat(typeOf(tensor), part), tensor,
                                            b.getI64IntegerAttr(int64_t(at))));
  return known;
}

// Tells whether the value is linear in the only access to a sum.
bool isLinear(ta::ComputeOp op) {
  SmallVector<ta::AccessOp> sums;
  op.getBody().walk([&](ta::AccessOp access) {
    if (sumOf(access.getTensor()))
      sums.push_back(access);
  });
  return sums.size() == 1 && linearPath(sums.front());
}

// A multiple of a tensor, in its format, has a multiple of each part.
bool Expander::keepParts(ta::ComputeOp op) {
  ta::ComputeOp whole = copyOf(op);
  if (whole.getInit() && whole.getCombine() && reachesAll(whole)) {
    readBefore(whole);
    whole.getInitMutable().clear();
  }
  Value result = isLinear(whole) ? passOverValues(whole) : Value();
  whole.erase();
  if (!result)
    return false;
  op.getResult().replaceAllUsesWith(result);
  op.erase();
  return true;
}

// The result is assembled as one storage and divided when all its entries are known.
void Expander::joinResult(ta::ComputeOp op) {
  RankedTensorType type = typeOf(op.getResult());
  RankedTensorType joined = ta::withFormat(type, sumOf(op.getResult()).joined());
  OpBuilder b(op);
  if (Value init = op.getInit())
    op.getInitMutable().assign(ta::ConvertOp::create(
        b, op.getLoc(), joined, init, b.getStringAttr("its parts are updated as one storage")));
  op.getResult().setType(joined);
  b.setInsertionPointAfter(op);
  auto divided = ta::ConvertOp::create(
      b, op.getLoc(), type, op.getResult(),
      b.getStringAttr("which part an entry belongs to follows from all of them"));
  op.getResult().replaceAllUsesExcept(divided.getResult(), divided);
}

void Expander::expand(ta::ComputeOp op, SmallVectorImpl<ta::ComputeOp> &work) {
  SmallVector<ta::AccessOp> sums;
  size_t merged = 0;
  op.getBody().walk([&](ta::AccessOp access) {
    if (sumOf(access.getTensor()))
      sums.push_back(access);
    else
      merged += !ta::formatOf(typeOf(access.getTensor())).isFull();
  });
  for (ta::AccessOp access : sums)
    if (distribute(op, access, work)) {
      work.push_back(op);
      return;
    }
  for (ta::AccessOp access : sums) {
    size_t parts = sumOf(access.getTensor()).getParts().size();
    bool few = merged + parts <= mostMergedStorages;
    merged += few ? parts : 1;
    if (few)
      addUp(op, access);
    else
      joinOperand(op, access);
  }
  dropUnusedInputs(op);
}

// y = L(A), with A = P + Q and L linear: y = L(P), then y += L(Q). Where the result has a place for
// everything that costs nothing, and each part is walked as it is stored.
bool Expander::distribute(ta::ComputeOp op, ta::AccessOp access,
                          SmallVectorImpl<ta::ComputeOp> &work) {
  LinearPath path = linearPath(access);
  RankedTensorType type = typeOf(op.getResult());
  if (!path || op.getMask() || access.getMissing() || sumOf(access.getTensor()).getFill() ||
      !ta::formatOf(type).isFull() ||
      op.getCombine().value_or(ta::Combine::add) != ta::Combine::add)
    return false;
  ArrayRef<Value> own = partsOf(access.getTensor());
  Value result = op.getResult();
  SmallVector<ta::ComputeOp> added;
  OpBuilder b(op);
  b.setInsertionPointAfter(op);
  for (Value part : own.drop_front()) {
    SmallVector<Value> inputs(op.getInputs());
    inputs.push_back(part);
    auto next = ta::ComputeOp::create(
        b, op.getLoc(), type, op.getExtents(), inputs, op.getSizes(), result, op.getOutMapAttr(),
        ta::CombineAttr::get(b.getContext(), ta::Combine::add), op.getNamesAttr());
    OpBuilder::InsertionGuard guard(b);
    Block *block = b.createBlock(&next.getBody());
    IRMapping mapping;
    for (Value variable : op.getVariables())
      mapping.map(variable, block->addArgument(b.getIndexType(), op.getLoc()));
    Value term = TermClone(b, path, mapping).run([&] {
      SmallVector<Value> indices;
      for (Value index : access.getIndices())
        indices.push_back(mapping.lookup(index));
      return readPart(b, access, part, indices);
    });
    ta::YieldOp::create(b, op.getLoc(), term);
    dropUnusedInputs(next);
    added.push_back(next);
    result = next.getResult();
  }
  op.getInputsMutable().append(own.front());
  access.getTensorMutable().assign(own.front());
  dropUnusedInputs(op);
  llvm::SmallPtrSet<Operation *, 4> except(added.begin(), added.end());
  op.getResult().replaceAllUsesExcept(result, except);
  work.append(added.begin(), added.end());
  return true;
}

// The value that the parts have together: where none of them stores anything, the fill.
void Expander::addUp(ta::ComputeOp op, ta::AccessOp access) {
  OpBuilder b(access);
  Location loc = access.getLoc();
  Attribute fill = sumOf(access.getTensor()).getFill();
  bool marked = access.getMissing() || fill;
  Value sum;
  for (Value part : partsOf(access.getTensor())) {
    op.getInputsMutable().append(part);
    Value own = readPart(b, access, part, access.getIndices());
    own.getDefiningOp<ta::AccessOp>().setMissing(marked);
    if (!sum) {
      sum = own;
      continue;
    }
    Value both = ta::emitCombine(b, loc, ta::Combine::add, sum, own);
    sum = marked ? Value(ta::UnionOp::create(b, loc, sum, own, both)) : both;
  }
  if (fill && !access.getMissing()) {
    Value otherwise = ta::emitConstant(b, loc, cast<TypedAttr>(fill));
    sum = ta::UnionOp::create(b, loc, sum, otherwise, sum);
  }
  access.getResult().replaceAllUsesWith(sum);
  access.erase();
}

// One storage instead of several, where there are too many to merge.
void Expander::joinOperand(ta::ComputeOp op, ta::AccessOp access) {
  OpBuilder b(op);
  Value tensor = access.getTensor();
  RankedTensorType joined = ta::withFormat(typeOf(tensor), sumOf(tensor).joined());
  Value whole =
      ta::ConvertOp::create(b, access.getLoc(), joined, tensor,
                            b.getStringAttr("with its parts the statement would merge more than " +
                                            Twine(mostMergedStorages) + " sparse storages"));
  op.getInputsMutable().append(whole);
  access.getTensorMutable().assign(whole);
}

struct ExpandSums : impl::ExpandSumsBase<ExpandSums> {
  void runOnOperation() override {
    SmallVector<ta::ComputeOp> statements;
    getOperation().walk([&](ta::ComputeOp op) {
      if (llvm::any_of(op.getInputs(), [](Value input) { return bool(sumOf(input)); }) ||
          sumOf(op.getResult()))
        statements.push_back(op);
    });
    Expander expander;
    for (ta::ComputeOp op : statements)
      expander.run(op);
  }
};

} // namespace
} // namespace strata
