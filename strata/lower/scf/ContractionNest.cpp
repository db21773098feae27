// Recognizes contractions: every index is a linear function of the loops' variables, with factors
// that are known outside.
#include "strata/lower/scf/ContractionNest.h"

#include "strata/dialect/ta/Algebra.h"
#include "strata/lower/scf/Buffers.h"
#include "strata/lower/scf/CutLoop.h"
#include "strata/lower/utils/LoopHints.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace strata {

// Tells whether that is a constant that sums can begin with.
static bool isNeutral(Value start, ta::Combine sums) {
  TypedAttr neutral = ta::identityOf(sums, start.getType());
  if (sums == ta::Combine::add && isa<FloatType>(start.getType()))
    return matchPattern(start, m_AnyZeroFloat());
  Operation *constant = start.getDefiningOp();
  return constant && ta::constantOf(constant) == neutral;
}

std::optional<ContractionNest> ContractionNest::match(scf::ForOp root) {
  ContractionNest nest;
  nest.root = root;
  if (root.getNumResults() > 0 || !nest.collect(root) || !nest.decideRoles() ||
      !nest.isSemiring() || !nest.saysWhetherSumsHaveTerms(nest.presence) ||
      (nest.fill && nest.fill->buffer != nest.accesses[result].buffer))
    return std::nullopt;
  nest.overwrites |= nest.fill.has_value();
  if (std::optional<CutLoop> cut = CutLoop::around(root)) {
    nest.pieces = cut->pieces;
    nest.whole = cut->whole;
  }
  nest.takeFillOfAll();
  return nest;
}

bool ContractionNest::isOutside(Value value) const {
  Operation *owner = value.getParentRegion()->getParentOp();
  return !root->isAncestor(owner);
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
  if (inner.getNumResults() != 1 || !store)
    return false;
  starts.push_back(inner.getInitArgs()[0]);
  return takeTarget(store, inner.getResult(0)) && collect(inner);
}

// The first sums are stored where nothing but neutral elements is there before all loops.
void ContractionNest::takeFillOfAll() {
  std::optional<FillOfAll> found = FillOfAll::before(pieces ? pieces : root.getOperation());
  if (!found || overwrites || wholeOf(found->buffer) != wholeOf(accesses[result].buffer) ||
      !isNeutral(found->fill, *sums))
    return;
  fillOfAll = found;
  overwrites = true;
}

// The loop puts what sums begin with where the loops behind it add.
bool ContractionNest::takeFill(scf::ForOp loop) {
  std::optional<FillLoop> found = FillLoop::match(loop);
  if (!found || fill)
    return false;
  fill = found;
  starts.push_back(found->fill);
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
  Operation *sum = after.getDefiningOp();
  if (!isSumOf(sum))
    return false;
  Value x = sum->getOperand(0), y = sum->getOperand(1);
  if (x != before && y != before)
    return false;
  for (Operation &op : loop.getBody()->without_terminator())
    if (!isa<memref::LoadOp>(op) && !isPure(&op))
      return false;
  return takeTerm(x == before ? y : x);
}

// C[...] = C[...] + term
bool ContractionNest::takeLeaf(Block &body) {
  auto stores = body.getOps<memref::StoreOp>();
  memref::StoreOp store = *stores.begin();
  Operation *sum = store.getValueToStore().getDefiningOp();
  if (!isSumOf(sum) || sum->getBlock() != &body)
    return false;
  for (unsigned side : {0, 1}) {
    auto load = sum->getOperand(side).getDefiningOp<memref::LoadOp>();
    if (!load || load.getMemRef() != store.getMemRef())
      continue;
    return takeTarget(store, Value()) && takeTerm(sum->getOperand(1 - side)) &&
           load.getIndices() == store.getIndices();
  }
  return false;
}

