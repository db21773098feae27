// locate(j, A): a loop looks an operand up instead of walking it.
//
// before: for j in A and B { y += A[j] * B[j] }, which walks both of them
// after locate(j, A): for j in B { if A has j { y += A[j] * B[j] } }
//
// Whether another operand is walked wherever there is something to do, and whether the level can be
// looked up, is seen when the loops are walked. (Iterate-and-locate, 004 section 4.3.)
#include "strata/schedule/Loops.h"

using namespace mlir;

namespace strata::schedule {

LogicalResult locate(func::FuncOp kernel, ta::CommandAttr command, Refuse refuse) {
  ArrayRef<Attribute> arguments = command.getArguments();
  auto operand = arguments.size() == 2 ? dyn_cast<StringAttr>(arguments[1]) : StringAttr();
  if (!operand)
    return refuse() << "it takes a label and an operand: locate(j, A)";
  FailureOr<SmallVector<cin::ForallOp>> loops = findLoops(kernel, arguments.take_front(1), refuse);
  if (failed(loops))
    return failure();
  cin::ForallOp loop = loops->front();
  auto outside = dyn_cast<cin::ForallOp>(loop->getParentOp());
  if (loop.getCollapsed() || (outside && outside.getCollapsed()))
    return refuse() << "the loop over '" << loop.getName() << "' is walked with another";
  SmallVector<Value> storages = storagesNamed(loop, operand.getValue());
  if (storages.empty())
    return refuse() << "no operand inside the loop is called '" << operand.getValue() << "'";
  for (Value storage : storages) {
    if (storage == loop.getLeader())
      return refuse() << "the loop takes the entries of '" << operand.getValue() << "'";
    if (!llvm::is_contained(loop.getLocating(), storage))
      loop.getLocatingMutable().append(storage);
  }
  return success();
}

} // namespace strata::schedule
