// Tells lists of coordinates from operands that can be located.
#include "strata/lower/analysis/MergedLists.h"

using namespace mlir;

namespace strata {

bool listsTuples(const AccessPath &path, ArrayRef<unsigned> variables) {
  unsigned count = variables.size();
  if (count < 2 || path.coordinates.size() != count)
    return false;
  for (unsigned level = 0; level < count; ++level) {
    LevelProperties properties = ta::levelProperties(path.format, level);
    const LevelTraits &traits = *findLevelTraits(path.format.getLevels()[level].getName());
    bool ends = level + 1 == count;
    if (path.coordinates[level] != getAffineDimExpr(variables[level], path.format.getContext()) ||
        path.format.isSlot(level) || !properties.ordered || (ends && !properties.unique) ||
        properties.branchless == (level == 0) || !traits.iteratesPositions || traits.misses)
      return false;
  }
  return !ta::levelProperties(path.format, 0).unique;
}

// What is left of an access when the outer loops have taken their variables; nothing where these
// cannot be bound.
static std::optional<PathPiece> located(const AccessPath &path, unsigned variables,
                                        ArrayRef<unsigned> outer, ArrayRef<unsigned> tuple) {
  llvm::SmallBitVector bound(variables);
  unsigned next = 0;
  std::string why;
  for (unsigned variable : outer) {
    if (path.involves(variable) && !bindVariable(path, next, bound, variable, why))
      return std::nullopt;
    bound.set(variable);
  }
  for (unsigned variable : tuple.drop_back())
    bound.set(variable);
  return bindVariable(path, next, bound, tuple.back(), why);
}

std::optional<MergedLists> findMergedLists(const IndexStatement &statement,
                                           ArrayRef<Operation *> accesses, ArrayRef<unsigned> outer,
                                           ArrayRef<unsigned> order) {
  MergedLists merged;
  auto pathOf = [&](Operation *access) -> const AccessPath & {
    return statement.accesses.find(access)->second;
  };
  auto lists = [&](Operation *access) {
    return listsTuples(pathOf(access), order.take_front(merged.variables));
  };
  llvm::SmallDenseSet<std::pair<Value, AffineMap>> places;
  for (Operation *op : accesses) {
    const AccessPath &path = pathOf(op);
    unsigned count = path.coordinates.size();
    if (merged.variables == 0 && count <= order.size() &&
        listsTuples(path, order.take_front(count)))
      merged.variables = count;
    if (!lists(op))
      continue;
    auto access = cast<ta::AccessOp>(op);
    places.insert({access.getTensor(), statement.placeOf(access.getMap(), access.getIndices())});
    merged.lists.push_back(op);
  }
  // An operand that is read twice is walked once.
  if (places.size() < 2)
    return std::nullopt;
  for (Operation *op : accesses) {
    if (lists(op))
      continue;
    std::optional<PathPiece> piece =
        located(pathOf(op), statement.variables.size(), outer, order.take_front(merged.variables));
    if (!piece || (!piece->empty() && !piece->locatable))
      return std::nullopt;
    merged.asks |= !piece->full;
  }
  return merged;
}

} // namespace strata
