// Chunks in Blosc's container (version 1), as Zarr stores have them.
//
// Format: https://github.com/Blosc/c-blosc/blob/main/README_CHUNK_FORMAT.rst. Part of Strata, under
// the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_BLOSC_H
#define STRATA_RUNTIME_IO_BLOSC_H

#include "strata/runtime/storage/Buffer.h"

#include <string_view>

namespace strata::runtime {

/// The bytes of a chunk, compressed by LZ4, zlib or zstd, with its bytes shuffled or not. Memory is
/// in proportion to the compressed bytes.
Result<Buffer> decompressBlosc(std::string_view chunk);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_BLOSC_H
