// vectorize(k, 8): the values of a label are taken by vectors of so many; without a number, of as
// many as suit the processor.
//
// before: for k { for j { C[i, k] += A[i, j] * B[j, k] } }
// after vectorize(k, 8): for k in 0, 8, ... { for j { for k_v in a vector { C[i, k + k_v] += ... }
// } }
//
// Values of an innermost loop are next to each other as they are. What LLVM makes of the loop keeps
// to it where it can; sums are then added in another order.
#include "strata/schedule/Loops.h"

#include "strata/lower/analysis/LoopNest.h"

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
  FailureOr<SmallVector<Label>> labels = findLabels(kernel, label, refuse);
  if (failed(labels))
    return failure();
  cin::ForallOp loop = labels->front().back(); // of a fused label: the innermost
  if (failed(checkUnmarked(loop, refuse)) || failed(checkUncontracted(loop, refuse)))
    return failure();
  auto mark = ta::MarkAttr::get(kernel.getContext(), ta::Unit::vector, ta::Strategy::none, width);
  SmallVector<cin::ForallOp> chain = chainFrom(loop);
  bool alone = llvm::hasSingleElement(chain.back().getBlock()) &&
               isa<cin::AssignOp>(chain.back().getBlock().front());
  if (chain.size() == 1 && alone) {
    loop.setMarkAttr(mark);
    return success();
  }
  StringRef name = loop.getName();
  if (!alone)
    return refuse() << "inside the loop over '" << name
                    << "' something is computed in a temporary, which each value has of its own";
  if (loop.isOfParts() || loop.getPart() || loop.getGroup() || loop.getAccumulates())
    return refuse() << "there are loops inside the one over '" << name
                    << "', which goes through parts, or entries";
  if (llvm::any_of(chain, [](cin::ForallOp one) { return one.getAccumulates(); }))
    return refuse() << "the loops inside the one over '" << name << "' are walked as one";
  constexpr int64_t bytes = 64; // of the widest vectors that there are
  Type element = cast<cin::AssignOp>(chain.back().getBlock().front()).getYielded().getType();
  int64_t values = width ? width
                   : element.isIntOrFloat()
                       ? std::max<int64_t>(2, 8 * bytes / element.getIntOrFloatBitWidth())
                       : 4;
  std::string whole = name.str(), vector = whole + "_v";
  while (llvm::is_contained(namesOfLoops(kernel), vector))
    vector += "v";
  auto [outer, inner] =
      cutLoop(loop, whole, vector, [&](cin::ForallOp one) { one.setPartSize(values); });
  SmallVector<cin::ForallOp> order{outer};
  llvm::append_range(order, ArrayRef(chain).drop_front());
  order.push_back(inner);
  nestAs(order);
  inner.setMarkAttr(mark);
  return success();
}

} // namespace strata::schedule
