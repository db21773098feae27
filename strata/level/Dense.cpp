// The dense level: a place for every coordinate, and no arrays.
//
//   3x4 matrix, both levels dense           buffers: none
//     rows    0        1        2           p_1 = c_1
//     cols  0 1 2 3  0 1 2 3  0 1 2 3       p_2 = p_1 * 4 + c_2
//
//   coord_iter()          -> [lo, hi)
//   coord_access(p, c)    -> p * N + c, always found
//   locate(p, c)          -> p * N + c, always found
//   insert(p, c)          -> p * N + c
//
// Where a format's map makes partial blocks, [lo, hi) stops at the tensor's edge, the places
// beyond exist and hold the fill. Source: 004 section 3.1.
#include "strata/level/Emission.h"

using namespace mlir;

namespace strata {
namespace {

struct DenseLevel final : LevelFormat, CoordinateIteration, Locate, Build {
  DenseLevel()
      : LevelFormat({.name = "dense",
                     .defaults = {.full = true, .compact = true},
                     .iteratesCoordinates = true,
                     .locates = true,
                     .places = true,
                     .inFiles = FileLevel::Places}) {}

  SmallVector<BufferSpec> buffers() const override { return {}; }
  const CoordinateIteration *coordinateIteration() const override { return this; }
  const Locate *locate() const override { return this; }
  const Build *build() const override { return this; }

  PositionRange coordIter(LevelView &view) const override { return {view.lo, view.hi}; }
  Found coordAccess(LevelView &view, Value parent, Value crd) const override {
    return {emit::place(view, parent, crd)};
  }
  Found locate(LevelView &view, Value parent, Value crd) const override {
    return {emit::place(view, parent, crd)};
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

std::unique_ptr<LevelFormat> createDenseLevel() { return std::make_unique<DenseLevel>(); }

} // namespace strata
