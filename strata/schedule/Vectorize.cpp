// vectorize(k, 8): the values of a label are taken by vectors of so many; without a number, of as
// many as suit the processor.
//
// What LLVM makes of the loop keeps to it where it can; sums are then added in another order.
#include "strata/schedule/Loops.h"

using namespace mlir;

namespace strata::schedule {

LogicalResult vectorize(func::FuncOp kernel, ta::CommandAttr command, Refuse refuse) {
  ArrayRef<Attribute> arguments = command.getArguments();
  auto width = arguments.size() == 2 ? dyn_cast<IntegerAttr>(arguments[1]) : IntegerAttr();
  if (arguments.empty() || arguments.size() > 2 || (arguments.size() == 2 && !width))
    return refuse() << "it takes a label, and how many values a vector has: vectorize(k, 8)";
  int64_t values = width ? width.getInt() : 0;
  if (width && (values < 2 || values > 64 || !llvm::isPowerOf2_64(uint64_t(values))))
    return refuse() << "a vector has 2, 4, 8, ... or 64 values";
  return vectorize(kernel, arguments.front(), values, refuse);
}

LogicalResult vectorize(func::FuncOp kernel, Attribute label, int64_t width, Refuse refuse) {
  FailureOr<SmallVector<cin::ForallOp>> named = findLoops(kernel, label, refuse);
  if (failed(named))
    return failure();
  cin::ForallOp loop = named->front();
  bool inner = false;
  loop.walk([&](cin::ForallOp one) { inner |= one != loop; });
  if (inner)
    return refuse() << "there are loops inside the one over '" << loop.getName()
                    << "', and only the innermost ones become vectors";
  loop.setVectorize(width);
  return success();
}

} // namespace strata::schedule
