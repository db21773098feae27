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
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "strata/level/Places.h"

using namespace mlir;

namespace strata {
namespace {

struct RangeLevel final : PlacesLevel {
  RangeLevel()
      : PlacesLevel({.name = "range",
                     .defaults = {},
                     .iteratesCoordinates = true,
                     .locates = true,
                     .places = true}) {}

  Found locate(LevelView &view, Value parent, Value crd) const override {
    Value above = arith::CmpIOp::create(view.b, view.loc, arith::CmpIPredicate::sge, crd, view.lo);
    Value inside = arith::AndIOp::create(view.b, view.loc, above, emit::less(view, crd, view.hi));
    return {emit::place(view, parent, crd), inside};
  }
};

} // namespace

std::unique_ptr<LevelFormat> createRangeLevel() { return std::make_unique<RangeLevel>(); }

} // namespace strata
