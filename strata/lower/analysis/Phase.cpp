// Which results can be made in phases.
#include "strata/lower/analysis/Phase.h"

#include "strata/level/LevelProperties.h"

using namespace mlir;

namespace strata {

static std::string levelFault(ta::FormatAttr format, unsigned level) {
  LevelProperties properties = ta::levelProperties(format, level);
  StringRef name = format.getLevels()[level].getName();
  const LevelTraits &traits = *findLevelTraits(name);
  std::string which = "level " + std::to_string(level + 1) + " (" + name.str() + ")";
  if (traits.sharesValues)
    return "in " + which + " equal values share a place";
  if (traits.locates)
    return "";
  if (!traits.iteratesPositions || traits.misses)
    return "coordinates cannot be looked for in " + which;
  bool branches =
      level + 1 < format.getLvlRank() && !ta::levelProperties(format, level + 1).branchless;
  if (!properties.unique && (!properties.ordered || branches))
    return "coordinates may come again in " + which;
  return "";
}

std::string phaseFault(ta::FormatAttr format) {
  if (format.isList())
    return "entries are listed, in any order, and again where they are added up";
  if (format.hasSlots() || !format.sortedDims().empty())
    return "places follow from all entries together";
  for (unsigned level = 0; level < format.getLvlRank(); ++level)
    if (std::string fault = levelFault(format, level); !fault.empty())
      return fault;
  return "";
}

} // namespace strata
