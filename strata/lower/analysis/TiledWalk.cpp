// Looks for a level below the first one that goes through the result's rows.
#include "strata/lower/analysis/TiledWalk.h"

#include "strata/level/LevelFormat.h"

using namespace mlir;

namespace strata {

// Tells whether the step goes through the coordinates of its level, not through what it stores.
static bool goesThroughCoordinates(const AccessPath &path, const PathStep &step) {
  const LevelFormat &format = *findLevelFormat(path.format.getLevels()[step.level].getName());
  return format.spanIteration() ? format.spanIteration()->hasOnePerParent()
                                : format.coordinateIteration() && !format.positionIteration();
}

// The step below the first one at which a walk goes through all values of a variable that a level
// above leaves open; nothing where a level above has chosen a value, or a block of them.
static std::optional<unsigned> laterStep(const AccessPath &path, unsigned variable) {
  std::optional<StorageWalk> walk = walkStorage(path);
  std::optional<unsigned> step = walk ? windowStep(path, *walk, variable) : std::nullopt;
  if (!step || *step == 0 || !goesThroughCoordinates(path, walk->steps[*step]))
    return std::nullopt;
  AffineExpr label = getAffineDimExpr(variable, path.format.getContext());
  for (unsigned above = 0; above < *step; ++above) {
    AffineExpr coordinate = path.coordinates[walk->steps[above].level];
    std::optional<VariableBlocks> blocks = blocksIn(coordinate);
    if (coordinate == label || (blocks && blocks->variable == variable))
      return std::nullopt;
  }
  return step;
}

std::optional<unsigned> tiledVariable(const IndexStatement &statement, const LoopPlan &plan) {
  if (!statement.rootReduction() || !plan.joined || plan.assembly != Assembly::InOrder ||
      !statement.result.format.isFull() || statement.result.coordinates.empty())
    return std::nullopt;
  auto label = dyn_cast<AffineDimExpr>(statement.result.coordinates.front());
  auto joined = ArrayRef(plan.order).take_front(plan.joined);
  if (!label || !llvm::is_contained(joined, label.getPosition()))
    return std::nullopt;
  const AccessPath *driver = nullptr;
  for (const auto &[access, path] : statement.accesses) {
    if (path.format.isFull())
      continue;
    if (driver)
      return std::nullopt;
    driver = &path;
  }
  bool tiles = driver && laterStep(*driver, label.getPosition());
  return tiles ? std::optional(label.getPosition()) : std::nullopt;
}

bool walksRowByRow(const IndexStatement &statement, const AccessPath &path,
                   ArrayRef<unsigned> order) {
  if (order.size() < 2 || !statement.rootReduction() || !statement.result.format.isFull() ||
      path.involves(order.back()))
    return false;
  auto isLabel = [](AffineExpr coordinate, unsigned variable) {
    return coordinate == getAffineDimExpr(variable, coordinate.getContext());
  };
  bool isRow = llvm::any_of(statement.result.coordinates, [&](AffineExpr coordinate) {
    return isLabel(coordinate, order.front());
  });
  bool isColumn = llvm::any_of(statement.result.coordinates, [&](AffineExpr coordinate) {
    return isLabel(coordinate, order.back());
  });
  std::optional<unsigned> step = laterStep(path, order.front());
  return isRow && isColumn && step &&
         isLabel(path.coordinates[walkStorage(path)->steps[*step].level], order.front());
}

} // namespace strata
