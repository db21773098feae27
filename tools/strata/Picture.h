// Pictures of where the entries of a tensor lie.
#ifndef STRATA_TOOLS_PICTURE_H
#define STRATA_TOOLS_PICTURE_H

#include "strata/runtime/storage/Coordinates.h"

#include <array>

namespace strata::tool {

/// The dimensions that go down and across.
using PictureAxes = std::array<int, 2>;

/// Prints the pattern in characters, darker where more entries lie.
void printPattern(const runtime::Coordinates &list, PictureAxes axes = {0, 1});

/// A picture in shades of grey, from 0 (black) to 255 (white), row by row.
struct Picture {
  int64_t width = 0, height = 0;
  std::vector<uint8_t> pixels;
};

/// Draws the pattern in a frame one pixel wide; the longer side of what is framed has `size` pixels
/// if the dimension has more indices, else as many as give each index equally many. A pixel is the
/// darker the more entries lie in it, by the square root of their number, and where one lies is
/// never lighter than a light grey.
Picture drawPattern(const runtime::Coordinates &list, PictureAxes axes, int64_t size);

} // namespace strata::tool

#endif // STRATA_TOOLS_PICTURE_H
