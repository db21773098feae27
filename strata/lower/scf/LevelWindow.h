// The coordinates of a level that lie in a window on the tensor.
#ifndef STRATA_LOWER_SCF_LEVELWINDOW_H
#define STRATA_LOWER_SCF_LEVELWINDOW_H

#include "strata/lower/entry/StorageLayout.h"

namespace strata {

/// The values of a dimension that are walked: [begin, end).
struct DimensionWindow {
  unsigned dim;
  mlir::Value begin, end;
};

/// Narrows [lo, hi) of the view to the coordinates of a level at which, below these ancestors, the
/// dimensions may have values in their windows. Exact at the level that determines a dimension.
/// False if the windows do not say anything about this level.
bool narrowToWindows(LevelView &view, const StorageValues &storage, unsigned level,
                     llvm::ArrayRef<mlir::Value> ancestors,
                     llvm::ArrayRef<DimensionWindow> windows);

} // namespace strata

#endif // STRATA_LOWER_SCF_LEVELWINDOW_H
