// The places and tiles of blocked contractions.
#include "strata/lower/scf/ContractionEmitter.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace strata {

ContractionEmitter::ContractionEmitter(lvl::ContractOp op, const ContractionTarget &target)
    : LoopEmitter(op, op.getLoc(), op->getParentOfType<func::FuncOp>().getArgument(0)), op(op),
      contraction(op), numbers(contraction, loc, b) {
  int64_t vectorBytes = target.vectorBytes;
  int64_t lanes = vectorBytes * 8 / numbers.real.getIntOrFloatBitWidth();
  const bool hasMany = target.vectorRegisters >= 32;
  if (!target.inRegisters)
    tile = Tile{1, 1, lanes};
  else if (numbers.parts > 1)
    tile = Tile{vectorBytes >= 32 || hasMany ? 6 : 4, hasMany ? 2 : 1, lanes};
  else
    tile = hasMany ? Tile{8, 3, lanes} : Tile{vectorBytes >= 32 ? 6 : 4, 2, lanes};
  block = ContractionBlock::fitting(target.caches, tile.rows, tile.columns(), numbers.bytes());
}

Value ContractionEmitter::placeOf(Value at, int64_t part) {
  if (numbers.parts == 1)
    return at;
  return add(multiply(at, constant(numbers.parts)), constant(part));
}

emit::Growing ContractionEmitter::allocate(Value count) {
  return allocate(multiply(count, constant(numbers.parts)), numbers.real);
}

Value ContractionEmitter::widthOf(const Dimension &dimension, Value at, Value left, int64_t width) {
  if (!dimension.inRuns)
    return minimum(left, constant(width));
  Value word = memref::LoadOp::create(b, loc, dimension.widths.data, divide(at, constant(width)));
  return minimum(left, arith::IndexCastOp::create(b, loc, b.getIndexType(), word));
}

Value ContractionEmitter::offset(const Dimension &dimension, Tensor tensor, Value at) {
  const Dimension::Offsets &offsets = dimension.offsets[tensor];
  if (offsets.stride)
    return multiply(at, offsets.stride);
  Value word = memref::LoadOp::create(b, loc, offsets.table.data, at);
  return arith::IndexCastOp::create(b, loc, b.getIndexType(), word);
}

} // namespace strata
