// What workspaces of both kinds do with values.
#include "strata/lower/scf/ResultWorkspace.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace strata {

SmallVector<Type> workspaceTypes(OpBuilder &b, Type element, bool hashed) {
  Type index = b.getIndexType(), words = emit::bufferType(b.getI64Type());
  if (!hashed)
    return {index};
  return {index, words, emit::bufferType(element), words, index};
}

// Whether they are is hard to foresee, so that it is no branch where there is one value.
void ResultWorkspace::beginValues(BuildView &view, Value values, Value fresh, Value slot,
                                  Value fill) const {
  OpBuilder &b = view.b;
  if (getConstantIntValue(block) == 0)
    return;
  if (getConstantIntValue(block) == 1) {
    Value old = emit::loadValue(b, view.loc, values, slot, fill.getType());
    Value begun = arith::SelectOp::create(b, view.loc, fresh, fill, old);
    emit::storeValue(b, view.loc, begun, values, slot);
    return;
  }
  auto choice = scf::IfOp::create(b, view.loc, fresh, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  Value begin = emit::mul(view, slot, block);
  emit::fill(view, values, begin, emit::add(view, begin, block), fill);
}

void ResultWorkspace::copyTo(BuildView &view, const State &state, Value slot, Value to,
                             Value pos) const {
  OpBuilder &b = view.b;
  if (getConstantIntValue(block) == 0)
    return;
  Value zero = emit::constant(view, 0), one = emit::constant(view, 1);
  Value from = emit::mul(view, slot, block), begin = emit::mul(view, pos, block);
  auto loop = scf::ForOp::create(b, view.loc, zero, block, one);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value at = loop.getInductionVar();
  Value value =
      memref::LoadOp::create(b, view.loc, values(state), ValueRange{emit::add(view, from, at)});
  memref::StoreOp::create(b, view.loc, value, to, ValueRange{emit::add(view, begin, at)});
}

} // namespace strata
