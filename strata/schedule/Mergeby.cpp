// mergeby(j, TwoFinger|Gallop): how a loop brings together operands of which only what all of them
// store matters.
//
// TwoFinger: step by step, each in its order. Gallop: each is searched, by steps of double length,
// for the next coordinate of the others. Without the command the kernel gallops in those operands
// that have far more left than the shortest.
#include "strata/schedule/Loops.h"

using namespace mlir;

namespace strata::schedule {

LogicalResult mergeby(func::FuncOp kernel, ta::CommandAttr command, Refuse refuse) {
  ArrayRef<Attribute> arguments = command.getArguments();
  auto how = arguments.size() == 2 ? dyn_cast<StringAttr>(arguments[1]) : StringAttr();
  if (!how || (how != "TwoFinger" && how != "Gallop"))
    return refuse() << "it takes a label, and TwoFinger or Gallop";
  FailureOr<SmallVector<cin::ForallOp>> loops = findLoops(kernel, arguments.take_front(1), refuse);
  if (failed(loops))
    return failure();
  loops->front().setGallop(how == "Gallop");
  return success();
}

} // namespace strata::schedule
