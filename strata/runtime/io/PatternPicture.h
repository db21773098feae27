// Pictures of where the entries of a tensor lie.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_PATTERNPICTURE_H
#define STRATA_RUNTIME_IO_PATTERNPICTURE_H

#include "strata/runtime/storage/Coordinates.h"

#include <array>
#include <string>

namespace strata::runtime {

/// The dimensions that go down and across.
using PictureAxes = std::array<int, 2>;

/// The least and the largest number of pixels of a picture's longer side, and the usual one.
inline constexpr int64_t leastPixels = 8, mostPixels = 8192, usualPixels = 512;

/// The pattern in characters, darker where more entries lie: at most 32 lines of 64, in a frame.
std::string patternText(const Coordinates &list, PictureAxes axes = {0, 1});

/// A picture in shades of grey, from 0 (black) to 255 (white), row by row.
struct PatternPicture {
  int64_t width = 0, height = 0;
  std::vector<uint8_t> pixels;
};

/// Draws the pattern in a frame one pixel wide; the longer side of what is framed has `size` pixels
/// if the dimension has more indices, else as many as give each index equally many. A pixel is the
/// darker the more entries lie in it, by the square root of their number, and where one lies is
/// never lighter than a light grey.
PatternPicture drawPattern(const Coordinates &list, PictureAxes axes, int64_t size);

} // namespace strata::runtime

#endif // STRATA_RUNTIME_IO_PATTERNPICTURE_H
