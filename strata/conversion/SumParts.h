// Tensors stored as sums: a list of entries is divided among the parts.
#ifndef STRATA_CONVERSION_SUMPARTS_H
#define STRATA_CONVERSION_SUMPARTS_H

#include "strata/conversion/Packing.h"

namespace strata {

/// Packs entries into the parts of a tensor whose type is a sum, as pack does.
runtime::Result<TensorValue> packParts(KernelCompiler &compiler, runtime::Coordinates list,
                                       mlir::RankedTensorType type, PackTimes *times, bool force,
                                       mlir::Attribute fill);

/// The tensor of that type, a sum, that consists of these parts, in their formats.
TensorValue sumOfParts(mlir::RankedTensorType type, std::vector<TensorValue> parts);

} // namespace strata

#endif // STRATA_CONVERSION_SUMPARTS_H
