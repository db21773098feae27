// Chooses the order of a statement's loops, and how its result is assembled.
#include "strata/lower/analysis/BlockLabels.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/analysis/LoopOrderSearch.h"
#include "strata/lower/analysis/Resolutions.h"
#include "strata/lower/analysis/VainWalks.h"

using namespace mlir;

namespace strata {

// A schedule says how the result is assembled.
static std::optional<LoopPlan> planScheduled(const IndexStatement &statement,
                                             const llvm::SmallPtrSetImpl<Operation *> &exempt,
                                             std::string &why, Assembly assembly,
                                             PlanLimit &limit) {
  if (assembly == Assembly::Counted && !statement.countableLevel()) {
    why = "the entries of the result cannot be counted first (Insert)";
    return std::nullopt;
  }
  if (assembly == Assembly::Gathered && (!statement.gatherable() || statement.countsResult())) {
    why = "the entries of the result cannot be gathered (Gather)";
    return std::nullopt;
  }
  std::optional<LoopPlan> plan = LoopOrderSearch(statement, exempt, why, assembly, limit).run();
  if (plan)
    plan->assembly = assembly;
  return plan;
}

static std::optional<LoopPlan> findLoopOrder(const IndexStatement &statement,
                                             const llvm::SmallPtrSetImpl<Operation *> &exempt,
                                             std::string &why, Assembly preferred,
                                             PlanLimit &limit) {
  auto tryAssembly = [&](Assembly assembly, bool possible) -> std::optional<LoopPlan> {
    std::string other;
    if (!possible)
      return std::nullopt;
    std::optional<LoopPlan> plan = LoopOrderSearch(statement, exempt, other, assembly, limit).run();
    if (plan)
      plan->assembly = assembly;
    return plan;
  };
  bool countable = statement.countableLevel().has_value();
  if (std::optional<Assembly> asked = scheduledAssembly(statement.op.getScheduleAttr()))
    return planScheduled(statement, exempt, why, *asked, limit);
  if (preferred == Assembly::Counted)
    if (auto plan = tryAssembly(Assembly::Counted, countable)) {
      std::string other;
      LoopOrderSearch entries(statement, exempt, other, Assembly::Counted, limit);
      if (std::optional<LoopPlan> joined = entries.listOrder()) {
        plan->order = joined->order;
        plan->joined = joined->joined;
      }
      return plan;
    }
  LoopOrderSearch search(statement, exempt, why, Assembly::InOrder, limit);
  std::optional<LoopPlan> plan = search.run();
  if (std::optional<LoopPlan> joined = search.joinedOrder(plan ? &plan->order : nullptr))
    return joined;
  if (plan)
    return plan;
  if (auto plan = tryAssembly(Assembly::Counted, countable))
    return plan;
  if (countable && !statement.listsResult()) {
    std::string other;
    LoopOrderSearch entries(statement, exempt, other, Assembly::Counted, limit);
    if (std::optional<LoopPlan> plan = entries.blockOrder())
      return plan;
  }
  return tryAssembly(Assembly::Gathered, statement.gatherable() && !statement.countsResult() &&
                                             !isForbidden(statement.op, Resolution::Workspace));
}

// Where operands store blocks, loops can go from one to the next, perhaps as the result stores its.
static void goFromBlockToBlock(const IndexStatement &statement, LoopPlan &plan) {
  if (statement.op.getScheduleAttr() || mayBeWindowed(statement))
    return;
  // Of one operand, blocks are walked with others as they are stored, unless each is a contraction.
  if (plan.joined) {
    LoopPlan apart = plan;
    apart.joined = 0;
    apart.parts = labelsToContract(statement, apart);
    if (!apart.parts.empty())
      plan = apart;
    return;
  }
  plan.parts = labelsInBlocks(statement, plan);
  if (plan.assembly == Assembly::Gathered && !plan.parts.empty() &&
      ResultOrder(statement, Assembly::InOrder, plan.parts).takes(plan.order)) {
    plan.assembly = Assembly::InOrder;
    plan.blocks.reset();
  }
}

std::optional<LoopPlan> chooseLoopOrder(const IndexStatement &statement,
                                        const llvm::SmallPtrSetImpl<Operation *> &exempt,
                                        std::string &why, Assembly preferred) {
  if (std::optional<ScheduledOrder> scheduled = scheduledOrder(statement);
      scheduled && scheduled->apart && statement.appendsResult() && !statement.listsResult() &&
      !storesBlocks(statement.result, scheduled->parts)) {
    why = "the result takes its entries in order, which loops over parts of a label with others "
          "between them do not give";
    return std::nullopt;
  }
  // As few loops as possible over all values of what few are stored of, and then as few walks that
  // begin again.
  constexpr unsigned mostCounted = 4;
  const bool counts = countsRewalks(statement);
  for (unsigned sweeps = 0, rewalks = 0;; ++rewalks) {
    PlanLimit limit{sweeps, counts && rewalks < mostCounted ? rewalks : PlanLimit::any, counts};
    auto plan = findLoopOrder(statement, exempt, why, preferred, limit);
    if (plan && exempt.empty())
      goFromBlockToBlock(statement, *plan);
    if (plan || (!limit.rewalksReached && !limit.sweepsReached))
      return plan;
    if (!limit.rewalksReached) {
      ++sweeps;
      rewalks = ~0u; // begins with none again
    }
  }
}

Assembly preferredAssembly(func::FuncOp kernel) {
  return prefers(kernel, Policy::Counted) ? Assembly::Counted : Assembly::InOrder;
}

} // namespace strata
