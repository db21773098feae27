// The range level: the coordinates of one interval that the ancestors determine, each with a place.
//
//   3x4 matrix by diagonals, (i, j) -> (j - i : compressed, i : range, j : offset)
//     diagonal d =     -1     0      2      buffers: none
//     rows i in       1..2   0..2   0..1    [max(0, -d), min(3, 4 - d))
//     p_2 = p_1 * 3 + i
//
//   coord_iter()          -> [lo, hi)
//   coord_access(p, c)    -> p * N + c, always found
//   locate(p, c)          -> p * N + c, found if lo <= c < hi
//   insert(p, c)          -> p * N + c
//
// Unlike dense it is not full: outside [lo, hi) nothing is stored. Source: 004 section 3.1.
#include "strata/level/Emission.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace strata {
namespace {

struct RangeLevel final : LevelFormat, CoordinateIteration, Locate, Build {
  RangeLevel()
      : LevelFormat({.name = "range",
                     .defaults = {},
                     .iteratesCoordinates = true,
                     .locates = true,
                     .places = true}) {}

  SmallVector<BufferSpec> buffers() const override { return {}; }
  const CoordinateIteration *coordinateIteration() const override { return this; }
  const Locate *locate() const override { return this; }
  const Build *build() const override { return this; }

  PositionRange coordIter(LevelView &view) const override { return {view.lo, view.hi}; }
  Found coordAccess(LevelView &view, Value parent, Value crd) const override {
    return {emit::place(view, parent, crd)};
  }
  Found locate(LevelView &view, Value parent, Value crd) const override {
    Value above = arith::CmpIOp::create(view.b, view.loc, arith::CmpIPredicate::sge, crd, view.lo);
    Value inside = arith::AndIOp::create(view.b, view.loc, above, emit::less(view, crd, view.hi));
    return {emit::place(view, parent, crd), inside};
  }

  SmallVector<Type> fields(BuildView &) const override { return {}; }
  BuildState init(BuildView &) const override { return {}; }
  Value insert(BuildView &view, BuildState &, Value parent, Value crd) const override {
    return emit::place(view, parent, crd);
  }
  Value count(BuildView &view, const BuildState &, Value parentCount) const override {
    return emit::mul(view, parentCount, view.extent);
  }
};

} // namespace

std::unique_ptr<LevelFormat> createRangeLevel() { return std::make_unique<RangeLevel>(); }

} // namespace strata
