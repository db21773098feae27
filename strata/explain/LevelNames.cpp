// Follows paths to the storages that they lead into.
#include "strata/explain/LevelNames.h"

using namespace mlir;

namespace strata {

std::string storageName(Value storage) {
  if (auto named = dyn_cast<NameLoc>(storage.getLoc()))
    return named.getName().str();
  return "?";
}

lvl::IteratorOp iteratorOfArgument(BlockArgument path) {
  Block *owner = path.getOwner();
  auto loop = dyn_cast_or_null<lvl::CoiterateOp>(owner->getParentOp());
  if (!loop || path.getArgNumber() < loop.getVariableCount())
    return nullptr;
  ArrayRef<int64_t> present = loop.getCase(owner->getParent()->getRegionNumber());
  unsigned number = path.getArgNumber() - loop.getVariableCount();
  if (number >= present.size())
    return nullptr;
  return loop.getIterators()[present[number]].getDefiningOp<lvl::IteratorOp>();
}

std::string storageOfPath(Value path) {
  while (true) {
    Operation *def = path.getDefiningOp();
    if (auto root = dyn_cast_or_null<lvl::RootOp>(def))
      return storageName(root.getStorage());
    if (auto locate = dyn_cast_or_null<lvl::LocateOp>(def)) {
      path = locate.getParent();
      continue;
    }
    if (auto insert = dyn_cast_or_null<lvl::InsertOp>(def); insert && insert.getParent()) {
      path = insert.getParent();
      continue;
    }
    lvl::IteratorOp iterator = def ? nullptr : iteratorOfArgument(cast<BlockArgument>(path));
    if (!iterator)
      return "?";
    path = iterator.getParent();
  }
}

std::string levelsText(const std::string &storage, unsigned first, unsigned count) {
  std::string text = storage + std::to_string(first + 1);
  return count > 1 ? text + "-" + std::to_string(first + count) : text;
}

std::string levelsText(lvl::IteratorOp iterator) {
  return levelsText(storageOfPath(iterator.getParent()), unsigned(iterator.getLevel()),
                    unsigned(iterator.getSteps().size()));
}

StringRef mergeName(lvl::CoiterateOp loop) {
  size_t all = loop.getIterators().size();
  if (loop.getUniverse())
    return "union";
  if (std::optional<ArrayAttr> sets = loop.getPredicates())
    return sets->size() == all ? "union" : "mixed merge";
  if (loop.getCases().size() == 1 && loop.getCase(0).size() == all)
    return "intersection";
  return loop.getCases().size() + 1 == size_t(1) << all ? "union" : "mixed merge";
}

} // namespace strata
