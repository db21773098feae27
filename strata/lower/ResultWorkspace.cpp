// Emits the gathering of entries.
#include "strata/lower/ResultWorkspace.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace strata {

static Value byte(BuildView &view, int64_t value) {
  return arith::ConstantIntOp::create(view.b, view.loc, value, 8);
}

ResultWorkspace::ResultWorkspace(BuildView &view, Type element, Value first, Value extent,
                                 Value block)
    : first(first), extent(extent), block(block) {
  marks = emit::allocate(view, view.b.getI8Type(), extent);
  emit::fill(view, marks.data, emit::constant(view, 0), extent, byte(view, 0));
  list = emit::allocate(view, view.b.getI64Type(), extent);
  values = emit::allocate(view, element, emit::mul(view, extent, block));
}

Value ResultWorkspace::touch(BuildView &view, Value &count, Value crd, Value fill) const {
  OpBuilder &b = view.b;
  Value slot = emit::sub(view, crd, first);
  Value mark = memref::LoadOp::create(b, view.loc, marks.data, ValueRange{slot});
  Value fresh = arith::CmpIOp::create(b, view.loc, arith::CmpIPredicate::eq, mark, byte(view, 0));
  auto choice = scf::IfOp::create(b, view.loc, TypeRange{b.getIndexType()}, fresh, true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  memref::StoreOp::create(b, view.loc, byte(view, 1), marks.data, ValueRange{slot});
  emit::storeIndex(view, list.data, count, slot);
  Value begin = emit::mul(view, slot, block);
  emit::fill(view, values.data, begin, emit::add(view, begin, block), fill);
  scf::YieldOp::create(b, view.loc, ValueRange{emit::add(view, count, emit::constant(view, 1))});
  b.setInsertionPointToStart(choice.elseBlock());
  scf::YieldOp::create(b, view.loc, ValueRange{count});
  count = choice.getResult(0);
  return slot;
}

void ResultWorkspace::sort(BuildView &view, Value count) const {
  emit::sortTouched(view, list.data, count, marks.data, extent);
}

Value ResultWorkspace::take(BuildView &view, Value at) const {
  Value slot = emit::loadPosition(view, list.data, at);
  memref::StoreOp::create(view.b, view.loc, byte(view, 0), marks.data, ValueRange{slot});
  return slot;
}

void ResultWorkspace::copyTo(BuildView &view, Value slot, Value to, Value pos) const {
  OpBuilder &b = view.b;
  Value zero = emit::constant(view, 0), one = emit::constant(view, 1);
  Value from = emit::mul(view, slot, block), begin = emit::mul(view, pos, block);
  auto loop = scf::ForOp::create(b, view.loc, zero, block, one);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value at = loop.getInductionVar();
  Value value =
      memref::LoadOp::create(b, view.loc, values.data, ValueRange{emit::add(view, from, at)});
  memref::StoreOp::create(b, view.loc, value, to, ValueRange{emit::add(view, begin, at)});
}

void ResultWorkspace::release(BuildView &view) const {
  for (const emit::Growing &buffer : {marks, list, values})
    emit::release(view, buffer);
}

} // namespace strata
