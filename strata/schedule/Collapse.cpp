// collapse(i, j, ...): the named loops are walked as one.
//
// before: for i { for j { y[i] += A[i, j] * x[j] } }
// after collapse(i, j): the same with the loops joined: one loop over the entries of A, in the
// order in which they are stored.
//
// What drives the loops decides whether they can be (004 section 4.5, iterator fusion); that is
// seen when they are walked.
#include "strata/schedule/Loops.h"

#include "strata/lower/analysis/LoopNest.h"

using namespace mlir;

namespace strata::schedule {

LogicalResult collapse(func::FuncOp kernel, ta::CommandAttr command, Refuse refuse) {
  FailureOr<SmallVector<cin::ForallOp>> named = findLoops(kernel, command.getArguments(), refuse);
  if (failed(named))
    return failure();
  if (named->size() < 2)
    return refuse() << "it takes two labels or more";
  SmallVector<cin::ForallOp> chain = chainFrom(named->front());
  if (chain.size() < named->size() || ArrayRef(chain).take_front(named->size()) != ArrayRef(*named))
    return refuse() << "the loops are not directly inside each other, in this order";
  for (cin::ForallOp loop : *named)
    if (loop.getGroup())
      return refuse() << "'" << loop.getLabel().getValue()
                      << "' goes through the entries of an operand already";
  for (cin::ForallOp loop : *named)
    if (!loop.getLocating().empty())
      return refuse() << "the loop over '" << loop.getName() << "' looks operands up";
  for (cin::ForallOp loop : *named) {
    loop.setAccumulates(true);
    loop.setCollapsed(loop != named->back());
  }
  return success();
}

} // namespace strata::schedule
