// Follows the middle entry of a tensor up to the first level, and that level's coordinate down
// again.
#include "strata/estimate/Skew.h"

#include "strata/host/LevelSpace.h"
#include "strata/tensor/StoredFormats.h"
#include "strata/tensor/StoredLevels.h"

using namespace mlir;

namespace strata {
namespace {

/// A level as ranges of positions below those of the level above.
struct Ranges {
  StoredLevel level;
  const Inspect *inspect; ///< null: a place for each coordinate below each parent

  std::pair<int64_t, int64_t> below(int64_t parent) const {
    return inspect ? inspect->children(level, parent)
                   : std::pair(parent * level.extent, (parent + 1) * level.extent);
  }
  int64_t positions() const { return level.parents > 0 ? below(level.parents - 1).second : 0; }
  int64_t parentOf(int64_t position) const {
    int64_t low = 0, high = level.parents;
    while (low < high) {
      int64_t middle = low + (high - low) / 2;
      if (below(middle).second <= position)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }
};

} // namespace

Spread spreadOf(const TensorValue &tensor) {
  ta::FormatAttr format = tensor.format();
  SmallVector<LevelExtent> extents = levelExtents(
      format, tensor.sizes(), host::slotsOf(*tensor.storage, storedFormatOf(tensor.type)));
  SmallVector<Ranges> levels;
  Spread spread;
  spread.all.entries = 1;
  for (auto [lvl, attribute] : llvm::enumerate(format.getLevels())) {
    spread.all.rows = spread.all.entries;
    levels.push_back({storedLevel(tensor, unsigned(lvl), spread.all.rows, extents[lvl]),
                      findLevelFormat(attribute.getName())->inspect()});
    spread.all.entries = levels.back().positions();
  }
  if (spread.all.entries == 0)
    return spread;
  int64_t position = spread.all.entries / 2;
  for (const Ranges &level : llvm::reverse(ArrayRef(levels).drop_front()))
    position = level.parentOf(position);
  int64_t begin = position, end = position + 1;
  for (const Ranges &level : ArrayRef(levels).drop_front()) {
    spread.middle.rows = end - begin;
    begin = level.below(begin).first;
    end = level.below(end - 1).second;
  }
  spread.middle.entries = end - begin;
  return spread;
}

} // namespace strata
