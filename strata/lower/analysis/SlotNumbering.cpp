// Finds out whether loops can number the slots of a format.
#include "strata/lower/analysis/SlotNumbering.h"

#include "strata/dialect/ta/FormatMap.h"
#include "strata/level/LevelProperties.h"

using namespace mlir;

namespace strata {

// Tells whether each level but the slot's, and that of rows, takes what it is told at once, in any
// order: places that are padding until then will do.
static bool othersTakeAnywhere(ta::FormatAttr format, unsigned slot, std::optional<unsigned> rows) {
  for (auto [lvl, level] : llvm::enumerate(format.getLevels())) {
    const LevelTraits &traits = *findLevelTraits(level.getName());
    bool pads = traits.pads && ta::levelProperties(format, lvl).branchless;
    if (lvl != slot && lvl != rows &&
        (format.isSlot(lvl) || traits.appends || traits.inserts || traits.computed ||
         !(traits.places || pads)))
      return false;
  }
  return true;
}

// The level of rows right below slots that all have places, if it can count them: those up to the
// last that each slot holds.
static std::optional<unsigned> countedRows(ta::FormatAttr format, unsigned slot) {
  unsigned lvl = slot + 1;
  if (slot > 0 || lvl == format.getLvlRank())
    return std::nullopt;
  const LevelTraits &above = *findLevelTraits(format.getLevels()[slot].getName());
  const LevelTraits &traits = *findLevelTraits(format.getLevels()[lvl].getName());
  return above.places && traits.counts && traits.fillsFront ? std::optional(lvl) : std::nullopt;
}

std::optional<SlotNumbering> slotNumbering(ta::FormatAttr format) {
  SlotNumbering numbering;
  unsigned rank = format.getLvlRank();
  for (numbering.level = 0; numbering.level < rank && !format.isSlot(numbering.level);)
    ++numbering.level;
  if (numbering.level == rank || !format.sortedDims().empty())
    return std::nullopt;
  std::optional<unsigned> rows = countedRows(format, numbering.level);
  if (!othersTakeAnywhere(format, numbering.level, rows))
    return std::nullopt;
  AffineMap map = format.getDimToLvl();
  int below = ta::numberedLevel(map, numbering.level);
  auto numbered = below < 0 ? nullptr : dyn_cast<AffineDimExpr>(map.getResult(below));
  if (!numbered)
    return std::nullopt;
  numbering.numbered = numbered.getPosition();
  for (AffineExpr expr : ta::countedBy(map.getResult(numbering.level))) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || dim.getPosition() == numbering.numbered)
      return std::nullopt;
    numbering.counted.push_back(dim.getPosition());
  }
  if (rows) {
    numbering.countsRows = true;
    auto row = dyn_cast<AffineDimExpr>(map.getResult(*rows));
    return row && numbering.counted == SmallVector<unsigned>{row.getPosition()}
               ? std::optional(numbering)
               : std::nullopt;
  }
  const LevelTraits &traits = *findLevelTraits(format.getLevels()[numbering.level].getName());
  if (!traits.appends)
    return numbering;
  // Below one parent all rows of a block are numbered, one after the other.
  if (numbering.level != 1 || numbering.counted.size() != 1 || !traits.locates)
    return std::nullopt;
  std::optional<VariableBlocks> blocks = blocksIn(map.getResult(0));
  if (!blocks || blocks->variable != numbering.counted.front())
    return std::nullopt;
  numbering.rowsPerParent = blocks->size;
  return numbering;
}

std::optional<VariableNumbering> slotNumbering(const AccessPath &result) {
  std::optional<SlotNumbering> numbering = slotNumbering(result.format);
  if (!numbering)
    return std::nullopt;
  auto variable = [&](unsigned dim) {
    return dyn_cast<AffineDimExpr>(result.place.getResult(dim));
  };
  VariableNumbering own{numbering->level, {}, 0, numbering->rowsPerParent};
  AffineDimExpr numbered = variable(numbering->numbered);
  if (!numbered)
    return std::nullopt;
  own.numbered = numbered.getPosition();
  for (unsigned dim : numbering->counted) {
    AffineDimExpr counted = variable(dim);
    if (!counted)
      return std::nullopt;
    own.counted.push_back(counted.getPosition());
  }
  return own;
}

} // namespace strata
