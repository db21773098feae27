// How a level is built whose coordinates lie in the buffer of a level above it.
#ifndef STRATA_LEVEL_INTERLEAVED_H
#define STRATA_LEVEL_INTERLEAVED_H

#include "strata/level/Emission.h"

namespace strata {

/// Builds a branchless level that keeps nothing of its own: the level above that has the buffer has
/// made room for the coordinates of each of its positions (004 section 5.2).
struct InterleavedBuild final : Build, JoinedBuild {
  llvm::SmallVector<mlir::Type> fields(BuildView &) const override { return {}; }
  BuildState init(BuildView &) const override { return {}; }
  mlir::Value insert(BuildView &view, BuildState &, mlir::Value parent,
                     mlir::Value crd) const override {
    emit::storeCoordinate(view, view.shared, parent, crd);
    return parent;
  }
  mlir::Value count(BuildView &, const BuildState &, mlir::Value parentCount) const override {
    return parentCount;
  }
  bool makesRoom() const override { return true; } // with the level that has the buffer
  BuildState fork(BuildView &, const BuildState &) const override { return {}; }
  BuildState join(BuildView &, const BuildState &, const JoinView &) const override { return {}; }
};

} // namespace strata

#endif // STRATA_LEVEL_INTERLEAVED_H
