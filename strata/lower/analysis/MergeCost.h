// How many cases a merge of sparse operands has, each of which becomes code.
#ifndef STRATA_LOWER_ANALYSIS_MERGECOST_H
#define STRATA_LOWER_ANALYSIS_MERGECOST_H

#include "strata/lower/analysis/IndexStatement.h"

namespace strata {

/// One loop walks no more sparse operands.
inline constexpr unsigned mostMerged = 12;

bool isProduct(mlir::Operation *op);
/// Tells whether a value is what a tensor holds, a constant, or a product of such. Then entries of
/// one place may be added up after the other factors have been multiplied by each.
bool isMultilinear(mlir::Value value);
bool isAddition(mlir::Operation *op);
bool isDifference(mlir::Operation *op);

/// The accesses that a value of a statement is computed from, in the order in which it reads them.
llvm::SmallVector<ta::AccessOp> accessesIn(ta::ComputeOp op, mlir::Value value);

/// The sparse ones that are merged: what is read twice at the same place is one of them.
llvm::SmallVector<ta::AccessOp> mergedOperands(ta::ComputeOp op, mlir::Value value);

/// A sum of so many operands, each of which may be there or not, has as many cases as the value.
double mergedIn(ta::ComputeOp op, mlir::Value value);

/// Are there more cases than a kernel should have, or than one can have?
bool mergesTooMany(const IndexStatement &statement, mlir::Value value);

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_MERGECOST_H
