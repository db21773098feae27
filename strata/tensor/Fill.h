// Fills as numbers: what tensors, and files, are worth where they store nothing.
#ifndef STRATA_TENSOR_FILL_H
#define STRATA_TENSOR_FILL_H

#include "strata/dialect/ta/Ta.h"
#include <complex>
#include <optional>

namespace strata {

/// Returns the number that a constant is among elements of a type, which may be integers without a
/// sign. Integers of more than 53 bits are rounded.
std::complex<double> numberOf(mlir::Type element, mlir::TypedAttr constant);

/// The constant that stands for a number as the fill of elements of a type; nothing if it is none
/// of their values.
std::optional<mlir::TypedAttr> constantOf(mlir::Type element, std::complex<double> number);

/// Is a tensor worth something else than zero at places that it does not store?
bool hasFill(mlir::RankedTensorType type);

} // namespace strata

#endif // STRATA_TENSOR_FILL_H
