// Writing pictures in shades of grey as PNG files.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_PNGWRITER_H
#define STRATA_RUNTIME_IO_PNGWRITER_H

#include "strata/runtime/Status.h"

#include <span>
#include <string>

namespace strata::runtime {

/// Writes, all or nothing, a picture of `height` rows of `width` pixels from the top down, each
/// from 0 (black) to 255 (white); `-` is standard output. Both are at least 1 and fit 31 bits, as
/// PNG (ISO/IEC 15948) requires.
Status writePng(const std::string &path, std::span<const uint8_t> pixels, int64_t width,
                int64_t height);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_PNGWRITER_H
