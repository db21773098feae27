// Loops and choices with carried values.
#include "strata/lower/utils/ControlFlow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace strata {

static Location named(OpBuilder &b, StringRef name) { return NameLoc::get(b.getStringAttr(name)); }

Values countedLoop(OpBuilder &b, Location loc, StringRef name, Value begin, Value end,
                   Values carried, llvm::function_ref<Values(Value, Values)> body) {
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  auto loop = scf::ForOp::create(b, named(b, name), begin, end, one, carried);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Values results = body(loop.getInductionVar(), Values(loop.getRegionIterArgs()));
  if (!carried.empty())
    scf::YieldOp::create(b, loc, results);
  return Values(loop.getResults());
}

Values whileLoop(OpBuilder &b, Location loc, Values carried, llvm::function_ref<Value(Values)> test,
                 llvm::function_ref<Values(Values)> body) {
  SmallVector<Type> types(ValueRange(carried).getTypes());
  SmallVector<Location> locs(types.size(), loc);
  auto loop = scf::WhileOp::create(b, loc, types, carried);
  OpBuilder::InsertionGuard guard(b);
  Block *before = b.createBlock(&loop.getBefore(), {}, types, locs);
  Value condition = test(Values(before->getArguments()));
  scf::ConditionOp::create(b, loc, condition, before->getArguments());
  Block *after = b.createBlock(&loop.getAfter(), {}, types, locs);
  Values results = body(Values(after->getArguments()));
  scf::YieldOp::create(b, loc, results);
  return Values(loop.getResults());
}

Values choice(OpBuilder &b, Location loc, Value condition, TypeRange types,
              llvm::function_ref<Values()> then, llvm::function_ref<Values()> otherwise) {
  auto op = scf::IfOp::create(b, loc, types, condition, !types.empty());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(op.thenBlock());
  Values results = then();
  if (types.empty()) {
    // Without results scf.if has its terminators; an else only where there is something in it.
    Block *block = b.createBlock(&op.getElseRegion());
    otherwise();
    if (block->empty())
      block->erase();
    else
      scf::YieldOp::create(b, loc);
    return {};
  }
  scf::YieldOp::create(b, loc, results);
  b.setInsertionPointToStart(op.elseBlock());
  results = otherwise();
  scf::YieldOp::create(b, loc, results);
  return Values(op.getResults());
}

Values valuesWhere(OpBuilder &b, Location loc, Value condition,
                   llvm::function_ref<Values()> values) {
  OpBuilder::InsertPoint here = b.saveInsertionPoint();
  Block scratch; // the types are known once the values are emitted
  b.setInsertionPointToStart(&scratch);
  Values results = values();
  scf::YieldOp::create(b, loc, results);
  b.restoreInsertionPoint(here);
  SmallVector<Type> types(ValueRange(results).getTypes());
  auto op = scf::IfOp::create(b, loc, types, condition, /*withElseRegion=*/true);
  op.thenBlock()->getOperations().splice(op.thenBlock()->end(), scratch.getOperations());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(op.elseBlock());
  Values zeros;
  for (Type type : types)
    zeros.push_back(arith::ConstantOp::create(b, loc, b.getZeroAttr(type)));
  scf::YieldOp::create(b, loc, zeros);
  return Values(op.getResults());
}

Value less(OpBuilder &b, Location loc, Value x, Value y) {
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, x, y);
}

Value increment(OpBuilder &b, Location loc, Value x) {
  return arith::AddIOp::create(b, loc, x, arith::ConstantIndexOp::create(b, loc, 1));
}

} // namespace strata
