// Tensors into files.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_HOST_WRITETENSOR_H
#define STRATA_HOST_WRITETENSOR_H

#include "strata/host/StoredFormat.h"
#include "strata/runtime/io/LevelArrays.h"
#include "strata/runtime/storage/Coordinates.h"

#include <functional>
#include <optional>
#include <string>

namespace strata::host {

/// Writes a tensor as the file's ending says: a dense one in the dense form of such files, if they
/// have one, or its levels as they are, if `levels` gives arrays and such files take them; else
/// what `list` gives. `storage` is null of a tensor in several. All or nothing is written. Where a
/// tensor has a fill that such files do not keep, it is refused. `indexBase` is what the indices of
/// FROSTT files count from.
runtime::Status writeTensor(const std::string &file, const runtime::Storage *storage,
                            const StoredFormat &format,
                            const std::function<std::optional<runtime::LevelArrays>()> &levels,
                            const std::function<runtime::Result<runtime::Coordinates>()> &list,
                            int64_t indexBase);

} // namespace strata::host

#endif // STRATA_HOST_WRITETENSOR_H
