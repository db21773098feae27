// Statements rewritten: their inputs, their expressions, accesses that loops cannot walk as they
// stand.
#ifndef STRATA_LOWER_TA_REINDEX_H
#define STRATA_LOWER_TA_REINDEX_H

#include "strata/dialect/ta/Ta.h"

#include "mlir/IR/IRMapping.h"

namespace strata {

/// Replaces every sparse access whose place is more than index variables, each once, by an access
/// to a tensor over these variables (`ta.gather`). False if there is nothing to replace.
bool reindexAccesses(ta::ComputeOp op);

/// Clones an expression of a statement; what `mapping` knows already is not cloned.
mlir::Value cloneValue(mlir::OpBuilder &b, mlir::Value value, mlir::IRMapping &mapping);

/// Inputs that no access reads any more are dropped.
void dropUnusedInputs(ta::ComputeOp op);

} // namespace strata

#endif // STRATA_LOWER_TA_REINDEX_H
