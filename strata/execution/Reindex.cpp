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

// A list that is written entry by entry, of values of the same type as another's.
class Writer {
public:
  explicit Writer(Coordinates empty)
      : list(std::move(empty)), bytes(strata_type_bytes(list.valueType())) {}

  void add(ArrayRef<int64_t> coordinates, const Coordinates &from, int64_t entry) {
    runtime::withCoordinateType(list.coordinateType(), [&](auto *tag) {
      using Coordinate = std::remove_pointer_t<decltype(tag)>;
      for (auto [dim, crd] : llvm::enumerate(coordinates))
        list.column(int(dim)).template as<Coordinate>()[count] = Coordinate(crd);
    });
    std::memcpy(static_cast<char *>(list.values().data()) + count++ * bytes,
                static_cast<const char *>(from.values().data()) + entry * bytes, bytes);
  }

  /// The list of what was added.
  Result<Coordinates> end() {
    if (Status status = list.resize(count); !status.ok())
      return status;
    return std::move(list);
  }

private:
  Coordinates list;
  size_t bytes;
  int64_t count = 0;
};

void coordinatesOf(const Coordinates &list, int64_t entry, MutableArrayRef<int64_t> coordinates) {
  for (auto [dim, crd] : llvm::enumerate(coordinates))
    crd = list.coordinate(int(dim), entry);
}

} // namespace

Result<Coordinates> reindexed(const Coordinates &list, AffineMap place,
                              const std::vector<int64_t> &extents) {
  SmallVector<ta::PlaceSolution> solutions = *ta::solvePlace(place);
  Result<Coordinates> result = Coordinates::create(extents, list.valueType(), list.count());
  if (!result)
    return result;
  Writer writer(std::move(*result));
  SmallVector<int64_t> coordinates(list.order()), variables(extents.size());
  for (int64_t entry = 0; entry < list.count(); ++entry) {
    coordinatesOf(list, entry, coordinates);
    if (solve(place, solutions, extents, coordinates, variables))
      writer.add(variables, list, entry);
  }
  return writer.end();
}

Result<Coordinates> overlaid(const Coordinates &part, const Coordinates &whole, AffineMap place,
                             const std::vector<int64_t> &extents) {
  SmallVector<ta::PlaceSolution> solutions = *ta::solvePlace(place);
  Result<Coordinates> result =
      Coordinates::create(whole.sizes(), whole.valueType(), whole.count() + part.count());
  if (!result)
    return result;
  Writer writer(std::move(*result));
  SmallVector<int64_t> coordinates(whole.order()), variables(extents.size());
  for (int64_t entry = 0; entry < whole.count(); ++entry) {
    coordinatesOf(whole, entry, coordinates);
    if (!solve(place, solutions, extents, coordinates, variables))
      writer.add(coordinates, whole, entry);
  }
  for (int64_t entry = 0; entry < part.count(); ++entry) {
    coordinatesOf(part, entry, variables);
    for (auto [expr, crd] : llvm::zip(place.getResults(), coordinates))
      crd = evaluate(expr, variables);
    writer.add(coordinates, part, entry);
  }
  return writer.end();
}

} // namespace strata
