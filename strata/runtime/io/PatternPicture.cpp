// Draws patterns in characters and in pixels.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/PatternPicture.h"

#include "strata/runtime/io/Info.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace strata::runtime {

std::string patternText(const Coordinates &list, PictureAxes axes) {
  constexpr std::string_view shades = " .:+*#";
  const int64_t columns = std::clamp<int64_t>(list.sizes()[size_t(axes[1])], 1, 64);
  const int64_t rows = std::clamp<int64_t>(list.sizes()[size_t(axes[0])], 1, 32);
  const std::vector<int64_t> counts = countInGrid(list, rows, columns, axes);
  const auto most = double(*std::ranges::max_element(counts));
  const std::string border = "  +" + std::string(size_t(columns), '-') + "+\n";
  std::string text = border;
  for (int64_t i = 0; i < rows; ++i) {
    text += "  |";
    for (int64_t j = 0; j < columns; ++j) {
      const auto count = double(counts[size_t(i * columns + j)]);
      text += shades[count == 0 ? 0 : size_t(std::ceil(count / most * double(shades.size() - 1)))];
    }
    text += "|\n";
  }
  return text + border;
}

namespace {

// How an axis is drawn: `parts` equal parts of the dimension, each `pixels` wide.
struct Axis {
  int64_t parts, pixels;
  int64_t length() const { return parts * pixels; }
};

// An axis of `length` pixels or, where each index has one or more, somewhat less.
Axis axisOf(int64_t indices, int64_t length) {
  const int64_t parts = std::clamp<int64_t>(indices, 1, length);
  return {parts, length / parts};
}

uint8_t shadeOf(int64_t count, int64_t most) {
  constexpr double white = 255, lightest = 200;
  if (count == 0)
    return uint8_t(white);
  return uint8_t(std::lround(lightest * (1 - std::sqrt(double(count) / double(most)))));
}

} // namespace

PatternPicture drawPattern(const Coordinates &list, PictureAxes axes, int64_t size) {
  constexpr uint8_t frame = 128;
  constexpr int64_t narrowest = 8;
  const int64_t rows = list.sizes()[size_t(axes[0])], columns = list.sizes()[size_t(axes[1])];
  const double longest = double(std::max({rows, columns, int64_t(1)}));
  auto axis = [&](int64_t indices) {
    const auto share = int64_t(std::lround(double(size) * double(indices) / longest));
    return axisOf(indices, std::clamp(share, std::min(narrowest, size), size));
  };
  const Axis down = axis(rows), across = axis(columns);
  const std::vector<int64_t> counts = countInGrid(list, down.parts, across.parts, axes);
  const int64_t most = *std::ranges::max_element(counts);
  PatternPicture picture{across.length() + 2, down.length() + 2, {}};
  picture.pixels.assign(size_t(picture.width * picture.height), frame);
  for (int64_t y = 0; y < down.length(); ++y)
    for (int64_t x = 0; x < across.length(); ++x) {
      const int64_t part = y / down.pixels * across.parts + x / across.pixels;
      picture.pixels[size_t((y + 1) * picture.width + x + 1)] = shadeOf(counts[size_t(part)], most);
    }
  return picture;
}

} // namespace strata::runtime
