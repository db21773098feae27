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

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace strata::schedule {
namespace {

// Requires of a loop's label that it has `least` to `most` values.
LogicalResult require(func::FuncOp kernel, cin::ForallOp loop, int64_t least, int64_t most,
                      Refuse refuse) {
  Value extent = loop.getExtent();
  APInt known;
  if (matchPattern(extent, m_ConstantInt(&known))) {
    if (known.getSExtValue() < least || known.getSExtValue() > most)
      return refuse() << "'" << loop.getName() << "' has " << known.getSExtValue() << " values";
    return success();
  }
  OpBuilder b = OpBuilder::atBlockBegin(&kernel.getBody().front());
  cin::RequireOp::create(b, loop.getLoc(), extent, loop.getNameAttr(), b.getI64IntegerAttr(least),
                         b.getI64IntegerAttr(most));
  if (least == most)
    loop.getExtentMutable().assign(arith::ConstantIndexOp::create(b, loop.getLoc(), most));
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
  ArrayRef<Attribute> arguments = command.getArguments();
  auto number = arguments.size() == 2 ? dyn_cast<IntegerAttr>(arguments[1]) : IntegerAttr();
  if (!number)
    return refuse() << "it takes a label and how many values it has: assume(k, 32)";
  FailureOr<cin::ForallOp> loop = findWholeLoop(kernel, arguments.front(), refuse);
  if (failed(loop))
    return failure();
  return require(kernel, *loop, number.getInt(), number.getInt(), refuse);
}

LogicalResult bound(func::FuncOp kernel, ta::CommandAttr command, Refuse refuse) {
  ArrayRef<Attribute> arguments = command.getArguments();
  auto number = arguments.size() == 4 ? dyn_cast<IntegerAttr>(arguments[2]) : IntegerAttr();
  auto fresh = number ? dyn_cast<StringAttr>(arguments[1]) : StringAttr();
  auto kind = number ? dyn_cast<StringAttr>(arguments[3]) : StringAttr();
  bool least = kind && (kind == "MinExact" || kind == "MinConstraint");
  if (!fresh || !kind || (!least && kind != "MaxExact" && kind != "MaxConstraint"))
    return refuse() << "it takes a label, a new label, a number, and MinExact, MinConstraint, "
                       "MaxExact or MaxConstraint: bound(k, kb, 32, MaxExact)";
  FailureOr<cin::ForallOp> loop = findWholeLoop(kernel, arguments.front(), refuse);
  if (failed(loop) || failed(checkNew(kernel, fresh, refuse)))
    return failure();
  if (least && number.getInt() > 0)
    return refuse() << "the values of a label begin at 0";
  int64_t most = number.getInt();
  if (!least && failed(require(kernel, *loop, kind == "MaxExact" ? most : 0, most, refuse)))
    return failure();
  loop->setName(fresh.getValue());
  return success();
}

} // namespace strata::schedule
