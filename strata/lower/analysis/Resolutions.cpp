// Names resolutions, and keeps those that are forbidden on statements.
#include "strata/lower/analysis/Resolutions.h"

#include "strata/lower/analysis/FilledProducts.h"
#include "strata/lower/analysis/HeldZeros.h"
#include "strata/lower/analysis/KernelAttributes.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace strata {

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
    return "gather";
  case Resolution::Packing:
    return "packing";
  case Resolution::Permutation:
    return "permutation";
  case Resolution::Blocks:
    return "blocks";
  case Resolution::Microkernel:
    return "microkernel";
  case Resolution::Transposes:
    break;
  }
  return "transposes";
}

bool isOfDenseTensors(Resolution resolution) {
  return resolution == Resolution::Packing || resolution == Resolution::Permutation ||
         resolution == Resolution::Blocks || resolution == Resolution::Microkernel ||
         resolution == Resolution::Transposes;
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

Resolutions Resolutions::ofDenseTensors() const {
  Resolutions some;
  for (Resolution resolution : allResolutions)
    if (contains(resolution) && isOfDenseTensors(resolution))
      some.insert(resolution);
  return some;
}

Resolutions forbiddenFor(Operation *op) {
  Resolutions forbidden;
  if (auto words = op->getAttrOfType<ArrayAttr>(forbiddenAttribute))
    for (Attribute word : words)
      if (auto text = dyn_cast<StringAttr>(word))
        if (std::optional<Resolution> resolution = findResolution(text.getValue()))
          forbidden.insert(*resolution);
  return forbidden;
}

bool isForbidden(ta::ComputeOp op, Resolution resolution) {
  bool changes = resolution != Resolution::Workspace && resolution != Resolution::Gather &&
                 !isOfDenseTensors(resolution);
  return (changes && op.getScheduleAttr()) || forbiddenFor(op).contains(resolution);
}

void setForbidden(Operation *op, Resolutions forbidden) {
  if (forbidden.empty())
    op->removeAttr(forbiddenAttribute);
  else
    op->setAttr(forbiddenAttribute, Builder(op->getContext()).getStrArrayAttr(forbidden.words()));
}

void keepConstraints(ta::ComputeOp made, ta::ComputeOp of) {
  setForbidden(made, forbiddenFor(of));
  if (assumes(of, Assumptions::Deterministic))
    assume(made, Assumptions::Deterministic);
}

bool choosesWay(Operation *op) {
  return op->hasAttr(fewTermsAttribute) || op->hasAttr(fewStepsAttribute) ||
         op->hasAttr(fewReadsAttribute) || op->hasAttr(fewUsesAttribute) ||
         op->hasAttr(fewEntriesAttribute) || op->hasAttr(heldZerosAttribute);
}

} // namespace strata
