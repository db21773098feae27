// How much the loops of a kernel do, as it can be told at its entry.
#ifndef STRATA_LOWER_SCF_WORKESTIMATE_H
#define STRATA_LOWER_SCF_WORKESTIMATE_H

#include "strata/dialect/lvl/Lvl.h"
#include "strata/lower/entry/StorageLayout.h"

#include "mlir/IR/IRMapping.h"

namespace strata {

using StorageMap = llvm::DenseMap<mlir::Value, const StorageValues *>;

/// The steps of all outermost loops in `block`, from the extents of the loops and the entries of
/// what they walk, spread evenly, as an index. A step is the addition of one product to a number;
/// each iteration of a loop around others counts as four, and eight of an innermost loop over all
/// values, which are a vector, as one. Null if an extent is known only later. `mapping` says what
/// the kernel's arguments have become.
mlir::Value emitSteps(mlir::Block &block, const StorageMap &storages,
                      const mlir::IRMapping &mapping, mlir::OpBuilder &b);

} // namespace strata

#endif // STRATA_LOWER_SCF_WORKESTIMATE_H
