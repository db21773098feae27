// What levels have in common that keep no buffers and have a place for every coordinate.
#ifndef STRATA_LEVEL_PLACES_H
#define STRATA_LEVEL_PLACES_H

#include "strata/level/Emission.h"

namespace strata {

/// Below a parent p, coordinate c is at p * N + c, counted from the first. What is walked is
/// [lo, hi): below some ancestors not all of it lies inside the tensor.
struct PlacesLevel : LevelFormat, CoordinateIteration, Locate, Build {
  using LevelFormat::LevelFormat;

  llvm::SmallVector<BufferSpec> buffers() const override { return {}; }
  const CoordinateIteration *coordinateIteration() const override { return this; }
  const Locate *locate() const override { return this; }
  const Build *build() const override { return this; }

  PositionRange coordIter(LevelView &view) const override { return {view.lo, view.hi}; }
  Found coordAccess(LevelView &view, mlir::Value parent, mlir::Value crd) const override {
    return {emit::place(view, parent, crd)};
  }
  Found locate(LevelView &view, mlir::Value parent, mlir::Value crd) const override {
    return {emit::place(view, parent, crd)};
  }

  llvm::SmallVector<mlir::Type> fields(BuildView &) const override { return {}; }
  BuildState init(BuildView &) const override { return {}; }
  mlir::Value insert(BuildView &view, BuildState &, mlir::Value parent,
                     mlir::Value crd) const override {
    return emit::place(view, parent, crd);
  }
  mlir::Value count(BuildView &view, const BuildState &, mlir::Value parentCount) const override {
    return emit::mul(view, parentCount, view.extent);
  }
};

} // namespace strata

#endif // STRATA_LEVEL_PLACES_H
