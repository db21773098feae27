// Finds the levels that may be too small for a tensor.
#include "strata/dialect/ta/LevelRoom.h"

#include "strata/dialect/ta/FormatMap.h"

using namespace mlir;

namespace strata::ta {

// Tells whether slots above a level number its coordinates.
static bool isNumbered(FormatAttr format, unsigned lvl) {
  return llvm::any_of(llvm::seq<unsigned>(0, lvl), [&](unsigned slot) {
    return format.isSlot(slot) && numberedLevel(format.getDimToLvl(), slot) == int(lvl);
  });
}

// The nearest level above whose coordinates are stored; -1 if there is none.
static int storedAbove(FormatAttr format, unsigned lvl) {
  int above = int(lvl) - 1;
  while (above >= 0 && findLevelTraits(format.getLevels()[above].getName())->computed)
    --above;
  return above;
}

std::optional<int64_t> roomOf(FormatAttr format, unsigned lvl) {
  LevelAttr level = format.getLevels()[lvl];
  const LevelTraits &traits = *findLevelTraits(level.getName());
  if (traits.pads)
    return isNumbered(format, lvl) ? std::nullopt
                                   : std::optional(std::max<int64_t>(level.getParameter(), 1));
  if (!traits.appends || !traits.defaults.branchless)
    return std::nullopt;
  int above = storedAbove(format, lvl);
  bool unique = above >= 0 && levelProperties(format, unsigned(above)).unique;
  return unique ? std::optional<int64_t>(1) : std::nullopt;
}

bool mayLackRoom(FormatAttr format) {
  return llvm::any_of(llvm::seq<unsigned>(0, format.getLvlRank()),
                      [&](unsigned lvl) { return roomOf(format, lvl).has_value(); });
}

unsigned endOfTuple(FormatAttr format, unsigned lvl) {
  unsigned end = lvl;
  for (unsigned below = lvl + 1; below < format.getLvlRank(); ++below) {
    const LevelTraits &traits = *findLevelTraits(format.getLevels()[below].getName());
    if (traits.computed)
      continue;
    if (!traits.appends || !traits.defaults.branchless)
      break;
    end = below;
  }
  return end;
}

bool repeatsEntries(FormatAttr format) {
  return llvm::any_of(llvm::seq<unsigned>(0, format.getLvlRank()), [&](unsigned lvl) {
    return !levelProperties(format, lvl).unique &&
           !levelProperties(format, endOfTuple(format, lvl)).unique;
  });
}

bool hasPlacesOnly(FormatAttr format, unsigned lvl) {
  const LevelTraits &traits = *findLevelTraits(format.getLevels()[lvl].getName());
  LevelProperties properties = levelProperties(format, lvl);
  return traits.places && properties.full && properties.compact && !traits.misses &&
         !traits.appends && !traits.inserts;
}

} // namespace strata::ta
