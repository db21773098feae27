// Names resolutions, and keeps those that are forbidden on statements.
#include "strata/lower/analysis/Resolutions.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace strata {

static constexpr StringLiteral attribute = "strata.forbidden";

StringRef wordOf(Resolution resolution) {
  switch (resolution) {
  case Resolution::Fusion:
    return "fusion";
  case Resolution::Split:
    return "split";
  case Resolution::Grouping:
    return "grouping";
  case Resolution::Order:
    return "order";
  case Resolution::Workspace:
    return "workspace";
  case Resolution::Conversion:
    return "conversion";
  case Resolution::Sort:
    return "sort";
  case Resolution::Gather:
    break;
  }
  return "gather";
}

std::optional<Resolution> findResolution(StringRef word) {
  for (Resolution resolution : allResolutions)
    if (wordOf(resolution) == word)
      return resolution;
  return std::nullopt;
}

std::string resolutionWords() {
  SmallVector<StringRef> words;
  for (Resolution resolution : allResolutions)
    words.push_back(wordOf(resolution));
  return llvm::join(words, ", ");
}

SmallVector<StringRef> Resolutions::words() const {
  SmallVector<StringRef> words;
  for (Resolution resolution : allResolutions)
    if (contains(resolution))
      words.push_back(wordOf(resolution));
  return words;
}

Resolutions forbiddenFor(ta::ComputeOp op) {
  Resolutions forbidden;
  if (auto words = op->getAttrOfType<ArrayAttr>(attribute))
    for (Attribute word : words)
      if (auto text = dyn_cast<StringAttr>(word))
        if (std::optional<Resolution> resolution = findResolution(text.getValue()))
          forbidden.insert(*resolution);
  return forbidden;
}

bool isForbidden(ta::ComputeOp op, Resolution resolution) {
  bool changes = resolution != Resolution::Workspace && resolution != Resolution::Gather;
  return (changes && op.getScheduleAttr()) || forbiddenFor(op).contains(resolution);
}

void setForbidden(ta::ComputeOp op, Resolutions forbidden) {
  if (forbidden.empty())
    op->removeAttr(attribute);
  else
    op->setAttr(attribute, Builder(op.getContext()).getStrArrayAttr(forbidden.words()));
}

} // namespace strata
