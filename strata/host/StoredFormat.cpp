// What follows from a stored format.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/StoredFormat.h"

#include <algorithm>

namespace strata::host {

bool StoredFormat::hasSlots() const {
  return std::any_of(levels.begin(), levels.end(),
                     [](const StoredLevel &level) { return level.isSlot(); });
}

bool StoredFormat::isPermutation() const {
  return int64_t(levels.size()) == order() &&
         std::all_of(levels.begin(), levels.end(),
                     [](const StoredLevel &level) { return level.coordinate.input() >= 0; });
}

std::vector<Extent> StoredFormat::extents(std::span<const int64_t> sizes,
                                          std::span<const int64_t> slots) const {
  std::vector<Extent> result;
  for (const StoredLevel &level : levels) {
    if (!level.isSlot()) {
      result.push_back(level.coordinate.extent(sizes));
      continue;
    }
    result.push_back({0, slots.empty() ? 1 : slots.front()});
    slots = slots.subspan(slots.empty() ? 0 : 1);
  }
  return result;
}

std::vector<int64_t> StoredFormat::levelSizes(std::span<const int64_t> sizes,
                                              std::span<const int64_t> slots) const {
  std::vector<int64_t> result;
  for (const Extent &extent : extents(sizes, slots))
    result.push_back(extent.extent);
  return result;
}

std::vector<strata_type> StoredFormat::levelBuffers() const {
  std::vector<strata_type> types;
  size_t at = 0;
  for (const StoredLevel &level : levels) {
    size_t own = size_t(level.buffers) - level.isSlot();
    types.insert(types.end(), buffers.begin() + ptrdiff_t(at),
                 buffers.begin() + ptrdiff_t(at + own));
    at += size_t(level.buffers);
  }
  types.push_back(buffers.back());
  return types;
}

} // namespace strata::host
