// Chooses the levels of temporaries, by the names of formats that have them.
#include "strata/lower/ta/TemporaryLevels.h"

#include "strata/dialect/ta/Shorthands.h"

using namespace mlir;

namespace strata {

// Returns the outermost level of a format with a name.
static ta::LevelAttr firstLevel(MLIRContext *context, StringRef name, unsigned order) {
  std::string why;
  return ta::shorthand(context, name, order, why).getLevels().front();
}

ta::LevelAttr placeLevel(MLIRContext *context) { return firstLevel(context, "CSR", 2); }

ta::LevelAttr markedPlaceLevel(MLIRContext *context) { return firstLevel(context, "Bitmap", 1); }

ta::LevelAttr entryLevel(MLIRContext *context) { return firstLevel(context, "CSF", 1); }

ta::LevelAttr tableLevel(MLIRContext *context) { return firstLevel(context, "HashVector", 1); }

ta::FormatAttr formatInOrder(MLIRContext *context, ArrayRef<ta::LevelAttr> levels) {
  return ta::FormatAttr::get(context, AffineMap::getMultiDimIdentityMap(levels.size(), context),
                             levels, Attribute());
}

ta::FormatAttr markedPlaces(MLIRContext *context, unsigned rank) {
  SmallVector<ta::LevelAttr> levels(rank, placeLevel(context));
  levels.back() = markedPlaceLevel(context);
  return formatInOrder(context, levels);
}

} // namespace strata
