// The batch level: a place for every coordinate, around storages that have nothing in common.
//
//   batch of two 2x2 matrices in CSR       (b, i, j) -> (b : batch, i : dense, j : compressed)
//     p_1 = c_1; below, each matrix is one parent: buffers: none
//
//   coord_iter()          -> [lo, hi)
//   coord_access(p, c)    -> p * N + c, always found
//   locate(p, c)          -> p * N + c, always found
//   insert(p, c)          -> p * N + c
//
// Its functions are dense's: positions below different coordinates are never shared, so that slices
// are independent by construction, and nothing needs padding (MLIR's batch levels give every slice
// as much room as the largest takes). What the name adds is a promise that is checked: only batches
// stand above a batch, so that a slice is one coordinate of the outermost dimensions.
#include "strata/level/Emission.h"

using namespace mlir;

namespace strata {
namespace {

struct BatchLevel final : LevelFormat, CoordinateIteration, Locate, Build {
  BatchLevel()
      : LevelFormat({.name = "batch",
                     .defaults = {.full = true, .compact = true},
                     .iteratesCoordinates = true,
                     .locates = true,
                     .places = true,
                     .outermost = true}) {}

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

std::unique_ptr<LevelFormat> createBatchLevel() { return std::make_unique<BatchLevel>(); }

} // namespace strata
