// The offset level: one child per parent, whose coordinate the ancestors determine.
//
//   3x4 matrix by diagonals, (i, j) -> (j - i : compressed, i : range, j : offset)
//     at diagonal 2, row 1:  j = 1 + 2 = 3       buffers: none
//
//   pos_iter(p)       -> [p, p + 1)
//   pos_access(p)     -> implied coordinate, found
//   locate(p, c)      -> p, found if c is the implied coordinate
//   insert(p, c)      -> p
//
// Source: 004 section 3.1; the offset itself is the coordinate of an ancestor level.
#include "strata/level/Emission.h"

using namespace mlir;

namespace strata {
namespace {

struct OffsetLevel final : LevelFormat, PositionIteration, Locate, Build {
  OffsetLevel()
      : LevelFormat({.name = "offset",
                     .defaults = {.branchless = true, .compact = true},
                     .iteratesPositions = true,
                     .locates = true,
                     .computed = true}) {}

  SmallVector<BufferSpec> buffers() const override { return {}; }
  const PositionIteration *positionIteration() const override { return this; }
  const Locate *locate() const override { return this; }
  const Build *build() const override { return this; }

  PositionRange posIter(LevelView &view, PositionRange parent) const override {
    if (parent.end)
      return parent;
    return {parent.begin, emit::add(view, parent.begin, emit::constant(view, 1))};
  }
  Found posAccess(LevelView &view, Value) const override { return {view.implied}; }
  Found locate(LevelView &view, Value parent, Value crd) const override {
    if (crd == view.implied)
      return {parent};
    return {parent, emit::equal(view, crd, view.implied)};
  }

  SmallVector<Type> fields(BuildView &) const override { return {}; }
  BuildState init(BuildView &) const override { return {}; }
  Value insert(BuildView &, BuildState &, Value parent, Value) const override { return parent; }
  Value count(BuildView &, const BuildState &, Value parentCount) const override {
    return parentCount;
  }
};

} // namespace

std::unique_ptr<LevelFormat> createOffsetLevel() { return std::make_unique<OffsetLevel>(); }

} // namespace strata
