// Recognizes contractions: every index is a linear function of the loops' variables, with factors
// that are known outside.
#include "strata/lower/scf/ContractionNest.h"

#include "strata/lower/scf/Buffers.h"
#include "strata/lower/utils/LoopHints.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace strata {

std::optional<ContractionNest> ContractionNest::match(scf::ForOp root) {
  ContractionNest nest;
  nest.root = root;
  if (root.getNumResults() > 0 || !nest.collect(root) || !nest.decideRoles() ||
      (nest.fill && nest.fill->buffer != nest.accesses[result].buffer))
    return std::nullopt;
  nest.overwrites |= nest.fill.has_value();
  nest.findPieces();
  return nest;
}

bool ContractionNest::isOutside(Value value) const {
  Operation *owner = value.getParentRegion()->getParentOp();
  return !root->isAncestor(owner);
}

// The number of which `bound` is the part before piece `at` of `count`: number * at / count.
static Value cutNumber(Value bound, Value at, Value count) {
  auto quotient = bound.getDefiningOp<arith::DivUIOp>();
  auto product = quotient && quotient.getRhs() == count
                     ? quotient.getLhs().getDefiningOp<arith::MulIOp>()
                     : arith::MulIOp();
  if (!product)
    return Value();
  auto isAt = [&](Value factor) {
    if (factor == at)
      return true;
    auto next = factor.getDefiningOp<arith::AddIOp>();
    return next && (next.getLhs() == at || next.getRhs() == at);
  };
  return isAt(product.getRhs())   ? product.getLhs()
         : isAt(product.getLhs()) ? product.getRhs()
                                  : Value();
}

void ContractionNest::findPieces() {
  auto around = dyn_cast<scf::ParallelOp>(root->getParentOp());
  if (!around || around.getNumLoops() != 1 || around.getNumResults() > 0)
    return;
  // Nothing else is there but what the bounds are computed from.
  for (Operation &op : around.getBody()->without_terminator())
    if (&op != root && (!isa<arith::MulIOp, arith::DivUIOp, arith::AddIOp, arith::ConstantOp>(op) ||
                        llvm::any_of(op.getUsers(), [&](Operation *user) {
                          return root->isProperAncestor(user);
                        })))
      return;
  Value at = around.getInductionVars()[0], count = around.getUpperBound()[0];
  Value first = cutNumber(root.getLowerBound(), at, count),
        last = cutNumber(root.getUpperBound(), at, count);
  if (!first || first != last || around.getRegion().isAncestor(first.getParentRegion()))
    return;
  pieces = around;
  whole = first;
}

Value ContractionNest::lower(OpBuilder &b, unsigned loop) const {
  return loop == 0 && pieces ? Value(arith::ConstantIndexOp::create(b, root->getLoc(), 0))
                             : scf::ForOp(loops[loop]).getLowerBound();
}

Value ContractionNest::upper(unsigned loop) const {
  return loop == 0 && pieces ? whole : scf::ForOp(loops[loop]).getUpperBound();
}

//===------------------------------------------------------------------------------------------===//
// The loops and what they do
//===------------------------------------------------------------------------------------------===//

// Operations that compute places only; they are made again where they are needed.
static bool computesPlaces(Operation &op) {
  return isa<arith::AddIOp, arith::MulIOp>(op) && op.getResult(0).getType().isIndex();
}

bool ContractionNest::collect(scf::ForOp loop) {
  if (loop->hasAttr(loopAnnotationName) || getConstantIntValue(loop.getStep()) != 1 ||
      !isOutside(loop.getLowerBound()) || !isOutside(loop.getUpperBound()))
    return false;
  loops.push_back(loop);
  if (!loop.getInitArgs().empty())
    return takeSum(loop);
  scf::ForOp inner;
  memref::StoreOp store;
  for (Operation &op : loop.getBody()->without_terminator()) {
    auto found = dyn_cast<scf::ForOp>(op);
    if (found && !inner && takeFill(found))
      continue;
    if (found && !inner)
      inner = found;
    else if (auto stored = dyn_cast<memref::StoreOp>(op); stored && !store)
      store = stored;
    else if (!computesPlaces(op) && !isa<memref::LoadOp>(op) && !isPure(&op))
      return false;
  }
  if (!inner)
    return store && takeLeaf(*loop.getBody());
  if (inner.getNumResults() == 0)
    return !store && llvm::all_of(loop.getBody()->without_terminator(), [&](Operation &op) {
      return &op == inner || (fill && &op == fill->loop) || computesPlaces(op);
    }) && collect(inner);
  if (inner.getNumResults() != 1 || !store ||
      !matchPattern(inner.getInitArgs()[0], m_AnyZeroFloat()))
    return false;
  return takeTarget(store, inner.getResult(0)) && collect(inner);
}

