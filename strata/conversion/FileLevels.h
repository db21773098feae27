// Storages as files that store tensors level by level see them (binsparse, SciPy's csr and csc).
#ifndef STRATA_CONVERSION_FILELEVELS_H
#define STRATA_CONVERSION_FILELEVELS_H

#include "strata/runtime/io/LevelArrays.h"
#include "strata/tensor/TensorValue.h"

#include <optional>

namespace strata {

/// The storage's own buffers as arrays of dense and sparse levels; nothing if one of its levels is
/// neither, if levels are no whole dimensions, if coordinates may repeat, or if what is not stored
/// is not zero. Valid as long as the storage.
std::optional<runtime::LevelArrays> fileLevels(const TensorValue &tensor);

/// A tensor with such arrays as its buffers, from which one of the `wanted` type can be made by one
/// kernel: in the wanted format, if its levels are the same, else in the file's own. Nothing where
/// a list of coordinates serves better, and where the arrays are not in order, repeat coordinates
/// or are wrong: who reads them into a list learns what is.
std::optional<TensorValue> adopt(const runtime::LevelArrays &arrays, mlir::RankedTensorType wanted,
                                 bool force);

/// The same with the levels that the arrays are, positions and coordinates of so many bits, and
/// values of their own type, or of this one.
std::optional<TensorValue> adoptAsStored(const runtime::LevelArrays &arrays,
                                         mlir::MLIRContext *context,
                                         std::optional<strata_type> type, unsigned width);

} // namespace strata

#endif // STRATA_CONVERSION_FILELEVELS_H
