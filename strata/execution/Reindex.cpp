// Solves the place of every entry for its index variables.
#include "strata/execution/Reindex.h"

#include "strata/dialect/ta/PlaceMap.h"
#include "strata/execution/EvaluateAffine.h"

using namespace mlir;
using strata::runtime::Coordinates;
using strata::runtime::Result;
using strata::runtime::Status;

namespace strata {
namespace {

// The variables that reach `coordinates`; false if none do.
bool solve(AffineMap place, ArrayRef<ta::PlaceSolution> solutions, ArrayRef<int64_t> extents,
           ArrayRef<int64_t> coordinates, MutableArrayRef<int64_t> variables) {
  for (const ta::PlaceSolution &solution : solutions) {
    int64_t scaled = coordinates[solution.coordinate] - evaluate(solution.rest, variables);
    int64_t &variable = variables[solution.variable];
    variable = scaled / solution.factor;
    if (scaled % solution.factor != 0 || variable < 0 || variable >= extents[solution.variable])
      return false;
  }
  for (auto [expr, coordinate] : llvm::zip(place.getResults(), coordinates))
    if (evaluate(expr, variables) != coordinate)
      return false;
  return true;
}

} // namespace

Result<Coordinates> reindexed(const Coordinates &list, AffineMap place,
                              const std::vector<int64_t> &extents) {
  SmallVector<ta::PlaceSolution> solutions = *ta::solvePlace(place);
  Result<Coordinates> result = Coordinates::create(extents, list.valueType(), list.count());
  if (!result)
    return result;
  size_t bytes = strata_type_bytes(list.valueType());
  const char *from = static_cast<const char *>(list.values().data());
  char *to = static_cast<char *>(result->values().data());
  SmallVector<int64_t> coordinates(list.order()), variables(extents.size());
  int64_t kept = 0;
  for (int64_t entry = 0; entry < list.count(); ++entry) {
    for (int dim = 0; dim < list.order(); ++dim)
      coordinates[dim] = list.coordinate(dim, entry);
    if (!solve(place, solutions, extents, coordinates, variables))
      continue;
    runtime::withCoordinateType(result->coordinateType(), [&](auto *tag) {
      using Coordinate = std::remove_pointer_t<decltype(tag)>;
      for (unsigned dim = 0; dim < variables.size(); ++dim)
        result->column(dim).template as<Coordinate>()[kept] = Coordinate(variables[dim]);
    });
    std::memcpy(to + kept++ * bytes, from + entry * bytes, bytes);
  }
  if (Status status = result->resize(kept); !status.ok())
    return status;
  return result;
}

} // namespace strata
