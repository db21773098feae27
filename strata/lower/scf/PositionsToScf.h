// Operations on positions of levels: children, parents, coordinates.
#ifndef STRATA_LOWER_SCF_POSITIONSTOSCF_H
#define STRATA_LOWER_SCF_POSITIONSTOSCF_H

#include "strata/lower/entry/StorageLayout.h"

#include "mlir/IR/IRMapping.h"

namespace strata {

/// Emits an operation that is one of these, and maps its results. `paths`: of the values of type
/// !lvl.path so far. False if it is another.
bool lowerPositions(mlir::Operation &op, const llvm::DenseMap<mlir::Value, PathValues> &paths,
                    mlir::IRMapping &mapping, mlir::OpBuilder &b);

} // namespace strata

#endif // STRATA_LOWER_SCF_POSITIONSTOSCF_H
