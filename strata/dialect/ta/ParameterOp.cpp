// The operation for parameters: text, verification.
#include "strata/dialect/ta/ParameterOp.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace strata::ta;

#define GET_OP_CLASSES
#include "strata/dialect/ta/ParameterOp.cpp.inc"

LogicalResult ParameterOp::verify() {
  auto type = dyn_cast<RankedTensorType>(getResult().getType());
  if (!type)
    return success();
  if (type.getRank() != 0 || type.getEncoding() || !type.getElementType().isIntOrFloat())
    return emitOpError("gives a size or a scalar, which is no complex number");
  return success();
}
