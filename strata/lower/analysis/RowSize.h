// How many elements a row of a dense result has, as a constant of its kernel.
#ifndef STRATA_LOWER_ANALYSIS_ROWSIZE_H
#define STRATA_LOWER_ANALYSIS_ROWSIZE_H

#include "strata/dialect/ta/Ta.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>

namespace strata {

/// The index variable along the rows of a result of two dimensions or more that is dense and stored
/// by rows; nothing of others.
std::optional<unsigned> rowVariable(ta::ComputeOp op);

/// Makes the size of a kernel's rows a constant. Its argument stays, and is not looked at any more.
void fixRowSize(mlir::func::FuncOp kernel, int64_t size);

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_ROWSIZE_H
