// Arrays of HDF5 in compressed chunks, which need no library to be read once it has said where the
// chunks lie: they are decompressed on several threads.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_HDF5CHUNKS_H
#define STRATA_RUNTIME_IO_HDF5CHUNKS_H

#include "strata/runtime/io/FileArray.h"
#include "strata/runtime/io/Hdf5Records.h"

#include <string_view>

namespace strata::runtime {

/// Reads the array of a record (Hdf5RecordKind::chunks), whose chunks lie in these bytes of a file.
/// Nothing that the record says is believed. Memory is at most 1032 times the chunks,
/// and a decompressed chunk for each thread.
Result<FileArray> readHdf5Chunks(const Hdf5Record &record, const char *content,
                                 std::string_view file);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_HDF5CHUNKS_H
