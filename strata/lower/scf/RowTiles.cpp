// Rows in vectors, and vectors in tiles.
#include "strata/lower/scf/RowTiles.h"

#include "strata/dialect/ta/Algebra.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace strata {

static constexpr int64_t vectorsOfTile = 4;

int64_t RowTiles::lanes() const {
  int64_t most = bytesOfVector / ta::bytesOf(element);
  std::optional<int64_t> known = getConstantIntValue(size);
  bool isPartOfVector = known && *known > 1 && *known < most && llvm::isPowerOf2_64(*known);
  return isPartOfVector ? *known : most;
}

Value RowTiles::constant(OpBuilder &b, int64_t value) const {
  return arith::ConstantIndexOp::create(b, loc, value);
}

// The size without its last bits.
Value RowTiles::rounded(OpBuilder &b, int64_t unit) const {
  return arith::AndIOp::create(b, loc, size, constant(b, -unit));
}

Value RowTiles::emitWhole(OpBuilder &b, Emit emit) const {
  const int64_t most = lanes() * vectorsOfTile;
  Value full = rounded(b, most);
  auto tiles = scf::ForOp::create(b, loc, constant(b, 0), full, constant(b, most));
  emitTile(tiles.getBody()->getTerminator(), tiles.getInductionVar(), vectorsOfTile, Value(), emit);
  return full;
}

void RowTiles::emitParts(OpBuilder &b, Emit emit) const {
  auto emitIf = [&](int64_t bits, Value first, int64_t count, bool masked) {
    Value some = arith::AndIOp::create(b, loc, size, constant(b, bits));
    Value any = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, some, constant(b, 0));
    auto part = scf::IfOp::create(b, loc, any, /*withElseRegion=*/false);
    emitTile(part.thenBlock()->getTerminator(), first, count, masked ? some : Value(), emit);
  };
  for (int64_t count = vectorsOfTile / 2; count > 0; count /= 2)
    emitIf(lanes() * count, rounded(b, 2 * lanes() * count), count, false);
  emitIf(lanes() - 1, rounded(b, lanes()), 1, true);
}

Value RowTiles::emitHalf(OpBuilder &b, Value first, Emit emit) const {
  constexpr int64_t count = vectorsOfTile / 2;
  Value some = arith::AndIOp::create(b, loc, size, constant(b, lanes() * count));
  Value any = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, some, constant(b, 0));
  auto part = scf::IfOp::create(b, loc, any, /*withElseRegion=*/false);
  emitTile(part.thenBlock()->getTerminator(), first, count, Value(), emit);
  return arith::AddIOp::create(b, loc, first, some);
}

void RowTiles::emitMasked(OpBuilder &b, Value first, Emit emit) const {
  auto rest = scf::ForOp::create(b, loc, first, size, constant(b, lanes()));
  Operation *end = rest.getBody()->getTerminator();
  OpBuilder inside(end);
  Value left = arith::SubIOp::create(inside, loc, size, rest.getInductionVar());
  emitTile(end, rest.getInductionVar(), 1, left, emit);
}

// `count` vectors from `first` on; with `rest`, so many elements of them.
void RowTiles::emitTile(Operation *before, Value first, int64_t count, Value rest,
                        Emit emit) const {
  OpBuilder b(before);
  SmallVector<Lanes> tile;
  for (int64_t at = 0; at < count; ++at) {
    Value skipped = constant(b, at * lanes()), mask;
    if (rest)
      mask = vector::CreateMaskOp::create(b, loc, VectorType::get({lanes()}, b.getI1Type()),
                                          ValueRange{arith::SubIOp::create(b, loc, rest, skipped)});
    tile.push_back({arith::AddIOp::create(b, loc, first, skipped), mask});
  }
  emit(before, tile);
}

VectorWindow RowTiles::windowAt(OpBuilder &b, Value buffer, Value base, const Lanes &place) const {
  Value at = base ? Value(arith::AddIOp::create(b, loc, base, place.first)) : place.first;
  return {buffer, at, place.mask};
}

Value RowTiles::load(OpBuilder &b, Value buffer, Value base, const Lanes &place) const {
  VectorType type = typeOf(cast<MemRefType>(buffer.getType()).getElementType());
  return loadVector(b, loc, windowAt(b, buffer, base, place), type);
}

void RowTiles::store(OpBuilder &b, Value values, Value buffer, Value base,
                     const Lanes &place) const {
  storeVector(b, loc, values, windowAt(b, buffer, base, place));
}

} // namespace strata
