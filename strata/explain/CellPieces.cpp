// Follows a cut from the level that is cut to those above and below it.
#include "strata/explain/CellPieces.h"

#include "strata/dialect/ta/FormatMap.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/dialect/ta/Sums.h"
#include "strata/dialect/ta/Ta.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace strata {
namespace {

/// The cut of a tensor by one axis of a machine.
class CellCutText {
public:
  CellCutText(ta::FormatAttr format, ta::PlaceAttr place, StringRef cell, StringRef name)
      : format(format), place(place), cell(cell), name(name) {}

  std::vector<std::string> lines() {
    const unsigned cut = place.getKind() == ta::PlaceKind::entries ? lastLevel() : firstLevel();
    for (unsigned level = 0; level < format.getLevels().size(); ++level)
      add(level, level == cut ? ofCut() : level < cut ? above() : below());
    return std::move(result);
  }

private:
  // The levels that store a dimension of the cut.
  bool storesCut(unsigned level) const {
    const AffineExpr expr = format.getDimToLvl().getResult(level);
    return llvm::any_of(place.getDims(), [&](unsigned dim) { return expr.isFunctionOfDim(dim); });
  }
  unsigned firstLevel() const {
    unsigned level = 0;
    while (level + 1 < format.getLevels().size() && !storesCut(level))
      ++level;
    return level;
  }
  unsigned lastLevel() const {
    unsigned level = format.getLevels().size() - 1;
    while (level > 0 && !storesCut(level))
      --level;
    return level;
  }

  void add(unsigned level, const std::string &text) {
    result.push_back(name.str() + std::to_string(level + 1) + ": " + text);
  }

  std::string labels() const {
    const SmallVector<std::string> names = ta::indexNames(format.getDimRank());
    std::string text;
    for (unsigned dim : place.getDims())
      text += (text.empty() ? "" : ", ") + names[dim];
    return place.getDims().size() > 1 ? "(" + text + ")" : text;
  }

  std::string ofCut() const {
    const std::string c = cell.str();
    if (place.getKind() == ta::PlaceKind::entries)
      return "of n stored positions those in [" + c + " * n / cells, (" + c +
             " + 1) * n / cells) (non-zero partition)";
    return labels() + " in [" + c + " * s, (" + c +
           " + 1) * s), s = ceil(size / cells) (universe partition)";
  }
  std::string above() const {
    return place.getKind() == ta::PlaceKind::entries
               ? "the positions above these (preimage)"
               : "all positions that have something of it below them";
  }
  static std::string below() { return "what lies below these (image)"; }

  ta::FormatAttr format;
  ta::PlaceAttr place;
  StringRef cell, name;
  std::vector<std::string> result;
};

} // namespace

std::vector<std::string> cellPieces(RankedTensorType type, StringRef name) {
  std::vector<std::string> lines;
  ta::PlacementAttr placement = ta::placementOf(type);
  if (!placement)
    return {"each process has all of it"};
  const bool isOne = placement.getPlaces().size() == 1;
  for (auto [axis, place] : llvm::enumerate(placement.getPlaces())) {
    const std::string cell = isOne ? "c" : "c" + std::to_string(axis + 1);
    if (place.getKind() == ta::PlaceKind::all)
      lines.push_back("every cell" + (isOne ? "" : " of axis " + std::to_string(axis + 1)) +
                      " has the same");
    else if (place.getKind() == ta::PlaceKind::at)
      lines.push_back("cell " + std::to_string(place.getCell()) + " has it");
    else if (ta::sumOf(type))
      lines.push_back(name.str() + ": its entries, by their coordinates, in each of its storages");
    else
      llvm::append_range(lines, CellCutText(ta::formatOf(type), place, cell, name).lines());
  }
  return lines;
}

} // namespace strata
