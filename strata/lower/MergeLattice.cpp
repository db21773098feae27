// Folds statements with absent operands to find the cases that matter.
#include "strata/lower/MergeLattice.h"

#include "strata/dialect/ta/Algebra.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;

namespace strata {

static TypedAttr constantOf(Operation *def) {
  if (auto constant = dyn_cast<arith::ConstantOp>(def))
    return constant.getValue();
  if (auto constant = dyn_cast<complex::ConstantOp>(def)) {
    auto part = [&](unsigned at) {
      return cast<FloatAttr>(constant.getValue()[at]).getValue().convertToDouble();
    };
    return cast<TypedAttr>(Attribute(complex::NumberAttr::get(
        cast<ComplexType>(constant.getType()), part(0), part(1))));
  }
  return {};
}

TypedAttr foldedValue(Value value, const Absence &absence, Value *same) {
  Operation *def = value.getDefiningOp();
  if (!def)
    return {};
  if (auto access = dyn_cast<cin::AccessOp>(def)) {
    if (absence.accesses.contains(access))
      return ta::fillOf(access.getStorage().getType().getTensor());
    return absence.temps.lookup(access.getStorage());
  }
  if (TypedAttr constant = constantOf(def))
    return constant;
  SmallVector<TypedAttr> operands;
  for (Value operand : def->getOperands())
    operands.push_back(foldedValue(operand, absence));
  Value equal;
  TypedAttr folded = ta::foldElement(def, operands, equal);
  if (same && !folded)
    *same = equal;
  return folded;
}

// Equal as numbers: -0.0 has no effect where 0.0 has none.
static bool sameNumber(TypedAttr a, TypedAttr b) {
  if (a == b)
    return true;
  auto x = dyn_cast<FloatAttr>(Attribute(a)), y = dyn_cast<FloatAttr>(Attribute(b));
  return x && y && x.getType() == y.getType() && x.getValue().isZero() && y.getValue().isZero();
}

static bool assignsNothing(cin::AssignOp assign, const Absence &absence) {
  TypedAttr value = foldedValue(assign.getYielded(), absence);
  if (!value)
    return false;
  if (auto combine = assign.getCombine())
    return sameNumber(value, ta::identityOf(*combine, value.getType()));
  return absence.built.contains(assign.getTarget()) &&
         sameNumber(value, ta::fillOf(assign.getTarget().getType().getTensor()));
}

bool hasNoEffect(Block &block, Absence absence) {
  for (Operation &op : block)
    if (!hasNoEffect(&op, absence))
      return false;
  return true;
}

bool hasNoEffect(Operation *statement, Absence &absence) {
  if (auto assign = dyn_cast<cin::AssignOp>(statement))
    return assignsNothing(assign, absence);
  if (auto forall = dyn_cast<cin::ForallOp>(statement))
    return hasNoEffect(forall.getBlock(), absence);
  if (auto temp = dyn_cast<cin::TempOp>(statement))
    return true;
  auto where = dyn_cast<cin::WhereOp>(statement);
  if (!where)
    return isMemoryEffectFree(statement);
  Absence inside = absence;
  if (hasNoEffect(where.getProducer().front(), absence))
    where.getProducer().walk([&](cin::AssignOp assign) {
      if (auto temp = assign.getTarget().getDefiningOp<cin::TempOp>())
        inside.temps[temp.getStorage()] =
            ta::identityOf(temp.getCombine(), temp.getStorage().getType().getElementType());
    });
  return hasNoEffect(where.getConsumer().front(), inside);
}

llvm::SmallVector<unsigned> latticePoints(Block &body, const Absence &absence,
                                          ArrayRef<SmallVector<Operation *>> groups) {
  SmallVector<unsigned> points;
  for (unsigned mask = 0; mask < 1u << groups.size(); ++mask) {
    Absence here = absence;
    for (auto [at, group] : llvm::enumerate(groups))
      if (!(mask >> at & 1))
        here.accesses.insert(group.begin(), group.end());
    if (!hasNoEffect(body, here))
      points.push_back(mask);
  }
  llvm::sort(points, [](unsigned a, unsigned b) {
    return std::pair(llvm::popcount(b), a) < std::pair(llvm::popcount(a), b);
  });
  return points;
}

} // namespace strata