// The loop puts zero where the loops behind it add.
bool ContractionNest::takeFill(scf::ForOp loop) {
  std::optional<FillLoop> found = FillLoop::match(loop);
  if (!found || fill || !matchPattern(found->fill, m_AnyZeroFloat()))
    return false;
  fill = found;
  return true;
}

// A loop that adds up in a scalar: terms, or the sums of another.
bool ContractionNest::takeSum(scf::ForOp loop) {
  if (loop.getInitArgs().size() != 1)
    return false;
  Value before = loop.getRegionIterArgs()[0], after = loop.getYieldedValues()[0];
  if (auto inner = after.getDefiningOp<scf::ForOp>()) {
    for (Operation &op : loop.getBody()->without_terminator())
      if (&op != inner && !computesPlaces(op))
        return false;
    return inner->getBlock() == loop.getBody() && inner.getInitArgs().size() == 1 &&
           inner.getInitArgs()[0] == before && collect(inner);
  }
  auto sum = after.getDefiningOp<arith::AddFOp>();
  if (!sum || (sum.getLhs() != before && sum.getRhs() != before) ||
      !bitEnumContainsAll(sum.getFastmath(), arith::FastMathFlags::reassoc))
    return false;
  for (Operation &op : loop.getBody()->without_terminator())
    if (!isa<memref::LoadOp>(op) && !isPure(&op))
      return false;
  return takeTerm(sum.getLhs() == before ? sum.getRhs() : sum.getLhs());
}

// C[...] = C[...] + term
bool ContractionNest::takeLeaf(Block &body) {
  auto stores = body.getOps<memref::StoreOp>();
  memref::StoreOp store = *stores.begin();
  auto sum = store.getValueToStore().getDefiningOp<arith::AddFOp>();
  if (!sum || sum->getBlock() != &body ||
      !bitEnumContainsAll(sum.getFastmath(), arith::FastMathFlags::reassoc))
    return false;
  for (Value side : {sum.getLhs(), sum.getRhs()}) {
    auto load = side.getDefiningOp<memref::LoadOp>();
    if (!load || load.getMemRef() != store.getMemRef())
      continue;
    return takeTarget(store, Value()) &&
           takeTerm(side == sum.getLhs() ? sum.getRhs() : sum.getLhs()) &&
           load.getIndices() == store.getIndices();
  }
  return false;
}

// The sum of the loops inside, of a product of which the other factors are the same everywhere.
bool ContractionNest::isScaled(Value value, Value sum) {
  while (value != sum) {
    auto product = value.getDefiningOp<arith::MulFOp>();
    if (!product || isOutside(product.getLhs()) == isOutside(product.getRhs()))
      return false;
    bool first = isOutside(product.getLhs());
    scales.push_back(first ? product.getLhs() : product.getRhs());
    value = first ? product.getRhs() : product.getLhs();
  }
  return true;
}

// The store takes the sum of the loops inside, alone or with what was there; without `sum`, terms
// that are added to what was there.
bool ContractionNest::takeTarget(memref::StoreOp store, Value sum) {
  Value stored = store.getValueToStore();
  if (store.getIndices().size() != 1 || !isOutside(store.getMemRef()))
    return false;
  element = stored.getType();
  accesses[result] = {store.getMemRef(), store.getIndices()[0]};
  if (!(element.isF64() || element.isF32()))
    return false;
  if (!sum)
    return true;
  auto both = stored.getDefiningOp<arith::AddFOp>();
  if (!both || isOutside(stored)) {
    overwrites = true;
    return isScaled(stored, sum);
  }
  if (!bitEnumContainsAll(both.getFastmath(), arith::FastMathFlags::reassoc))
    return false;
  auto isThere = [&](Value side) {
    auto load = side.getDefiningOp<memref::LoadOp>();
    return load && load.getMemRef() == store.getMemRef() && load.getIndices() == store.getIndices();
  };
  return isThere(both.getLhs()) ? isScaled(both.getRhs(), sum)
                                : isThere(both.getRhs()) && isScaled(both.getLhs(), sum);
}

// A product of an element of each operand, and of factors that are the same everywhere.
bool ContractionNest::takeTerm(Value term) {
  SmallVector<Value> factors{term};
  SmallVector<Access> operands;
  while (!factors.empty()) {
    Value factor = factors.pop_back_val();
    if (isOutside(factor)) {
      scales.push_back(factor);
    } else if (auto product = factor.getDefiningOp<arith::MulFOp>()) {
      factors.push_back(product.getRhs());
      factors.push_back(product.getLhs());
    } else if (auto load = factor.getDefiningOp<memref::LoadOp>();
               load && load.getIndices().size() == 1 && isOutside(load.getMemRef())) {
      operands.push_back({load.getMemRef(), load.getIndices()[0]});
    } else {
      return false;
    }
  }
  if (operands.size() != 2)
    return false;
  accesses[left] = operands[0];
  accesses[right] = operands[1];
  return true;
}

