// Contractions of dense tensors in a statement, in words.
#ifndef STRATA_EXPLAIN_MATRIXPRODUCTS_H
#define STRATA_EXPLAIN_MATRIXPRODUCTS_H

#include "strata/dialect/ta/Ta.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace strata {

/// For each sum of products of two dense tensors what its labels are to a product of matrices, and
/// how that runs: "rows a, c; columns b; summed d: in blocks, permuted while these are packed".
/// The loops of `kernel`, which is the statement's in ta, tell whether that is in blocks.
std::vector<std::string> describeMatrixProducts(ta::ComputeOp statement, mlir::ModuleOp kernel);

} // namespace strata

#endif // STRATA_EXPLAIN_MATRIXPRODUCTS_H
