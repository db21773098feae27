// Decides what kernels are told.
#include "strata/estimate/KernelFacts.h"

#include "strata/estimate/Parts.h"
#include "strata/estimate/Workspace.h"

using namespace mlir;

namespace strata {

void KernelFacts::tell(func::FuncOp kernel) const {
  if (assumptions != Assumptions::None)
    assume(kernel, assumptions);
  if (policy != Policy::None)
    prefer(kernel, policy);
}

KernelFacts factsOf(ta::ComputeOp op, bool windowed, ArrayRef<int64_t> sizes,
                    llvm::function_ref<Occupancy(Value)> occupancyOf) {
  KernelFacts facts;
  if (windowed)
    facts.assumptions = Assumptions::Windowed;
  // At most one of them is wanted: a result that is gathered has no sums in a dense one.
  if (wantsHashedWorkspace(op, sizes, occupancyOf))
    facts.policy = Policy::Table;
  else if (wantsParts(op, sizes, occupancyOf))
    facts.policy = Policy::Parts;
  return facts;
}

} // namespace strata
