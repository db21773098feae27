// Storages as files that store tensors level by level see them (binsparse, SciPy's csr and csc).
#ifndef STRATA_EXECUTION_FILELEVELS_H
#define STRATA_EXECUTION_FILELEVELS_H

#include "strata/execution/TensorValue.h"
#include "strata/runtime/io/LevelArrays.h"

#include <optional>

namespace strata {

/// The storage's own buffers as arrays of dense and sparse levels; nothing if one of its levels is
/// neither, if levels are no whole dimensions, if coordinates may repeat, or if what is not stored
/// is not zero. Valid as long as the storage.
std::optional<runtime::LevelArrays> fileLevels(const TensorValue &tensor);

} // namespace strata

#endif // STRATA_EXECUTION_FILELEVELS_H
