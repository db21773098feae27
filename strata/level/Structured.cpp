// The structured level: n places below each parent, for the coordinates of at most n entries.
//
//   2x8 matrix, 2 entries in each group of 4 columns              a . . b  c . . .
//     (i, j) -> (i : dense, j floordiv 4 : dense,                 . . d e  . . . .
//                j mod 4 : structured(2))
//     groups  0    1    0    1
//     crd     0 3  0 -  2 3  - -         -: the least number, no coordinate
//
//   pos_iter(p)       -> [p * n, (p + 1) * n); for parents [p, q): [p * n, q * n)
//   pos_access(p)     -> crd[p], found unless it is the mark of a pad
//   insert(p, c)      -> the first place of p's that is free, or has c already; crd becomes c
//
// n is the level's parameter. More entries than places are refused before anything is packed.
// Source: the n:m sparsity of accelerators, as in MLIR's sparse_tensor (structured[n, m]).
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "strata/level/Pads.h"

#include "strata/runtime/Counted.h"

using namespace mlir;

namespace strata {
namespace {

struct StructuredLevel final : LevelFormat, PositionIteration, Build, Inspect {
  StructuredLevel()
      : LevelFormat({.name = "structured",
                     .defaults = {.compact = true},
                     .iteratesPositions = true,
                     .misses = true,
                     .pads = true,
                     .parameter = "number of places below each parent"}) {}

  SmallVector<BufferSpec> buffers() const override { return {{"crd", BufferKind::Coordinate}}; }
  const PositionIteration *positionIteration() const override { return this; }
  const Build *build() const override { return this; }
  const Inspect *inspect() const override { return this; }

  std::optional<int64_t> positions(const StoredLevel &level, std::string &fault) const override {
    int64_t count = level.buffers[0].count, places = 0;
    if (!__builtin_mul_overflow(level.parents, level.parameter, &places) && count == places)
      return count;
    fault = "crd has " + counted(count, "element") + "; expected " +
            std::to_string(level.parameter) + " for each of " + std::to_string(level.parents) +
            " positions above";
    return std::nullopt;
  }
  std::pair<int64_t, int64_t> children(const StoredLevel &level, int64_t parent) const override {
    return {parent * level.parameter, (parent + 1) * level.parameter};
  }
  std::optional<int64_t> coordinate(const StoredLevel &level, int64_t pos) const override {
    return Pads::coordinate(level.buffers[0], pos);
  }
  int64_t entries(const StoredLevel &level, int64_t) const override {
    return Pads::entries(level.buffers[0]);
  }

  PositionRange posIter(LevelView &view, PositionRange parent) const override {
    Value end = parent.end ? parent.end : emit::add(view, parent.begin, emit::constant(view, 1));
    return {placesOf(view, parent.begin), placesOf(view, end)};
  }
  Found posAccess(LevelView &view, Value pos) const override {
    return Pads::load(view, view.buffers[0], pos);
  }

  // Fields: crd and its capacity.
  SmallVector<Type> fields(BuildView &view) const override {
    return {emit::bufferType(view.crdType), view.b.getIndexType()};
  }
  BuildState init(BuildView &view) const override {
    Value parents = view.parentCount ? view.parentCount : view.hint;
    emit::Growing crd = emit::allocate(view, view.crdType, placesOf(view, parents));
    if (view.parentCount)
      emit::fill(view, crd.data, emit::constant(view, 0), placesOf(view, parents),
                 Pads::element(view));
    return BuildState{crd.data, crd.capacity};
  }
  void reserve(BuildView &view, BuildState &state, Value before, Value after) const override {
    emit::Growing crd{state[0], state[1]};
    emit::ensure(view, crd, placesOf(view, after));
    emit::fill(view, crd.data, placesOf(view, before), placesOf(view, after), Pads::element(view));
    state = {crd.data, crd.capacity};
  }
  Value insert(BuildView &view, BuildState &state, Value parent, Value crd) const override {
    Value place = placeFor(view, state[0], placesOf(view, parent), crd);
    emit::storeIndex(view, state[0], place, crd);
    return place;
  }
  Value count(BuildView &view, const BuildState &, Value parentCount) const override {
    return placesOf(view, parentCount);
  }
  void seal(BuildView &view, BuildState &state, Value parentCount) const override {
    emit::publish(view, {state[0], state[1]}, view.firstBuffer, placesOf(view, parentCount));
  }

private:
  static Value placesOf(LevelView &view, Value parents) {
    return emit::mul(view, parents, emit::constant(view, view.parameter));
  }
  // The first place from `begin` on that is free or the coordinate's; else the last.
  static Value placeFor(BuildView &view, Value crd, Value begin, Value coordinate) {
    OpBuilder &b = view.b;
    Type index = b.getIndexType();
    Value last = emit::add(view, begin, emit::constant(view, view.parameter - 1));
    auto loop = scf::WhileOp::create(b, view.loc, TypeRange{index}, ValueRange{begin});
    OpBuilder::InsertionGuard guard(b);
    Block *before = b.createBlock(&loop.getBefore(), {}, {index}, {view.loc});
    Value here = before->getArgument(0);
    Found held = Pads::load(view, crd, here);
    Value other =
        arith::CmpIOp::create(b, view.loc, arith::CmpIPredicate::ne, held.value, coordinate);
    Value taken = arith::AndIOp::create(b, view.loc, held.found, other);
    Value more = arith::AndIOp::create(b, view.loc, taken, emit::less(view, here, last));
    scf::ConditionOp::create(b, view.loc, more, ValueRange{here});
    Block *after = b.createBlock(&loop.getAfter(), {}, {index}, {view.loc});
    scf::YieldOp::create(
        b, view.loc, ValueRange{emit::add(view, after->getArgument(0), emit::constant(view, 1))});
    return loop.getResult(0);
  }
};

} // namespace

std::unique_ptr<LevelFormat> createStructuredLevel() { return std::make_unique<StructuredLevel>(); }

} // namespace strata
