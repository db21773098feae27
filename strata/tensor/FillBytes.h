// Fills as stored elements.
#ifndef STRATA_TENSOR_FILLBYTES_H
#define STRATA_TENSOR_FILLBYTES_H

#include "strata/dialect/ta/Ta.h"
#include <vector>

namespace strata {

/// The fill of a tensor as the bytes of an element, exactly as kernels write padding.
std::vector<char> fillBytes(mlir::RankedTensorType type);
/// A constant as the bytes of an element of that type.
std::vector<char> elementBytes(mlir::Type element, mlir::TypedAttr value);

} // namespace strata

#endif // STRATA_TENSOR_FILLBYTES_H