//===------------------------------------------------------------------------------------------===//
// Places
//===------------------------------------------------------------------------------------------===//

bool ContractionNest::isLinear(Value index) const {
  auto isVariable = [&](scf::ForOp loop) { return index == scf::ForOp(loop).getInductionVar(); };
  if (isOutside(index) || llvm::any_of(loops, isVariable))
    return true;
  if (auto sum = index.getDefiningOp<arith::AddIOp>())
    return isLinear(sum.getLhs()) && isLinear(sum.getRhs());
  auto product = index.getDefiningOp<arith::MulIOp>();
  return product && ((isOutside(product.getLhs()) && isLinear(product.getRhs())) ||
                     (isOutside(product.getRhs()) && isLinear(product.getLhs())));
}

bool ContractionNest::dependsOn(Value index, Value variable) const {
  if (index == variable)
    return true;
  Operation *op = index.getDefiningOp();
  return op && !isOutside(index) && llvm::any_of(op->getOperands(), [&](Value operand) {
           return dependsOn(operand, variable);
         });
}

Value ContractionNest::strideOf(OpBuilder &b, Value index, Value variable) const {
  Location loc = root->getLoc();
  if (!dependsOn(index, variable))
    return Value();
  if (index == variable)
    return arith::ConstantIndexOp::create(b, loc, 1);
  Operation *op = index.getDefiningOp();
  Value x = op->getOperand(0), y = op->getOperand(1);
  if (isa<arith::MulIOp>(op)) {
    Value factor = isOutside(x) ? x : y, other = isOutside(x) ? y : x;
    return b.createOrFold<arith::MulIOp>(loc, strideOf(b, other, variable), factor);
  }
  Value first = strideOf(b, x, variable), second = strideOf(b, y, variable);
  return !first ? second : !second ? first : b.createOrFold<arith::AddIOp>(loc, first, second);
}

bool ContractionNest::moves(Tensor tensor, unsigned loop) const {
  return dependsOn(accesses[tensor].index, scf::ForOp(loops[loop]).getInductionVar());
}

Value ContractionNest::stride(OpBuilder &b, Tensor tensor, unsigned loop) const {
  return strideOf(b, accesses[tensor].index, scf::ForOp(loops[loop]).getInductionVar());
}

// Only sums lead from the variable to the index, one way.
bool ContractionNest::isUnit(Tensor tensor, unsigned loop) const {
  Value variable = scf::ForOp(loops[loop]).getInductionVar(), index = accesses[tensor].index;
  while (index != variable) {
    auto sum = index.getDefiningOp<arith::AddIOp>();
    if (!sum || isOutside(index))
      return false;
    bool inLeft = dependsOn(sum.getLhs(), variable), inRight = dependsOn(sum.getRhs(), variable);
    if (inLeft == inRight)
      return false;
    index = inLeft ? sum.getLhs() : sum.getRhs();
  }
  return true;
}

Value ContractionNest::atBegin(OpBuilder &b, Value index) const {
  if (isOutside(index))
    return index;
  for (auto [at, loop] : llvm::enumerate(loops))
    if (index == scf::ForOp(loop).getInductionVar())
      return lower(b, at);
  Operation *op = index.getDefiningOp();
  Value x = atBegin(b, op->getOperand(0)), y = atBegin(b, op->getOperand(1));
  return isa<arith::AddIOp>(op) ? b.createOrFold<arith::AddIOp>(root->getLoc(), x, y)
                                : b.createOrFold<arith::MulIOp>(root->getLoc(), x, y);
}

Value ContractionNest::base(OpBuilder &b, Tensor tensor) const {
  return atBegin(b, accesses[tensor].index);
}

bool ContractionNest::decideRoles() {
  for (const Access &access : accesses)
    if (!isLinear(access.index))
      return false;
  Value target = wholeOf(accesses[result].buffer);
  if (wholeOf(accesses[left].buffer) == target || wholeOf(accesses[right].buffer) == target)
    return false;
  for (unsigned loop = 0; loop < loops.size(); ++loop) {
    bool inLeft = moves(left, loop), inRight = moves(right, loop), inResult = moves(result, loop);
    if (inLeft + inRight + inResult < 2)
      return false;
    bool sums = scf::ForOp(loops[loop]).getNumResults() > 0;
    if (overwrites && !inResult && !sums) // a later sum would take the place of an earlier one
      return false;
    roles.push_back(!inResult  ? LoopRole::contracted
                    : !inRight ? LoopRole::freeLeft
                    : !inLeft  ? LoopRole::freeRight
                               : LoopRole::batch);
  }
  return llvm::is_contained(roles, LoopRole::freeLeft) &&
         llvm::is_contained(roles, LoopRole::freeRight) &&
         llvm::is_contained(roles, LoopRole::contracted);
}

} // namespace strata
