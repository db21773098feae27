// Flags that say whether values are there.
#ifndef STRATA_LOWER_LVL_EMITVALUES_H
#define STRATA_LOWER_LVL_EMITVALUES_H

#include "strata/dialect/cin/Cin.h"

namespace strata {

/// Can the run alone tell whether the value of an assignment is there?
bool mayBeMissing(cin::AssignOp assign);

/// The or, and and not of flags of which null is true.
mlir::Value either(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x, mlir::Value y);
mlir::Value both(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x, mlir::Value y);
mlir::Value opposite(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x);

} // namespace strata

#endif // STRATA_LOWER_LVL_EMITVALUES_H
