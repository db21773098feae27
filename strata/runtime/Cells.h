// The cells of a machine, as people write them.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_CELLS_H
#define STRATA_RUNTIME_CELLS_H

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace strata::runtime {

/// The numbers of cells in a text, one for each axis: "2x3"; nothing if it is none such.
inline std::optional<std::vector<int64_t>> parseCells(std::string_view text) {
  std::vector<int64_t> cells;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('x', begin), text.size());
    const char *stop = text.data() + end;
    int64_t &number = cells.emplace_back();
    auto [at, error] = std::from_chars(text.data() + begin, stop, number);
    if (error != std::errc() || at != stop || number < 1)
      return std::nullopt;
    begin = end + 1;
  }
  return cells;
}

} // namespace strata::runtime
#endif // STRATA_RUNTIME_CELLS_H
