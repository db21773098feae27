// What a storage must have to be what a kernel was compiled for.
#ifndef STRATA_TENSOR_STORAGESIGNATURE_H
#define STRATA_TENSOR_STORAGESIGNATURE_H

#include "strata/lower/entry/KernelSignature.h"

namespace strata {

enum class StorageRole {
  Result, ///< to be made: it has no content yet
  Operand
};

/// Appends to a signature (runtime/storage/Signature.h) what a storage of that type has: its order,
/// the types of its buffers, and how their counts follow from each other.
void describeStorage(mlir::RankedTensorType type, llvm::StringRef name, StorageRole role,
                     Signature &signature);

} // namespace strata

#endif // STRATA_TENSOR_STORAGESIGNATURE_H
