// Which part of a statement's work a kernel does.
#include "strata/lower/analysis/Phase.h"

#include "strata/level/LevelProperties.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace strata {

static constexpr StringLiteral attribute = "strata.phase";

Phase phaseOf(func::FuncOp kernel) {
  auto phase = kernel->getAttrOfType<StringAttr>(attribute);
  if (!phase)
    return Phase::All;
  return llvm::StringSwitch<Phase>(phase.getValue())
      .Case("assemble", Phase::Assemble)
      .Case("pattern", Phase::Pattern)
      .Default(Phase::Compute);
}

void setPhase(func::FuncOp kernel, Phase phase) {
  constexpr StringLiteral words[] = {"", "assemble", "pattern", "compute"};
  if (phase == Phase::All)
    kernel->removeAttr(attribute);
  else
    kernel->setAttr(attribute, StringAttr::get(kernel.getContext(), words[unsigned(phase)]));
}

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
