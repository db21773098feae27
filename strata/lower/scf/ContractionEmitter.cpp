// Arithmetic and loops of blocked contractions.
#include "strata/lower/scf/ContractionEmitter.h"

#include "strata/lower/utils/LoopHints.h"

using namespace mlir;

namespace strata {

ContractionEmitter::ContractionEmitter(ContractionNest given, Value context, int64_t vectorBytes,
                                       const CacheSizes &caches)
    : nest(std::move(given)), context(context), loc(nest.root.getLoc()),
      b(nest.pieces ? nest.pieces : nest.root.getOperation()), numbers(nest, b) {
  int64_t lanes = vectorBytes * 8 / numbers.real.getIntOrFloatBitWidth();
  bool isWide = vectorBytes >= 64;
  if (numbers.parts > 1)
    tile = Tile{vectorBytes >= 32 ? 6 : 4, isWide ? 2 : 1, lanes};
  else
    tile = isWide ? Tile{8, 3, lanes} : Tile{vectorBytes >= 32 ? 6 : 4, 2, lanes};
  block = ContractionBlock::fitting(caches, tile.rows, tile.columns(), numbers.bytes());
}

Value ContractionEmitter::constant(int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}
Value ContractionEmitter::add(Value x, Value y) { return b.createOrFold<arith::AddIOp>(loc, x, y); }
Value ContractionEmitter::subtract(Value x, Value y) {
  return b.createOrFold<arith::SubIOp>(loc, x, y);
}
Value ContractionEmitter::multiply(Value x, Value y) {
  return b.createOrFold<arith::MulIOp>(loc, x, y);
}
Value ContractionEmitter::divide(Value x, Value y) {
  return b.createOrFold<arith::DivUIOp>(loc, x, y);
}
Value ContractionEmitter::divideUp(Value x, Value y) {
  return b.createOrFold<arith::CeilDivUIOp>(loc, x, y);
}
Value ContractionEmitter::minimum(Value x, Value y) {
  return b.createOrFold<arith::MinSIOp>(loc, x, y);
}
Value ContractionEmitter::maximum(Value x, Value y) {
  return b.createOrFold<arith::MaxSIOp>(loc, x, y);
}
Value ContractionEmitter::isLess(Value x, Value y) {
  return b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, x, y);
}
Value ContractionEmitter::isAtLeast(Value x, int64_t least) {
  return b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::sge, x, constant(least));
}
Value ContractionEmitter::both(Value x, Value y) {
  return b.createOrFold<arith::AndIOp>(loc, x, y);
}
Value ContractionEmitter::roundUp(Value x, int64_t unit) {
  return multiply(divideUp(x, constant(unit)), constant(unit));
}
Value ContractionEmitter::placeOf(Value at, int64_t part) {
  if (numbers.parts == 1)
    return at;
  return add(multiply(at, constant(numbers.parts)), constant(part));
}

emit::Growing ContractionEmitter::allocate(Value count, Type element) {
  BuildView view{{b, loc}, context};
  return emit::allocate(view, element, count);
}

emit::Growing ContractionEmitter::allocate(Value count) {
  return allocate(multiply(count, constant(numbers.parts)), numbers.real);
}

void ContractionEmitter::release(const emit::Growing &buffer) {
  BuildView view{{b, loc}, context};
  emit::release(view, buffer);
}

scf::ForOp ContractionEmitter::loop(Value begin, Value end, int64_t step, LoopBody body) {
  auto walk = scf::ForOp::create(b, loc, begin, end, constant(step));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(walk.getBody());
  body(walk.getInductionVar());
  return walk;
}

void ContractionEmitter::coldLoop(Value end, LoopBody body) {
  leaveAsItIs(loop(constant(0), end, 1, body));
}

void ContractionEmitter::branch(Value condition, llvm::function_ref<void()> then,
                                llvm::function_ref<void()> otherwise) {
  auto choice = scf::IfOp::create(b, loc, condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  then();
  b.setInsertionPointToStart(choice.elseBlock());
  otherwise();
}

Value ContractionEmitter::extentOf(unsigned loop) {
  return subtract(nest.upper(loop), nest.lower(b, loop));
}

Value ContractionEmitter::offset(const Dimension &dimension, Tensor tensor, Value at) {
  const Dimension::Offsets &offsets = dimension.offsets[tensor];
  if (offsets.stride)
    return multiply(at, offsets.stride);
  Value word = memref::LoadOp::create(b, loc, offsets.table.data, at);
  return arith::IndexCastOp::create(b, loc, b.getIndexType(), word);
}

} // namespace strata
