// The loop inside another that has nothing else.
#ifndef STRATA_LOWER_SCF_ONLYLOOP_H
#define STRATA_LOWER_SCF_ONLYLOOP_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace strata {

/// The only loop inside another; null where there are several, or something else that does
/// something.
inline mlir::scf::ForOp onlyLoopIn(mlir::scf::ForOp outer) {
  mlir::scf::ForOp found;
  for (mlir::Operation &op : outer.getBody()->without_terminator()) {
    if (mlir::isPure(&op))
      continue;
    auto loop = mlir::dyn_cast<mlir::scf::ForOp>(op);
    if (!loop || found)
      return {};
    found = loop;
  }
  return found;
}

} // namespace strata

#endif // STRATA_LOWER_SCF_ONLYLOOP_H
