// unroll(j, 4): so many iterations of a loop follow each other without a test between them.
//
// What LLVM makes of the loop keeps to it where it can.
#include "strata/schedule/Loops.h"

using namespace mlir;

namespace strata::schedule {

LogicalResult unroll(func::FuncOp kernel, ta::CommandAttr command, Refuse refuse) {
  ArrayRef<Attribute> arguments = command.getArguments();
  auto count = arguments.size() == 2 ? dyn_cast<IntegerAttr>(arguments[1]) : IntegerAttr();
  if (!count)
    return refuse() << "it takes a label and a number of iterations: unroll(j, 4)";
  if (count.getInt() < 2 || count.getInt() > 1024)
    return refuse() << "2 to 1024 iterations can follow each other";
  FailureOr<SmallVector<Label>> labels = findLabels(kernel, arguments.front(), refuse);
  if (failed(labels))
    return failure();
  cin::ForallOp loop = labels->front().back(); // of a fused label: the innermost
  if (failed(checkUnmarked(loop, refuse)) || failed(checkUncontracted(loop, refuse)))
    return failure();
  loop.setMarkAttr(
      ta::MarkAttr::get(kernel.getContext(), ta::Unit::serial, ta::Strategy::none, count.getInt()));
  return success();
}

} // namespace strata::schedule
