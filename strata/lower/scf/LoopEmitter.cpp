// Emits arithmetic on indices, loops and buffers.
#include "strata/lower/scf/LoopEmitter.h"

#include "strata/lower/utils/LoopHints.h"

using namespace mlir;

namespace strata {

Value LoopEmitter::constant(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }
Value LoopEmitter::add(Value x, Value y) { return b.createOrFold<arith::AddIOp>(loc, x, y); }
Value LoopEmitter::subtract(Value x, Value y) { return b.createOrFold<arith::SubIOp>(loc, x, y); }
Value LoopEmitter::multiply(Value x, Value y) { return b.createOrFold<arith::MulIOp>(loc, x, y); }
Value LoopEmitter::divide(Value x, Value y) { return b.createOrFold<arith::DivUIOp>(loc, x, y); }
Value LoopEmitter::divideUp(Value x, Value y) {
  return b.createOrFold<arith::CeilDivUIOp>(loc, x, y);
}
Value LoopEmitter::minimum(Value x, Value y) { return b.createOrFold<arith::MinSIOp>(loc, x, y); }
Value LoopEmitter::maximum(Value x, Value y) { return b.createOrFold<arith::MaxSIOp>(loc, x, y); }
Value LoopEmitter::isLess(Value x, Value y) {
  return b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, x, y);
}
Value LoopEmitter::isAtLeast(Value x, int64_t least) {
  return b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::sge, x, constant(least));
}
Value LoopEmitter::isSame(Value x, Value y) {
  return b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, x, y);
}
Value LoopEmitter::both(Value x, Value y) { return b.createOrFold<arith::AndIOp>(loc, x, y); }
Value LoopEmitter::roundUp(Value x, int64_t unit) {
  return multiply(divideUp(x, constant(unit)), constant(unit));
}

emit::Growing LoopEmitter::allocate(Value count, Type element) {
  BuildView view{{b, loc}, context};
  return emit::allocate(view, element, count);
}

void LoopEmitter::release(const emit::Growing &buffer) {
  BuildView view{{b, loc}, context};
  emit::release(view, buffer);
}

scf::ForOp LoopEmitter::loop(Value begin, Value end, Value step, LoopBody body) {
  auto walk = scf::ForOp::create(b, loc, begin, end, step);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(walk.getBody());
  body(walk.getInductionVar());
  return walk;
}

void LoopEmitter::coldLoop(Value end, LoopBody body) {
  leaveAsItIs(loop(constant(0), end, 1, body));
}

void LoopEmitter::branch(Value condition, llvm::function_ref<void()> then,
                         llvm::function_ref<void()> otherwise) {
  auto choice = scf::IfOp::create(b, loc, condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  then();
  b.setInsertionPointToStart(choice.elseBlock());
  otherwise();
}

} // namespace strata
