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

std::optional<MergedLists> findMergedLists(const LoopNest &nest, ArrayRef<cin::ForallOp> chain) {
  SmallVector<unsigned> order = llvm::map_to_vector(
      chain, [&](cin::ForallOp loop) { return nest.numberOf(loop.getVariable()); });
  SmallVector<unsigned> inside = nest.accessesIn(chain.front());
  auto pathOf = [&](unsigned access) -> const AccessPath & { return nest.accesses[access].path; };
  ArrayRef<unsigned> tuple;
  for (unsigned access : inside)
    if (unsigned count = pathOf(access).coordinates.size();
        tuple.empty() && count <= order.size() &&
        listsTuples(pathOf(access), ArrayRef(order).take_front(count)))
      tuple = ArrayRef(order).take_front(count);
  MergedLists merged;
  for (unsigned access : inside)
    if (listsTuples(pathOf(access), tuple))
      merged.lists.push_back(access);
  if (merged.lists.size() < 2)
    return std::nullopt;
  merged.loops.assign(chain.begin(), chain.begin() + tuple.size());
  SmallVector<unsigned> outer = nest.around(chain.front());
  for (unsigned access : inside) {
    if (llvm::is_contained(merged.lists, access))
      continue;
    std::optional<PathPiece> piece = located(pathOf(access), nest.loops.size(), outer, tuple);
    if (!piece || (!piece->empty() && !piece->locatable))
      return std::nullopt;
    merged.asks |= !piece->full;
  }
  return merged;
}

} // namespace strata
