// Finds which flags decide whether a statement has an effect.
#include "strata/lower/lvl/OpenPresence.h"

#include "strata/dialect/ta/Algebra.h"
#include "strata/dialect/ta/FillValue.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;

namespace strata {

bool OpenPresence::isUsedBy(Operation *statement) const {
  if (!temp)
    return llvm::any_of(accesses, [&](Operation *op) { return statement->isAncestor(op); });
  return llvm::any_of(temp.getUsers(), [&](Operation *op) {
    return isa<cin::AccessOp>(op) && statement->isAncestor(op);
  });
}

void OpenPresence::deny(Absence &absence) const {
  if (temp)
    absence.temps[temp] = before;
  else
    absence.accesses.insert(accesses.begin(), accesses.end());
}

Value emitAny(OpBuilder &b, Location loc, ArrayRef<OpenPresence> open) {
  Value any = open.front().flag;
  for (const OpenPresence &other : open.drop_front())
    any = arith::OrIOp::create(b, loc, any, other.flag);
  return any;
}

Value emitHasEffect(OpBuilder &b, Location loc, Operation *statement, const Absence &absence,
                    ArrayRef<OpenPresence> open) {
  // An effect that some bring, more bring as well.
  SmallVector<unsigned> least = leastSets(loc, open.size(), [&](unsigned present) {
    Absence here = absence;
    for (auto [at, one] : llvm::enumerate(open))
      if (!(present >> at & 1))
        one.deny(here);
    return !hasNoEffect(statement, here);
  });
  Value any;
  for (unsigned set : least) {
    Value all;
    for (auto [at, one] : llvm::enumerate(open))
      if (set >> at & 1)
        all = all ? Value(arith::AndIOp::create(b, loc, all, one.flag)) : one.flag;
    if (!all)
      return {};
    any = any ? Value(arith::OrIOp::create(b, loc, any, all)) : all;
  }
  return any ? any : Value(arith::ConstantIntOp::create(b, loc, 0, 1));
}

// The value that an operation on numbers with infinities has under an absence; null if the run
// alone knows, or if computing gives the same.
static TypedAttr annihilated(Operation *op, const Absence &absence) {
  if (op->getNumOperands() != 2 || op->getNumResults() != 1 ||
      !isa<FloatType, ComplexType>(op->getResult(0).getType()) ||
      !isa<arith::ArithDialect, complex::ComplexDialect>(op->getDialect()))
    return {};
  TypedAttr value = foldedValue(op->getResult(0), absence);
  if (!value || ta::isMissing(value))
    return {};
  SmallVector<ta::Known> operands;
  for (Value operand : op->getOperands())
    operands.push_back({foldedValue(operand, absence)}); // as if it were computed
  Value same;
  return ta::foldElement(op, operands, same).value == value ? TypedAttr() : value;
}

bool annihilates(Operation *op, const Absence &present, const Absence &absent) {
  return annihilated(op, absent) && !foldedValue(op->getResult(0), present);
}

// The scalars and accesses that the operation is computed from, in its statement.
static bool isReadBy(const OpenPresence &one, Operation *op) {
  SmallVector<Operation *> work{op};
  llvm::SmallDenseSet<Operation *, 8> seen;
  while (!work.empty()) {
    Operation *next = work.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    if (auto access = dyn_cast<cin::AccessOp>(next))
      if (one.temp ? access.getStorage() == one.temp : llvm::is_contained(one.accesses, next))
        return true;
    for (Value operand : next->getOperands())
      if (Operation *def = operand.getDefiningOp())
        work.push_back(def);
  }
  return false;
}

Value emitWhereAnnihilated(OpBuilder &b, Location loc, Operation *op, Value computed,
                           const Absence &absence, ArrayRef<OpenPresence> all) {
  SmallVector<OpenPresence> open;
  llvm::copy_if(all, std::back_inserter(open),
                [&](const OpenPresence &one) { return isReadBy(one, op); });
  if (open.empty() || op->getNumResults() != 1)
    return computed;
  auto without = [&](unsigned absent) {
    Absence here = absence;
    for (auto [at, one] : llvm::enumerate(open))
      if (absent >> at & 1)
        one.deny(here);
    return here;
  };
  // What is constant without some is so without others as well.
  auto isConstant = [&](unsigned absent) {
    return bool(foldedValue(op->getResult(0), without(absent)));
  };
  SmallVector<std::pair<unsigned, TypedAttr>> cases;
  for (unsigned absent : leastSets(loc, open.size(), isConstant))
    if (TypedAttr value = annihilated(op, without(absent)); value && absent != 0)
      cases.emplace_back(absent, value);
  // NaN wins where another operand is absent, too, and an infinite one.
  llvm::stable_sort(cases, [](const auto &one, const auto &other) {
    return !ta::isNaN(one.second) && ta::isNaN(other.second);
  });
  Value result = computed;
  for (auto [absent, value] : cases) {
    Value there;
    for (auto [at, one] : llvm::enumerate(open))
      if (absent >> at & 1)
        there = there ? Value(arith::OrIOp::create(b, loc, there, one.flag)) : one.flag;
    result = ta::emitSelect(b, loc, there, result, ta::emitConstant(b, loc, value));
  }
  return result;
}

} // namespace strata
