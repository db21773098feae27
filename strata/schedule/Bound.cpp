// assume(k, 32) and bound(k, kb, 32, MaxExact): how many values a label has.
//
// before: for k in [0, n) { C[i, k] += A[i, j] * B[j, k] }
// after assume(k, 32): n must be 32; for k in [0, 32) { C[i, k] += A[i, j] * B[j, k] }
//
// The kernel is compiled for that number, and fails where it is called with another. `bound` gives
// the label a new name as well (Senanayake et al., A sparse iteration space transformation
// framework for sparse tensor algebra, OOPSLA 2020): MaxExact says that there are so many values,
// and MaxConstraint that there are no more. Labels begin at 0, so that MinExact and MinConstraint
// can say no more than this.
#include "strata/schedule/Loops.h"

#include "strata/lower/analysis/ScheduledOrder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace strata::schedule {
namespace {

// Requires of a loop's label that it has so many values.
LogicalResult require(func::FuncOp kernel, cin::ForallOp loop, ExtentBounds bounds, Refuse refuse) {
  Value extent = loop.getExtent();
  APInt known;
  if (matchPattern(extent, m_ConstantInt(&known))) {
    if (known.getSExtValue() < bounds.least || known.getSExtValue() > bounds.most)
      return refuse() << "'" << loop.getName() << "' has " << known.getSExtValue() << " values";
    return success();
  }
  OpBuilder b = OpBuilder::atBlockBegin(&kernel.getBody().front());
  cin::RequireOp::create(b, loop.getLoc(), extent, loop.getNameAttr(),
                         b.getI64IntegerAttr(bounds.least), b.getI64IntegerAttr(bounds.most));
  if (bounds.least == bounds.most)
    loop.getExtentMutable().assign(arith::ConstantIndexOp::create(b, loop.getLoc(), bounds.most));
  return success();
}

FailureOr<cin::ForallOp> findWholeLoop(func::FuncOp kernel, Attribute name, Refuse refuse) {
  FailureOr<SmallVector<cin::ForallOp>> loops = findLoops(kernel, name, refuse);
  if (failed(loops) || failed(checkWhole({loops->front()}, refuse)))
    return failure();
  return loops->front();
}

} // namespace

LogicalResult assume(func::FuncOp kernel, ta::CommandAttr command, Refuse refuse) {
  std::optional<ExtentBounds> bounds = boundsSetBy(command);
  if (!bounds)
    return refuse() << "it takes a label and how many values it has: assume(k, 32)";
  FailureOr<cin::ForallOp> loop = findWholeLoop(kernel, command.getArguments().front(), refuse);
  if (failed(loop))
    return failure();
  return require(kernel, *loop, *bounds, refuse);
}

LogicalResult bound(func::FuncOp kernel, ta::CommandAttr command, Refuse refuse) {
  ArrayRef<Attribute> arguments = command.getArguments();
  std::optional<ExtentBounds> bounds = boundsSetBy(command);
  auto fresh = bounds ? dyn_cast<StringAttr>(arguments[1]) : StringAttr();
  if (!fresh)
    return refuse() << "it takes a label, a new label, a number, and MinExact, MinConstraint, "
                       "MaxExact or MaxConstraint: bound(k, kb, 32, MaxExact)";
  FailureOr<cin::ForallOp> loop = findWholeLoop(kernel, arguments.front(), refuse);
  if (failed(loop) || failed(checkNew(kernel, fresh, refuse)))
    return failure();
  bool ofFirst = cast<StringAttr>(arguments[3]).getValue().starts_with("Min");
  if (ofFirst && cast<IntegerAttr>(arguments[2]).getInt() > 0)
    return refuse() << "the values of a label begin at 0";
  if (!ofFirst && failed(require(kernel, *loop, *bounds, refuse)))
    return failure();
  loop->setName(fresh.getValue());
  return success();
}

} // namespace strata::schedule
