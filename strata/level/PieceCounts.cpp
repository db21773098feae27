// Counters for the pieces of a loop.
#include "strata/level/PieceCounts.h"

#include "strata/level/Edges.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace strata {

void PieceCounts::addFields(BuildView &view, SmallVectorImpl<Type> &types) {
  Type index = view.b.getIndexType(), pos = emit::bufferType(view.posType);
  types.append({pos, index, pos, index, pos, index});
}

Value PieceCounts::otherPieces(BuildView &view) {
  return emit::sub(view, view.pieces, emit::constant(view, 1));
}

PieceCounts PieceCounts::init(BuildView &view, int64_t shift) {
  Value zero = emit::constant(view, 0);
  Value slots = emit::add(view, view.parentCount, emit::constant(view, shift));
  emit::Growing pos = emit::allocate(view, view.posType, slots);
  emit::fill(view, pos.data, zero, slots, Edges::none(view));
  Value others = emit::mul(view, otherPieces(view), view.parentCount);
  emit::Growing more = emit::allocate(view, view.posType, others);
  if (view.mayRun) // or else each piece does it
    emit::fill(view, more.data, zero, others, Edges::none(view));
  return {pos, more, zero};
}

void PieceCounts::enter(BuildView &view, Value piece, bool counting, int64_t shift) {
  auto select = [&](Value condition, Value yes, Value no) -> Value {
    return view.b.createOrFold<arith::SelectOp>(view.loc, condition, yes, no);
  };
  Value others = otherPieces(view);
  Value isLast =
      view.b.createOrFold<arith::CmpIOp>(view.loc, arith::CmpIPredicate::eq, piece, others);
  Value begin = emit::mul(view, piece, view.parentCount);
  if (counting) {
    Value end = select(isLast, begin, emit::add(view, begin, view.parentCount));
    emit::fill(view, more.data, begin, end, Edges::none(view));
  }
  counters = select(isLast, pos.data, more.data);
  first = select(isLast, emit::constant(view, shift), begin);
}

Value PieceCounts::load(BuildView &view, Value parent) const {
  return emit::loadPosition(view, counters, emit::add(view, first, parent));
}

void PieceCounts::store(BuildView &view, Value parent, Value count) const {
  emit::storeIndex(view, counters, emit::add(view, first, parent), count);
}

Value PieceCounts::slotOf(BuildView &view, Value piece, Value parent) {
  return emit::add(view, emit::mul(view, piece, view.parentCount), parent);
}

Value PieceCounts::fold(BuildView &view, Value count, Value begin, Step step) {
  Value zero = emit::constant(view, 0), one = emit::constant(view, 1);
  auto loop = scf::ForOp::create(view.b, view.loc, zero, count, one, ValueRange{begin});
  OpBuilder::InsertionGuard guard(view.b);
  view.b.setInsertionPointToStart(loop.getBody());
  scf::YieldOp::create(view.b, view.loc, step(loop.getInductionVar(), loop.getRegionIterArg(0)));
  return loop.getResult(0);
}

} // namespace strata