// The sum of the loops inside, of a product of which the other factors are the same everywhere, or
// the negative of one. A product may be zero where there are no terms, whatever its factors.
bool ContractionNest::takeScaled(Value value, Value sum) {
  while (value != sum) {
    Operation *op = value.getDefiningOp();
    if (Value other = ta::negatedBy(op)) {
      negates = !negates;
      value = other;
      continue;
    }
    if (auto choice = dyn_cast_or_null<arith::SelectOp>(op);
        choice && isOutside(choice.getCondition()) &&
        isNeutral(choice.getFalseValue(), ta::Combine::add)) {
      presence.push_back(choice.getCondition());
      value = choice.getTrueValue();
      continue;
    }
    if (!op || operatorOf(op) != ta::Combine::mul || !isProductOf(op) ||
        isOutside(op->getOperand(0)) == isOutside(op->getOperand(1)))
      return false;
    bool first = isOutside(op->getOperand(0));
    scales.push_back(op->getOperand(!first));
    value = op->getOperand(first);
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
  auto number = dyn_cast<ComplexType>(element);
  Type real = number ? number.getElementType() : element;
  if (!real.isF64() && !real.isF32() && !real.isInteger(32) && !real.isInteger(64))
    return false;
  if (!sum)
    return true;
  auto isThere = [&](Value side) {
    auto load = side.getDefiningOp<memref::LoadOp>();
    return load && load.getMemRef() == store.getMemRef() && load.getIndices() == store.getIndices();
  };
  Operation *both = isOutside(stored) ? nullptr : stored.getDefiningOp();
  if (auto difference = differenceOf(both); difference && isThere(difference->first)) {
    negates = !negates;
    return takeScaled(difference->second, sum);
  }
  for (unsigned side : {0, 1})
    if (both && both->getNumOperands() == 2 && isThere(both->getOperand(side)))
      return isSumOf(both) && takeScaled(both->getOperand(1 - side), sum);
  overwrites = true;
  return takeScaled(stored, sum);
}

// What is loaded, also of a type with fewer bits than that in which it is multiplied.
static memref::LoadOp loadOf(Operation *op) {
  if (auto wide = dyn_cast_or_null<arith::ExtFOp>(op))
    op = wide.getIn().getDefiningOp();
  return dyn_cast_or_null<memref::LoadOp>(op);
}

// A product of an element of each operand, and of factors that are the same everywhere.
bool ContractionNest::takeTerm(Value term) {
  SmallVector<Value> factors{term};
  SmallVector<Access> operands;
  while (!factors.empty()) {
    Value factor = factors.pop_back_val();
    Operation *op = factor.getDefiningOp();
    if (isOutside(factor)) {
      scales.push_back(factor);
    } else if (Value other = ta::negatedBy(op)) {
      negates = !negates;
      factors.push_back(other);
    } else if (memref::LoadOp load = loadOf(op)) {
      if (load.getIndices().size() != 1 || !isOutside(load.getMemRef()) ||
          factor.getType() != element)
        return false;
      operands.push_back({load.getMemRef(), load.getIndices()[0]});
    } else if (isProductOf(op)) {
      factors.push_back(op->getOperand(1));
      factors.push_back(op->getOperand(0));
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
// The semiring
//===------------------------------------------------------------------------------------------===//

std::optional<ta::Combine> ContractionNest::operatorOf(Operation *op) {
  using Found = std::optional<ta::Combine>;
  return llvm::TypeSwitch<Operation *, Found>(op)
      .Case<arith::AddFOp, arith::AddIOp, complex::AddOp>([](auto) { return ta::Combine::add; })
      .Case<arith::MulFOp, arith::MulIOp, complex::MulOp>([](auto) { return ta::Combine::mul; })
      .Case<arith::MinimumFOp, arith::MinSIOp>([](auto) { return ta::Combine::min; })
      .Case<arith::MaximumFOp, arith::MaxSIOp>([](auto) { return ta::Combine::max; })
      .Case<arith::MinUIOp>([](auto) { return ta::Combine::umin; })
      .Case<arith::MaxUIOp>([](auto) { return ta::Combine::umax; })
      .Default([](Operation *) { return Found(); });
}

std::optional<std::pair<Value, Value>> ContractionNest::differenceOf(Operation *op) {
  if (!isa_and_nonnull<arith::SubFOp, arith::SubIOp, complex::SubOp>(op))
    return std::nullopt;
  return std::pair(op->getOperand(0), op->getOperand(1));
}

// Sums of numbers that are rounded must be allowed to be added in another order.
bool ContractionNest::isSumOf(Operation *op) {
  std::optional<ta::Combine> found = op ? operatorOf(op) : std::nullopt;
  if (!found || found == ta::Combine::mul || (sums && sums != found))
    return false;
  sums = found;
  auto relaxed = dyn_cast<arith::ArithFastMathInterface>(op);
  return found != ta::Combine::add || isa<arith::AddIOp>(op) ||
         (relaxed && relaxed.getFastMathFlagsAttr() &&
          bitEnumContainsAll(relaxed.getFastMathFlagsAttr().getValue(),
                             arith::FastMathFlags::reassoc));
}

bool ContractionNest::isProductOf(Operation *op) {
  std::optional<ta::Combine> found = op ? operatorOf(op) : std::nullopt;
  if (!found || (products && products != found))
    return false;
  products = found;
  return true;
}

// Do the conditions fail only where a loop that sums up has no steps?
bool ContractionNest::saysWhetherSumsHaveTerms(ArrayRef<Value> conditions) const {
  return llvm::all_of(conditions, [&](Value condition) {
    if (auto both = condition.getDefiningOp<arith::AndIOp>())
      return saysWhetherSumsHaveTerms({both.getLhs(), both.getRhs()});
    auto compares = condition.getDefiningOp<arith::CmpIOp>();
    if (!compares)
      return false;
    Value from = compares.getLhs(), to = compares.getRhs();
    if (compares.getPredicate() == arith::CmpIPredicate::sgt)
      std::swap(from, to);
    else if (compares.getPredicate() != arith::CmpIPredicate::slt)
      return false;
    return llvm::any_of(loops, [&](scf::ForOp loop) {
      return loop.getNumResults() > 0 && loop.getLowerBound() == from && loop.getUpperBound() == to;
    });
  });
}

SmallVector<Value> ContractionNest::factors(OpBuilder &b) const {
  SmallVector<Value> all = scales;
  for (Value &scale : all)
    for (Value condition : presence) {
      Value one = ta::emitConstant(b, root->getLoc(), ta::identityOf(ta::Combine::mul, element));
      scale = arith::SelectOp::create(b, root->getLoc(), condition, scale, one);
    }
  return all;
}

// Factors that are the same everywhere, and signs, go to one operand: of sums and products alone.
bool ContractionNest::isSemiring() const {
  if (!sums || !products || sums == products)
    return false;
  bool isRing = sums == ta::Combine::add && products == ta::Combine::mul;
  return (isRing || (scales.empty() && !negates)) &&
         llvm::all_of(starts, [&](Value start) { return isNeutral(start, *sums); });
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

unsigned ContractionNest::distance(Tensor tensor, unsigned loop) const {
  Value variable = scf::ForOp(loops[loop]).getInductionVar(), index = accesses[tensor].index;
  unsigned products = 0;
  while (index != variable) {
    Operation *op = index.getDefiningOp();
    products += isa<arith::MulIOp>(op);
    index = op->getOperand(dependsOn(op->getOperand(0), variable) ? 0 : 1);
  }
  return products;
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
    roles.push_back(!inResult  ? lvl::Role::summed
                    : !inRight ? lvl::Role::row
                    : !inLeft  ? lvl::Role::column
                               : lvl::Role::batched);
  }
  return llvm::is_contained(roles, lvl::Role::row) &&
         llvm::is_contained(roles, lvl::Role::column) &&
         llvm::is_contained(roles, lvl::Role::summed);
}

} // namespace strata
