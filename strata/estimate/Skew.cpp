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

double shareOfMiddle(const TensorValue &tensor) {
  ta::FormatAttr format = tensor.format();
  SmallVector<LevelExtent> extents = levelExtents(
      format, tensor.sizes(), host::slotsOf(*tensor.storage, storedFormatOf(tensor.type)));
  SmallVector<Ranges> levels;
  int64_t parents = 1;
  for (auto [lvl, attribute] : llvm::enumerate(format.getLevels())) {
    levels.push_back({storedLevel(tensor, unsigned(lvl), parents, extents[lvl]),
                      findLevelFormat(attribute.getName())->inspect()});
    parents = levels.back().positions();
  }
  if (parents == 0)
    return 0;
  int64_t position = parents / 2;
  for (const Ranges &level : llvm::reverse(ArrayRef(levels).drop_front()))
    position = level.parentOf(position);
  int64_t begin = position, end = position + 1;
  for (const Ranges &level : ArrayRef(levels).drop_front()) {
    begin = level.below(begin).first;
    end = level.below(end - 1).second;
  }
  return double(end - begin) / double(parents);
}

} // namespace strata
