// Orders of loops that are those in which an operand is stored: one loop over its entries.
#include "strata/lower/analysis/LoopOrderSearch.h"
#include "strata/lower/analysis/TiledWalk.h"

using namespace mlir;

namespace strata {

// The order in which the sole driver is stored, where loops over single variables (`plain`, if
// there are such) would jump about in it: locate levels below those that they walk.
std::optional<LoopPlan> LoopOrderSearch::joinedOrder(const SmallVector<unsigned> *plain) const {
  return storedOrder(statement.soleDriver([&](Operation *access) {
    return llvm::any_of(converted, [&](const Walk &one) { return one.op == access; });
  }),
                     plain);
}

std::optional<LoopPlan> LoopOrderSearch::storedOrder(Operation *driver,
                                                     const SmallVector<unsigned> *plain) const {
  ta::ReduceOp root = statement.rootReduction();
  if (!driver || fixed || statement.numbering() || (root && statement.listsOnlyWhole(root)) ||
      llvm::none_of(walks, [&](const Walk &walk) { return walk.op == driver; }))
    return std::nullopt;
  const AccessPath &path = statement.accesses.find(driver)->second;
  std::optional<StorageWalk> walk = walkStorage(path);
  if (!walk || walk->variables.size() < 2 ||
      (plain && (!jumps(path, *plain) || walksRowByRow(statement, path, *plain))))
    return std::nullopt;
  LoopPlan plan;
  for (const WalkedVariable &walked : walk->variables)
    plan.order.push_back(walked.variable);
  plan.joined = plan.order.size();
  for (unsigned variable : preferred)
    if (!llvm::is_contained(plan.order, variable))
      plan.order.push_back(variable);
  return plan;
}

// One loop over the entries of a list whose coordinates repeat but for the last: there are no
// runs to find the ends of.
std::optional<LoopPlan> LoopOrderSearch::listOrder() const {
  std::optional<LoopPlan> plan = copiedOrder();
  if (!plan)
    return std::nullopt;
  const AccessPath &path = statement.accesses.begin()->second;
  if (ta::levelProperties(path.format, 0).unique)
    return std::nullopt;
  // Otherwise the entries are not in the order of loops over the variables.
  bool byVariables =
      llvm::all_of(path.coordinates, [](AffineExpr level) { return isa<AffineDimExpr>(level); });
  bool takes = byVariables ? resultOrder.takes(plan->order) : resultOrder.takesAsStored(path);
  return takes ? plan : std::nullopt;
}

// One loop over all entries, as they are stored, where they come to a result that is counted
// first in order, though loops over single variables cannot walk them: those in blocks that are
// lists.
std::optional<LoopPlan> LoopOrderSearch::blockOrder() const {
  std::optional<LoopPlan> plan = copiedOrder();
  if (!plan || !resultOrder.takesAsStored(statement.accesses.begin()->second))
    return std::nullopt;
  plan->assembly = Assembly::Counted;
  return plan;
}

// The order in which the only operand is stored, where each of its entries is one of the result,
// which is counted first.
std::optional<LoopPlan> LoopOrderSearch::copiedOrder() const {
  if (statement.accesses.size() != 1 || statement.rootReduction())
    return std::nullopt;
  auto access = cast<ta::AccessOp>(statement.accesses.begin()->first);
  ta::FormatAttr format = statement.accesses.begin()->second.format;
  if (!access.getMap().isPermutation() || !statement.isEssential(access.getOperation()) ||
      ta::repeatsEntries(format))
    return std::nullopt;
  std::optional<LoopPlan> plan = storedOrder(access, nullptr);
  bool whole = plan && plan->joined == statement.variables.size();
  return whole && resultOrder.countsEntries() ? plan : std::nullopt;
}

bool LoopOrderSearch::jumps(const AccessPath &path, ArrayRef<unsigned> order) {
  llvm::SmallBitVector before(order.size());
  unsigned next = 0;
  std::string reason;
  for (unsigned variable : order) {
    std::optional<PathPiece> piece = bindVariable(path, next, before, variable, reason);
    if (!piece)
      return true;
    before.set(variable);
    bool walked = false;
    for (const PathStep &step : piece->steps) {
      StringRef level = path.format.getLevels()[step.level].getName();
      if (walked && step.at && !findLevelTraits(level)->computed)
        return true;
      walked |= !step.at;
    }
  }
  return false;
}

} // namespace strata
