// Says how contractions of dense tensors run.
#include "strata/explain/MatrixProducts.h"

#include "strata/compile/ChosenSchedule.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/analysis/Resolutions.h"
#include "strata/lower/ta/TensorProduct.h"

#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace strata {

// The labels of `order` that stand in all of the tensors `in` and in none of `notIn`, after a word.
static void addLabels(std::string &text, StringRef word, const IndexStatement &statement,
                      const LabelOrder &order, ArrayRef<const LabelOrder *> in,
                      const LabelOrder *notIn) {
  SmallVector<StringRef> names;
  for (unsigned label : order)
    if (llvm::all_of(in,
                     [&](const LabelOrder *other) { return llvm::is_contained(*other, label); }) &&
        (!notIn || !llvm::is_contained(*notIn, label)))
      names.push_back(statement.variables[label].name);
  if (!names.empty())
    text += (text.empty() ? "" : "; ") + word.str() + " " + llvm::join(names, ", ");
}

// Tells whether the kernel's schedule, as it is completed, has contractions.
static bool runsInBlocks(ModuleOp kernel) {
  OwningOpRef<ModuleOp> copy(kernel.clone());
  // A schedule that is refused is so once more where the loops are explained.
  ScopedDiagnosticHandler quiet(copy->getContext(), [](Diagnostic &) { return success(); });
  FailureOr<ta::ScheduleAttr> schedule = lowerWithSchedule(*copy);
  return succeeded(schedule) && contracts(*schedule);
}

static StringRef wayOf(ta::ComputeOp op, bool inBlocks, bool permutes) {
  Resolutions forbidden = forbiddenFor(op);
  if (inBlocks && forbidden.contains(Resolution::Microkernel))
    return "in blocks, by vectors";
  if (inBlocks)
    return permutes ? "in blocks, permuted while these are packed" : "in blocks";
  if (assumes(op->getParentOfType<ModuleOp>(), Assumptions::Deterministic))
    return "by loops, since sums keep their order";
  if (op.getScheduleAttr())
    return "by the loops of its schedule";
  return forbidden.contains(Resolution::Blocks) ? "by loops, since 'blocks' is forbidden"
                                                : "by loops";
}

std::vector<std::string> describeMatrixProducts(ta::ComputeOp op, ModuleOp kernel) {
  std::vector<std::string> lines;
  std::optional<bool> inBlocks;
  for (Value whole : productsAroundSums(op)) {
    IndexStatement statement(op);
    std::optional<TensorProduct> dense = TensorProduct::match(statement, whole);
    std::optional<PairContraction> pair = dense ? dense->ofTwo(statement) : std::nullopt;
    std::optional<TransposePlan> plan = pair ? transposesOfLeastCost(*pair) : std::nullopt;
    if (!plan)
      continue;
    const auto &[left, right, result, extents, assumes] = *pair;
    std::string text;
    addLabels(text, "batched", statement, result, {&left, &right}, nullptr);
    addLabels(text, "rows", statement, result, {&left}, &right);
    addLabels(text, "columns", statement, result, {&right}, &left);
    addLabels(text, "summed", statement, left, {&right}, &result);
    auto lacksSome = [&, &result = result](const LabelOrder &operand) {
      return llvm::any_of(result,
                          [&](unsigned label) { return !llvm::is_contained(operand, label); });
    };
    bool isMatrices = lacksSome(left) && lacksSome(right);
    if (isMatrices && !inBlocks)
      inBlocks = runsInBlocks(kernel);
    lines.push_back(text + ": " +
                    (isMatrices ? wayOf(op, *inBlocks, plan->moved > 0).str()
                                : "by loops, since one operand is a vector"));
  }
  return lines;
}

} // namespace strata
