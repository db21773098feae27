// The values of statements: of accesses and operations, and whether they are there.
#include "strata/lower/lvl/EmitValues.h"

#include "strata/dialect/lvl/Lvl.h"
#include "strata/dialect/ta/Algebra.h"
#include "strata/dialect/ta/FillValue.h"
#include "strata/lower/lvl/KernelConverter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace strata {

Value either(OpBuilder &b, Location loc, Value x, Value y) {
  return x && y ? Value(arith::OrIOp::create(b, loc, x, y)) : Value();
}

Value both(OpBuilder &b, Location loc, Value x, Value y) {
  return x && y ? Value(arith::AndIOp::create(b, loc, x, y)) : x ? x : y;
}

Value opposite(OpBuilder &b, Location loc, Value x) {
  Value yes = arith::ConstantIntOp::create(b, loc, 1, 1);
  return x ? Value(arith::XOrIOp::create(b, loc, x, yes))
           : Value(arith::ConstantIntOp::create(b, loc, 0, 1));
}

// The value at the end of a path. The sum over a run of entries is made where the loop over the
// runs has found it, not in loops inside; the one value of a tensor without levels before all
// loops.
static Value emitStored(OpBuilder &b, cin::AccessOp access, Value path) {
  ta::FormatAttr format = ta::formatOf(access.getStorage().getType().getTensor());
  OpBuilder::InsertionGuard insertion(b);
  bool mayRepeat =
      format.getLvlRank() > 0 && !ta::levelProperties(format, format.getLvlRank() - 1).unique;
  if (auto walked = dyn_cast<BlockArgument>(path); walked && mayRepeat)
    b.setInsertionPointToStart(walked.getOwner());
  else if (auto root = path.getDefiningOp<lvl::RootOp>())
    b.setInsertionPointAfter(root);
  return lvl::ValueOp::create(b, access.getLoc(), access.getType(), path);
}

// The stored value; the fill where the run finds that it is not there.
KernelConverter::Emitted KernelConverter::emitAccess(cin::AccessOp access, Scope &scope) {
  Value path = scope.cursors[*nest.numberOfAccess(access)].path;
  Value guard = scope.flags.lookup(*nest.numberOfAccess(access));
  RankedTensorType tensor = access.getStorage().getType().getTensor();
  Emitted result;
  if (!guard) {
    result.value = emitStored(b, access, path);
  } else {
    auto choice = scf::IfOp::create(b, loc, TypeRange{access.getType()}, guard, true);
    OpBuilder::InsertionGuard insertion(b);
    b.setInsertionPointToStart(choice.thenBlock());
    Value stored = lvl::ValueOp::create(b, access.getLoc(), access.getType(), path);
    scf::YieldOp::create(b, loc, stored);
    b.setInsertionPointToStart(choice.elseBlock());
    scf::YieldOp::create(b, loc, ta::emitConstant(b, loc, ta::fillOf(tensor)));
    result.value = choice.getResult(0);
  }
  if (!access.getMissing())
    return result;
  result.there = guard;
  ta::FormatAttr format = ta::formatOf(tensor);
  if (format.isFull() || !format.hasPadding())
    return result;
  Value differs = ta::emitDiffersFromFill(b, loc, result.value, ta::fillOf(tensor));
  result.there = both(b, loc, result.there, differs);
  return result;
}

// A scalar that may be missing is there if something was assigned to it.
KernelConverter::Emitted KernelConverter::emitScalar(Value storage, const Scope &scope) {
  Emitted result{scope.carried.lookup(storage), nullptr};
  auto temp = storage.getDefiningOp<cin::TempOp>();
  if (!temp || !temp.getMissing())
    return result;
  for (const OpenPresence &open : scope.open)
    if (open.temp == storage)
      result.there = open.flag;
  return result;
}

// Where an operation that asks which of its operands are there has a value itself.
static Value presenceOf(OpBuilder &b, Location loc, Operation *op, Value x, Value y) {
  if (isa<ta::UnionOp>(op))
    return either(b, loc, x, y);
  return both(b, loc, x, isa<ta::UnmaskedOp>(op) ? opposite(b, loc, y) : y);
}

// Operations that tell what is missing from what is not.
std::optional<KernelConverter::Emitted>
KernelConverter::emitPresence(Operation *op, Scope &scope, DenseMap<Value, Emitted> &done) {
  if (!ta::asksPresence(op))
    return std::nullopt;
  Emitted x = emitValue(op->getOperand(0), scope, done);
  Emitted y = emitValue(op->getOperand(1), scope, done);
  if (isa<ta::UnionOp>(op)) {
    Value value = emitValue(op->getOperand(2), scope, done).value;
    if (y.there)
      value = ta::emitSelect(b, loc, y.there, value, x.value);
    if (x.there)
      value = ta::emitSelect(b, loc, x.there, value, y.value);
    return Emitted{value, presenceOf(b, loc, op, x.there, y.there)};
  }
  Value there = presenceOf(b, loc, op, x.there, y.there);
  if (isa<ta::FilterOp>(op))
    there = both(b, loc, there, ta::emitIsTrue(b, loc, y.value));
  return Emitted{x.value, there};
}

