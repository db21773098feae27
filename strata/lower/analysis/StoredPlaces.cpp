// Looks for levels that store every coordinate, below others that do.
#include "strata/lower/analysis/StoredPlaces.h"

using namespace mlir;

namespace strata {

static bool hasPlaces(const AccessPath &path, unsigned variable) {
  for (auto [level, coordinate] : llvm::enumerate(path.coordinates)) {
    if (!findLevelTraits(path.format.getLevels()[level].getName())->places)
      return false;
    if (coordinate == getAffineDimExpr(variable, coordinate.getContext()))
      return true;
  }
  return false;
}

bool hasPlaces(const IndexStatement &statement, unsigned variable) {
  return hasPlaces(statement.result, variable) ||
         llvm::any_of(statement.accesses,
                      [&](const auto &operand) { return hasPlaces(operand.second, variable); });
}

// So many places take at most four times as much memory as an entry with its coordinates; and to
// fill a table takes several times as long as to go through them.
constexpr double mostPlacesOfEntry = 16;

RankedTensorType convertedType(ta::ConvertOp convert, ArrayRef<int64_t> sizes, double entries) {
  auto type = cast<RankedTensorType>(convert.getResult().getType());
  auto places = convert->getAttrOfType<ta::FormatAttr>(placesAttribute);
  if (!places)
    return type;
  const double count = double(sizes[places.getDimToLvl().getDimPosition(0)]);
  return count <= mostPlacesOfEntry * entries ? ta::withFormat(type, places) : type;
}

} // namespace strata
