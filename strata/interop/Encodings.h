// Formats of upstream's sparse tensors: #sparse_tensor.encoding as #ta.format.
#ifndef STRATA_INTEROP_ENCODINGS_H
#define STRATA_INTEROP_ENCODINGS_H

#include "strata/dialect/ta/Ta.h"

#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace strata::interop {

using EmitError = llvm::function_ref<mlir::InFlightDiagnostic()>;

/// The element type of a tensor of ta: `index` is stored in 64 bits.
mlir::Type elementTypeOf(mlir::Type element);
/// Tells whether tensors here can have such elements.
bool isElementType(mlir::Type element);

/// The format that stores what a tensor of this encoding and these elements stores. A slice is a
/// tensor of its own, and an explicit value belongs to accesses (`explicitValueOf`): neither is
/// part of a format.
mlir::FailureOr<ta::FormatAttr> formatOf(mlir::sparse_tensor::SparseTensorEncodingAttr encoding,
                                         mlir::Type element, EmitError emitError);

/// A tensor type of upstream's as one of ta.
mlir::FailureOr<mlir::RankedTensorType> typeOf(mlir::RankedTensorType type, EmitError emitError);

/// The value of everything that a tensor of the type stores, if its encoding says one; else null.
mlir::TypedAttr explicitValueOf(mlir::Type type);

/// A constant of complex elements as ta writes it; other constants as they are; null for what is no
/// constant of ta.
mlir::TypedAttr constantOf(mlir::Attribute value, mlir::Type type);

} // namespace strata::interop

#endif // STRATA_INTEROP_ENCODINGS_H
