// Decides what kernels are told.
#include "strata/estimate/KernelFacts.h"

#include "strata/estimate/Parts.h"
#include "strata/estimate/RowBlocks.h"
#include "strata/estimate/Workspace.h"
#include "strata/lower/analysis/RowSize.h"

using namespace mlir;

namespace strata {

void KernelFacts::tell(func::FuncOp kernel) const {
  if (assumptions != Assumptions::None)
    assume(kernel, assumptions);
  if (policy != Policy::None)
    prefer(kernel, policy);
}

// Rows of so many elements are vectors and tiles that stay in registers; where their size is known,
// nothing is asked at the end of each row. Shorter ones would be kept element by element
// (KeepBlocks), of which LLVM makes vectors over the entries of the sparse operand, by gathering.
static constexpr int64_t shortestRow = 9, longestRow = 128;

static int64_t rowSizeOf(ta::ComputeOp op, llvm::function_ref<int64_t(Value)> extentOf) {
  auto isSparse = [](Value input) {
    return !ta::formatOf(cast<RankedTensorType>(input.getType())).isFull();
  };
  const std::optional<unsigned> variable = rowVariable(op);
  // A schedule's loops are those that it says.
  if (!variable || op.getScheduleAttr() || llvm::none_of(op.getInputs(), isSparse))
    return 0;
  const int64_t size = extentOf(op.getExtents()[*variable]);
  return size >= shortestRow && size <= longestRow ? size : 0;
}

KernelFacts factsOf(ta::ComputeOp op, bool windowed, ArrayRef<int64_t> sizes,
                    llvm::function_ref<Occupancy(Value)> occupancyOf,
                    llvm::function_ref<int64_t(Value)> extentOf) {
  KernelFacts facts;
  if (windowed)
    facts.assumptions = Assumptions::Windowed;
  // At most one of them is wanted: a result that is gathered has no sums in a dense one.
  if (wantsHashedWorkspace(op, sizes, occupancyOf))
    facts.policy = Policy::Table;
  else if (wantsRowBlocks(op, occupancyOf, extentOf))
    facts.policy = Policy::RowBlocks;
  else if (wantsParts(op, windowed, sizes, occupancyOf))
    facts.policy = Policy::Parts;
  facts.rowSize = rowSizeOf(op, extentOf);
  return facts;
}

std::string reasonFor(Policy policy, ta::ComputeOp op) {
  if (policy == Policy::RowBlocks)
    return reasonForRowBlocks(op);
  return policy == Policy::Parts ? reasonToCut(op) : std::string();
}

} // namespace strata
