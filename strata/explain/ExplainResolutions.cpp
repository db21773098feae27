// Tells how a statement's conflicts were resolved, from the attributes and operations that say so.
#include "strata/compile/Kernel.h"
#include "strata/estimate/KernelFacts.h"
#include "strata/explain/Explain.h"
#include "strata/lower/analysis/IndexStatement.h"
#include "strata/lower/analysis/Plan.h"
#include "strata/lower/analysis/Resolutions.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace strata {

static RankedTensorType typeOf(Value tensor) { return cast<RankedTensorType>(tensor.getType()); }

// What a conversion costs: loops may be able to follow both formats, or its entries are listed.
static std::string conversionCost(ta::ConvertOp convert) {
  OwningOpRef<ModuleOp> copy =
      copyKernel(typeOf(convert.getTensor()), typeOf(convert.getResult()), "copy");
  return planOfCopy(*copy) ? "a pass over its entries, and memory for the copy"
                           : "its entries are listed and sorted, and memory for the copy";
}

static void add(std::string &text, Resolution resolution, const Twine &what) {
  text += (wordOf(resolution) + ": " + what + "\n").str();
}

std::string describeSweeps(const IndexStatement &statement, const LoopPlan &plan) {
  SmallVector<std::string> names;
  for (unsigned variable : plan.sweeps)
    names.push_back("'" + statement.variables[variable].name + "'");
  bool several = names.size() > 1;
  return "the loop" + std::string(several ? "s" : "") + " over " + llvm::join(names, ", ") +
         " take" + (several ? "" : "s") +
         " all values, since the operands cannot all be iterated in one order of the loops";
}

std::string explainResolutions(ta::ComputeOp statement, Policy policy) {
  std::string text;
  IndexStatement analyzed(statement);
  auto plan = planOf(analyzed);
  if (plan && !llvm::equal(plan->order, llvm::seq<unsigned>(0, plan->order.size()))) {
    SmallVector<StringRef> names;
    for (unsigned variable : plan->order)
      names.push_back(analyzed.variables[variable].name);
    add(text, Resolution::Order, "the loops run over " + llvm::join(names, ", "));
  }
  if (plan && !plan->sweeps.empty())
    add(text, Resolution::Order,
        describeSweeps(analyzed, *plan) + ": more iterations than entries are stored");
  if (std::string reason = reasonFor(policy, statement); !reason.empty())
    add(text, Resolution::Order, reason);
  if (plan && plan->assembly == Assembly::Gathered)
    add(text, Resolution::Workspace,
        "rows of the result are gathered and sorted, memory for all " +
            Twine(policy == Policy::Table ? "terms" : "places") + " of one");
  statement.getBody().walk([&](ta::ReduceOp reduce) {
    if (reduce.getWorkspace())
      add(text, Resolution::Workspace, "rows of an inner sum, memory for one");
  });
  for (Value input : statement.getInputs()) {
    if (auto convert = input.getDefiningOp<ta::ConvertOp>(); convert && convert.getReason())
      add(text, Resolution::Conversion, "of an operand: " + conversionCost(convert));
    if (input.getDefiningOp<ta::GatherOp>())
      add(text, Resolution::Gather, "a pass over an operand's entries, memory for those reached");
  }
  for (Operation *user : statement.getResult().getUsers())
    if (auto convert = dyn_cast<ta::ConvertOp>(user); convert && convert.getReason()) {
      bool list = ta::formatOf(typeOf(statement.getResult())).isList();
      add(text, list ? Resolution::Sort : Resolution::Conversion,
          list ? "memory for every term of the sums, and their sorting"
               : "of the result: " + conversionCost(convert));
    } else if (isa<ta::InsertPartOp>(user)) {
      add(text, Resolution::Gather, "a pass over the tensor's entries, memory for a list of them");
    }
  if (std::optional<StringRef> reason = statement.getReason())
    add(text, Resolution::Split, *reason + "; its result is stored");
  return text;
}

} // namespace strata
