// reorder(i, j, ...): the named loops take each other's places.
//
// before: for i { for j { for k { C[i, k] += A[i, j] * B[j, k] } } }
// after reorder(i, k, j): for i { for k { for j { C[i, k] += A[i, j] * B[j, k] } } }
//
// All loops of a chain accumulate into one target by one operator, so that each order of them
// computes the same but for rounding. Loops of a producer and of what consumes it are no chain;
// where a sum is a factor of a product they can become one.
#include "strata/schedule/Loops.h"

#include "strata/lower/analysis/LoopNest.h"

using namespace mlir;

namespace strata::schedule {

LogicalResult reorder(func::FuncOp kernel, ta::CommandAttr command, Refuse refuse) {
  FailureOr<SmallVector<Label>> labels = findLabels(kernel, command.getArguments(), refuse);
  if (failed(labels))
    return failure();
  if (labels->size() < 2)
    return refuse() << "it takes two labels or more";
  SmallVector<cin::ForallOp> named;
  for (const Label &label : *labels)
    llvm::append_range(named, label);
  for (cin::ForallOp loop : named)
    if (loop.getAccumulates())
      return refuse() << "the loop over '" << loop.getName() << "' is walked with another";
  takeFactorsIn(kernel, named);
  SmallVector<cin::ForallOp> chain = chainFrom(headOfChain(named.front()));
  SmallVector<unsigned> places;
  for (cin::ForallOp loop : named) {
    auto at = llvm::find(chain, loop);
    if (at == chain.end())
      return refuse() << "the loop over '" << loop.getName()
                      << "' is not directly inside or around those over the other labels: what is "
                         "computed between them would have to be moved";
    places.push_back(at - chain.begin());
  }
  llvm::sort(places);
  SmallVector<cin::ForallOp> order(chain);
  for (auto [place, loop] : llvm::zip(places, named))
    order[place] = loop;
  for (auto [at, loop] : llvm::enumerate(order))
    for (cin::ForallOp later : ArrayRef(order).drop_front(at + 1))
      if (loop.getPart() == later.getVariable())
        return refuse() << "'" << loop.getName() << "' goes through the values of a part of which '"
                        << later.getName() << "' is the number, which must come before it";
  nestAs(order);
  return success();
}

} // namespace strata::schedule
