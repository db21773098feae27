// Refuses loops in whose order the result cannot be stored, as they stand: a search for an order
// has asked the same of those that were made from a statement.
#include "strata/lower/lvl/KernelConverter.h"

using namespace mlir;

namespace strata {

LogicalResult KernelConverter::checkResult() const {
  cin::AssignOp last = nest.result;
  if (!nest.build && !resultStorage.getType().getFormat().isFull())
    return emitError(last.getLoc())
           << "the result is updated in place, in a format without a place for every coordinate";
  if (!resultOrder)
    return success();
  if (failed(checkStoredOnce()))
    return failure();
  llvm::SmallBitVector bound(nest.loops.size());
  bool inside = false; // of a loop that is walked as one with the next
  for (unsigned variable : nest.around(last)) {
    cin::ForallOp loop = nest.loops[variable];
    bool isOfTuple = std::exchange(inside, loop.getCollapsed()) || loop.getCollapsed();
    std::string why;
    // What tuples and chunks give is asked where they are walked.
    if (!isOfTuple && !loop.getChunks() && !resultOrder->admits(variable, bound, why))
      return emitError(loop.getLoc())
             << "the loop over '" << loop.getName() << "' cannot run there: " << why;
    bound.set(variable);
  }
  return success();
}

LogicalResult KernelConverter::checkStoredOnce() const {
  if (resultOrder->takesParts())
    return success();
  cin::AssignOp last = nest.result;
  auto storesToo = [&](Operation *user) {
    auto other = dyn_cast<cin::AssignOp>(user);
    return other && other != last && other.getTarget() == resultStorage;
  };
  if (llvm::none_of(resultStorage.getUsers(), storesToo))
    return success();
  return emitError(last.getLoc())
         << "the result is assigned to elsewhere, too: what is appended to is stored in one order";
}

} // namespace strata
