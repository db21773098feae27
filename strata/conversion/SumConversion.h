// Conversions from and to tensors that are stored as sums, without a list of their entries.
#ifndef STRATA_CONVERSION_SUMCONVERSION_H
#define STRATA_CONVERSION_SUMCONVERSION_H

#include "strata/conversion/ConversionRoutes.h"
#include "strata/conversion/Packing.h"

namespace strata {

/// The rows by way of which a tensor is converted from or to a sum; null where they do not serve,
/// or neither is a sum. To a sum they do if all parts but the last take the first entries of each
/// row (as in HYB).
mlir::RankedTensorType rowsOfSum(const Given &given, mlir::RankedTensorType to);

/// Converts one tensor to another type.
using Convert =
    llvm::function_ref<runtime::Result<TensorValue>(const TensorValue &, mlir::RankedTensorType)>;

/// Divides such rows among the parts of a sum.
runtime::Result<TensorValue> divideRows(TensorValue rows, mlir::RankedTensorType sum,
                                        Convert convert);

/// Adds up the parts of a sum in such rows.
runtime::Result<TensorValue> addParts(KernelCompiler &compiler, const TensorValue &sum,
                                      mlir::RankedTensorType rows, PackTimes &spent,
                                      Convert convert);

} // namespace strata

#endif // STRATA_CONVERSION_SUMCONVERSION_H
