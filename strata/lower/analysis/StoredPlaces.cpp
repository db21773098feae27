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

} // namespace strata
