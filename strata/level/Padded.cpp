// The padded level: at most one child per parent, its coordinate stored at the parent's position.
//
//   3x4 matrix, ELL: (i, j) -> (slot(i) : dense, i : dense, j : padded)      . a . b
//     slots  0        1                                                      . . . .
//     rows   0  1  2  0  1  2                                                c . d .
//     crd    1  -  0  3  -  2                    -: the least number, no coordinate
//
//   pos_iter(p)       -> [p, p + 1)
//   pos_access(p)     -> crd[p], found unless it is the mark of a pad
//   insert(p, c)      -> crd[p] = c
//
// The places are there in any case, as many as the parent has positions: what is not filled is
// marked, so that a stored fill can be told from a pad. With rows numbered from left to right, as
// slots do it, the coordinates of ascending slots ascend and the pads come last.
// Source: the levels of ELL in 004 section 3.2, where pads cannot be told from zeros.
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "strata/level/Emission.h"

using namespace mlir;

namespace strata {
namespace {

struct PaddedLevel final : LevelFormat, PositionIteration, Build, Inspect {
  PaddedLevel()
      : LevelFormat({.name = "padded",
                     .defaults = {.branchless = true, .compact = true},
                     .iteratesPositions = true,
                     .misses = true,
                     .pads = true}) {}

  SmallVector<BufferSpec> buffers() const override { return {{"crd", BufferKind::Coordinate}}; }
  const PositionIteration *positionIteration() const override { return this; }
  const Build *build() const override { return this; }
  const Inspect *inspect() const override { return this; }

  std::optional<int64_t> positions(const StoredLevel &level, std::string &fault) const override {
    if (level.buffers[0].count == level.parents)
      return level.parents;
    fault = "crd has " + std::to_string(level.buffers[0].count) + " elements; expected " +
            std::to_string(level.parents);
    return std::nullopt;
  }
  std::optional<int64_t> coordinate(const StoredLevel &level, int64_t pos) const override {
    StoredLevel::Numbers crd = level.buffers[0];
    crd.isSigned = true; // as the mark is the least signed number
    if (crd[pos] == llvm::APInt::getSignedMinValue(8 * crd.bytes).getSExtValue())
      return std::nullopt;
    return level.buffers[0][pos];
  }

  PositionRange posIter(LevelView &view, PositionRange parent) const override {
    if (parent.end)
      return parent;
    return {parent.begin, emit::add(view, parent.begin, emit::constant(view, 1))};
  }
  Found posAccess(LevelView &view, Value pos) const override {
    Value crd = emit::loadCoordinate(view, view.buffers[0], pos);
    Type stored = cast<MemRefType>(view.buffers[0].getType()).getElementType();
    Value mark = emit::constant(view, markOf(stored).getSExtValue());
    return {crd, arith::CmpIOp::create(view.b, view.loc, arith::CmpIPredicate::ne, crd, mark)};
  }

  // Fields: crd and its capacity.
  SmallVector<Type> fields(BuildView &view) const override {
    return {emit::bufferType(view.crdType), view.b.getIndexType()};
  }
  BuildState init(BuildView &view) const override {
    Value zero = emit::constant(view, 0);
    emit::Growing crd =
        emit::allocate(view, view.crdType, view.parentCount ? view.parentCount : view.hint);
    if (view.parentCount)
      emit::fill(view, crd.data, zero, view.parentCount, pad(view));
    return BuildState{crd.data, crd.capacity};
  }
  void reserve(BuildView &view, BuildState &state, Value before, Value after) const override {
    emit::Growing crd{state[0], state[1]};
    emit::ensure(view, crd, after);
    emit::fill(view, crd.data, before, after, pad(view));
    state = {crd.data, crd.capacity};
  }
  Value insert(BuildView &view, BuildState &state, Value parent, Value crd) const override {
    emit::storeIndex(view, state[0], parent, crd);
    return parent;
  }
  Value count(BuildView &, const BuildState &, Value parentCount) const override {
    return parentCount;
  }
  void seal(BuildView &view, BuildState &state, Value parentCount) const override {
    emit::publish(view, {state[0], state[1]}, view.firstBuffer, parentCount);
  }

private:
  static APInt markOf(Type stored) {
    return APInt::getSignedMinValue(stored.getIntOrFloatBitWidth());
  }
  static Value pad(BuildView &view) {
    return arith::ConstantOp::create(view.b, view.loc,
                                     view.b.getIntegerAttr(view.crdType, markOf(view.crdType)));
  }
};

} // namespace

std::unique_ptr<LevelFormat> createPaddedLevel() { return std::make_unique<PaddedLevel>(); }

} // namespace strata
