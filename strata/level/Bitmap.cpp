// The bitmap level: a place for every coordinate, and a byte that says whether it is stored.
//
//   3x4 matrix, rows dense, columns bitmap           . a . b
//     bit  0 1 0 1  0 0 0 0  1 0 0 1                 . . . .
//     p_2 = p_1 * 4 + c_2                            c . . d
//
//   coord_iter()          -> [lo, hi)
//   coord_access(p, c)    -> p * N + c, found if bit[p * N + c]
//   locate(p, c)          -> p * N + c, found if lo <= c < hi and bit[p * N + c]
//   insert(p, c)          -> bit[p * N + c] = 1, p * N + c          (insert_coord, in any order)
//
// What dense is to a full tensor, with stored zeros told from what is absent: a level to build
// where coordinates come in no order, and to look up. Its positions are known as soon as those of
// its parent are. Bytes and not bits, so that insertions in parallel do not meet in one word.
// Source: 004 section 3.1 (hashed, with the coordinate as its own hash).
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "strata/level/Emission.h"

#include "strata/runtime/Counted.h"

using namespace mlir;

namespace strata {
namespace {

Value byte(LevelView &view, int64_t value) {
  return arith::ConstantIntOp::create(view.b, view.loc, value, 8);
}

Value isSet(LevelView &view, Value pos) {
  Value bit = memref::LoadOp::create(view.b, view.loc, view.buffers[0], ValueRange{pos});
  return arith::CmpIOp::create(view.b, view.loc, arith::CmpIPredicate::ne, bit, byte(view, 0));
}

struct BitmapLevel final : LevelFormat, CoordinateIteration, Locate, Build, Inspect {
  BitmapLevel()
      : LevelFormat({.name = "bitmap",
                     .defaults = {},
                     .iteratesCoordinates = true,
                     .locates = true,
                     .misses = true,
                     .inserts = true,
                     .places = true}) {}

  SmallVector<BufferSpec> buffers() const override { return {{"bit", BufferKind::Byte}}; }
  const CoordinateIteration *coordinateIteration() const override { return this; }
  const Locate *locate() const override { return this; }
  const Build *build() const override { return this; }
  const Inspect *inspect() const override { return this; }

  // Coordinates follow from positions; what can be wrong is how many there are.
  std::optional<int64_t> positions(const StoredLevel &level, std::string &fault) const override {
    int64_t count = level.buffers[0].count, places = 0;
    if (!__builtin_mul_overflow(level.parents, level.extent, &places) && count == places)
      return count;
    fault = "bit has " + counted(count, "element") + "; expected " + std::to_string(level.extent) +
            " for each of " + std::to_string(level.parents) + " positions above";
    return std::nullopt;
  }
  std::pair<int64_t, int64_t> children(const StoredLevel &level, int64_t parent) const override {
    return {parent * level.extent, (parent + 1) * level.extent};
  }
  std::optional<int64_t> coordinate(const StoredLevel &level, int64_t pos) const override {
    return level.buffers[0][pos] ? std::optional(level.first + pos % level.extent) : std::nullopt;
  }
  int64_t entries(const StoredLevel &level, int64_t) const override {
    return level.buffers[0].count - level.buffers[0].countOf(0);
  }

  PositionRange coordIter(LevelView &view) const override { return {view.lo, view.hi}; }
  Found coordAccess(LevelView &view, Value parent, Value crd) const override {
    Value pos = emit::place(view, parent, crd);
    return {pos, isSet(view, pos)};
  }
  Found locate(LevelView &view, Value parent, Value crd) const override {
    OpBuilder &b = view.b;
    Value pos = emit::place(view, parent, crd);
    Value above = arith::CmpIOp::create(b, view.loc, arith::CmpIPredicate::sge, crd, view.lo);
    Value inside = arith::AndIOp::create(b, view.loc, above, emit::less(view, crd, view.hi));
    // Outside there is no byte to look at.
    auto choice = scf::IfOp::create(b, view.loc, TypeRange{b.getI1Type()}, inside, true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(choice.thenBlock());
    scf::YieldOp::create(b, view.loc, ValueRange{isSet(view, pos)});
    b.setInsertionPointToStart(choice.elseBlock());
    scf::YieldOp::create(b, view.loc, ValueRange{inside});
    return {pos, choice.getResult(0)};
  }

  // Fields: bit and its capacity.
  SmallVector<Type> fields(BuildView &view) const override {
    return {emit::bufferType(view.b.getI8Type()), view.b.getIndexType()};
  }
  BuildState init(BuildView &view) const override {
    Value one = emit::constant(view, 1), zero = emit::constant(view, 0);
    Value places = view.parentCount ? emit::mul(view, view.parentCount, view.extent) : zero;
    Value room = arith::MaxSIOp::create(view.b, view.loc, places, one);
    emit::Growing bit = emit::allocate(view, view.b.getI8Type(), room);
    emit::fill(view, bit.data, zero, places, byte(view, 0));
    return BuildState{bit.data, bit.capacity};
  }
  Value insert(BuildView &view, BuildState &state, Value parent, Value crd) const override {
    Value pos = emit::place(view, parent, crd);
    memref::StoreOp::create(view.b, view.loc, byte(view, 1), state[0], ValueRange{pos});
    return pos;
  }
  Value count(BuildView &view, const BuildState &, Value parentCount) const override {
    return emit::mul(view, parentCount, view.extent);
  }
  void reserve(BuildView &view, BuildState &state, Value before, Value after) const override {
    emit::Growing bit{state[0], state[1]};
    Value end = count(view, state, after);
    emit::ensure(view, bit, end);
    emit::fill(view, bit.data, count(view, state, before), end, byte(view, 0));
    state = {bit.data, bit.capacity};
  }
  void seal(BuildView &view, BuildState &state, Value parentCount) const override {
    emit::publish(view, {state[0], state[1]}, view.firstBuffer, count(view, state, parentCount));
  }
};

} // namespace

std::unique_ptr<LevelFormat> createBitmapLevel() { return std::make_unique<BitmapLevel>(); }

} // namespace strata
