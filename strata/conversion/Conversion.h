// From any format to any other.
#ifndef STRATA_CONVERSION_CONVERSION_H
#define STRATA_CONVERSION_CONVERSION_H

#include "strata/conversion/Packing.h"

namespace strata {

/// The same tensor in another format or element type. Refuses a storage that would be absurdly
/// larger than the entries (checkGrowth) unless it is told to `force` it.
runtime::Result<TensorValue> convert(KernelCompiler &compiler, const TensorValue &tensor,
                                     mlir::RankedTensorType type, PackTimes *times = nullptr,
                                     bool force = false);

/// Do kernels convert, without a list of coordinates? Widths are decided.
bool convertsByKernel(mlir::RankedTensorType from, mlir::RankedTensorType to,
                      llvm::ArrayRef<int64_t> sizes, int64_t entries, bool force);

/// How a conversion goes, and what it needs beside the two tensors.
struct ConversionPlan {
  std::string how; ///< "by one kernel"; by two; by way of a list of the entries' coordinates
  int64_t beside;  ///< bytes, at most
};
ConversionPlan planConversion(const TensorValue &tensor, mlir::RankedTensorType type,
                              bool force = false);

/// That plan as a sentence.
std::string describe(const ConversionPlan &plan);

} // namespace strata

#endif // STRATA_CONVERSION_CONVERSION_H
