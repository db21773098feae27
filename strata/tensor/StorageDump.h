// What a storage holds, as text: the buffers of every level, and the coordinate tree.
#ifndef STRATA_TENSOR_STORAGEDUMP_H
#define STRATA_TENSOR_STORAGEDUMP_H

#include "strata/host/StorageText.h"
#include "strata/tensor/TensorValue.h"

#include "llvm/Support/raw_ostream.h"

namespace strata {

/// Writes, for each level from the root, its buffers (the first elements of long ones), then the
/// values, then the tree of coordinates as 004 draws it (section 3.1): a row for each level, each
/// coordinate above its first child. `-` is a place that holds no coordinate. Of large trees the
/// beginning is drawn. The storage is valid.
/// Of a tensor in parts each is written.
void dumpStorage(const TensorValue &tensor, llvm::StringRef name, llvm::raw_ostream &out);

/// How the buffers of storages of such a type are written.
host::StorageText storageTextOf(mlir::RankedTensorType type);

} // namespace strata

#endif // STRATA_TENSOR_STORAGEDUMP_H
