// Choices between a contraction in blocks and loops that do the same.
#ifndef STRATA_LOWER_UTILS_CONTRACTIONCHOICE_H
#define STRATA_LOWER_UTILS_CONTRACTIONCHOICE_H

#include "strata/dialect/lvl/Lvl.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace strata {

/// The operation as such a choice; null of any other. The loops are its second branch.
inline mlir::scf::IfOp asContractionChoice(mlir::Operation *op) {
  auto choice = mlir::dyn_cast_or_null<mlir::scf::IfOp>(op);
  bool contracts = choice && !choice.thenBlock()->getOps<lvl::ContractOp>().empty();
  return contracts ? choice : mlir::scf::IfOp();
}

/// The choice around an operation of whose first branch it is; null where there is none.
inline mlir::scf::IfOp choiceOfBlocks(mlir::Operation *op) {
  for (; op->getParentOp(); op = op->getParentOp())
    if (mlir::scf::IfOp choice = asContractionChoice(op->getParentOp());
        choice && op->getBlock() == choice.thenBlock())
      return choice;
  return {};
}

} // namespace strata

#endif // STRATA_LOWER_UTILS_CONTRACTIONCHOICE_H
