// Chooses the sizes of blocks.
#include "strata/lower/analysis/ContractionBlock.h"

#include <algorithm>

namespace strata {

static int64_t roundDown(int64_t value, int64_t unit) {
  return std::max(value / unit, int64_t{1}) * unit;
}

ContractionBlock ContractionBlock::fitting(const CacheSizes &caches, int64_t tileRows,
                                           int64_t tileColumns, int64_t bytes) {
  // Half of the first cache is for the panel that stays there. Where a panel of columns of the
  // least depth does not fit, one of rows does, which is narrower, and may then be deeper.
  constexpr int64_t leastDepth = 192, mostDepth = 384, unit = 64;
  ContractionBlock block{};
  block.farIsRows = leastDepth * tileColumns * bytes > caches.first / 2;
  block.depth = leastDepth;
  if (block.farIsRows)
    block.depth =
        std::clamp(roundDown(caches.first / 2 / (tileRows * bytes), unit), leastDepth, mostDepth);
  // Three tenths of the second cache are for the near block: the tiles of the result, and what
  // passes from the third cache, need the rest.
  int64_t near = caches.second * 3 / 10 / (block.depth * bytes);
  int64_t far = caches.third / 2 / (block.depth * bytes);
  int64_t nearTile = block.farIsRows ? tileColumns : tileRows;
  int64_t farTile = block.farIsRows ? tileRows : tileColumns;
  block.near = roundDown(std::clamp(near, int64_t{48}, int64_t{512}), nearTile);
  block.inPlace = caches.second / bytes;
  block.far = roundDown(std::clamp(far, int64_t{512}, int64_t{2048}), farTile);
  block.mostFar = roundDown(std::clamp(far, int64_t{512}, int64_t{4096}), farTile);
  return block;
}

} // namespace strata