bool mayBeMissing(cin::AssignOp assign) {
  bool may = false;
  assign.walk([&](Operation *op) {
    may |= isa<ta::FilterOp>(op);
    if (auto access = dyn_cast<cin::AccessOp>(op)) {
      auto temp = access.getStorage().getDefiningOp<cin::TempOp>();
      may |= access.getMissing() || (temp && temp.getMissing());
    }
  });
  return may;
}

// Whether an operation has a value at all, also where its value does not depend on some operand.
Value KernelConverter::presenceOfOperands(Operation *op, Scope &scope,
                                          DenseMap<Value, Emitted> &done) {
  Value there;
  if (op->getNumOperands() == 0 || isa<cin::AccessOp>(op) ||
      !mayBeMissing(op->getParentOfType<cin::AssignOp>()))
    return there;
  auto isThere = [&](Value operand) -> Value {
    TypedAttr known = foldedValue(operand, scope.absence);
    if (known && ta::isMissing(known))
      return arith::ConstantIntOp::create(b, loc, 0, 1);
    return emitValue(operand, scope, done).there;
  };
  if (ta::asksPresence(op))
    return presenceOf(b, loc, op, isThere(op->getOperand(0)), isThere(op->getOperand(1)));
  for (Value operand : op->getOperands())
    there = both(b, loc, there, isThere(operand));
  return there;
}

KernelConverter::Emitted KernelConverter::emitValue(Value value, Scope &scope,
                                                    DenseMap<Value, Emitted> &done) {
  if (auto emitted = done.find(value); emitted != done.end())
    return emitted->second;
  Operation *def = value.getDefiningOp();
  if (!def || !def->getParentOfType<cin::AssignOp>())
    return {value, nullptr};
  Value same;
  Emitted result;
  if (TypedAttr constant = foldedValue(value, scope.absence, &same)) {
    if (ta::isMissing(constant)) {
      emitError(loc) << "internal error: a missing value is computed";
      constant = ta::identityOf(ta::Combine::add, value.getType());
    }
    result.value = ta::emitConstant(b, loc, constant);
    result.there = presenceOfOperands(def, scope, done);
  } else if (same) {
    result = emitValue(same, scope, done);
    result.there = both(b, loc, result.there, presenceOfOperands(def, scope, done));
  } else if (auto access = dyn_cast<cin::AccessOp>(def)) {
    auto row = rows.find(access.getStorage());
    bool scalar = access.getStorage() != resultStorage && scope.carried.lookup(access.getStorage());
    if (row != rows.end())
      result.value = row->second.load(b, access.getLoc(),
                                      coordinatesOf(access.getMap(), access.getIndices(), scope));
    else
      result = scalar ? emitScalar(access.getStorage(), scope) : emitAccess(access, scope);
  } else if (auto presence = emitPresence(def, scope, done)) {
    result = *presence;
  } else {
    SmallVector<Value> operands;
    for (Value operand : def->getOperands()) {
      Emitted one = emitValue(operand, scope, done);
      operands.push_back(one.value);
      result.there = both(b, loc, result.there, one.there);
    }
    result.value = emitElement(def, operands, cast<OpResult>(value).getResultNumber());
    result.value = emitAnnihilated(def, result.value, scope);
  }
  done[value] = result;
  return result;
}

// An element operation on other operands.
Value KernelConverter::emitElement(Operation *op, ArrayRef<Value> operands, unsigned result) {
  if (auto compare = dyn_cast<ta::CompareOp>(op))
    return ta::emitCompare(b, loc, compare.getRelation(), operands[0], operands[1]);
  if (isa<ta::SelectOp>(op))
    return ta::emitSelect(b, loc, operands[0], operands[1], operands[2]);
  if (auto integer = dyn_cast<ta::ToIntegerOp>(op))
    return ta::emitToInteger(b, loc, operands[0], integer.getType(), integer.getIsUnsigned());
  Operation *clone = b.clone(*op);
  clone->setOperands(operands);
  return clone->getResult(result);
}

// The operation's value, or what it is where something that is not there annihilates.
Value KernelConverter::emitAnnihilated(Operation *op, Value computed, const Scope &scope) {
  auto assign = op->getParentOfType<cin::AssignOp>();
  SmallVector<OpenPresence> used;
  llvm::copy_if(scope.annihilators, std::back_inserter(used),
                [&](const OpenPresence &one) { return one.isUsedBy(assign); });
  return emitWhereAnnihilated(b, loc, op, computed, scope.absence, used);
}

} // namespace strata
