// The elements of an array of a Zarr store, out of its chunks.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_ZARRCHUNKS_H
#define STRATA_RUNTIME_IO_ZARRCHUNKS_H

#include "strata/runtime/io/FileSelection.h"
#include "strata/runtime/io/ZarrMetadata.h"

namespace strata::runtime {

/// Reads the rows in a range, the last dimension fastest, from the files of a folder; adds up the
/// bytes of these.
Result<FileArray> readZarrChunks(const std::string &folder, const ZarrArray &array, IndexRange rows,
                                 int64_t &bytesRead);
/// Does the same with an array of texts of one dimension.
Result<std::vector<std::string>> readZarrTexts(const std::string &folder, const ZarrArray &array,
                                               IndexRange rows, int64_t &bytesRead);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_ZARRCHUNKS_H
