// The operations for values without coordinates: text, verification.
#include "strata/dialect/ta/ValuesOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace strata::ta;

#define GET_OP_CLASSES
#include "strata/dialect/ta/ValuesOps.cpp.inc"

// How many storages a tensor has.
static size_t storagesOf(RankedTensorType type) {
  SumAttr sum = sumOf(type);
  return sum ? sum.getParts().size() : 1;
}

static LogicalResult verifyVector(Operation *op, Value values, RankedTensorType tensor) {
  auto type = cast<RankedTensorType>(values.getType());
  if (type.getRank() != 1 || !type.isDynamicDim(0) || type.getEncoding())
    return op->emitOpError("has values in a tensor that is no dense vector of dynamic size");
  if (type.getElementType() != tensor.getElementType())
    return op->emitOpError("has values of another type than the tensor's elements");
  if (placementOf(tensor))
    return op->emitOpError("takes a tensor in pieces");
  return success();
}

LogicalResult ValuesOp::verify() {
  auto type = cast<RankedTensorType>(getTensor().getType());
  if (getPart() >= storagesOf(type))
    return emitOpError("takes the values of part ") << getPart() << " of " << storagesOf(type);
  return verifyVector(*this, getResult(), type);
}

LogicalResult WithValuesOp::verify() {
  auto type = cast<RankedTensorType>(getTensor().getType());
  auto result = cast<RankedTensorType>(getResult().getType());
  if (result.getEncoding() != type.getEncoding() || result.getRank() != type.getRank() ||
      result.getElementType() != type.getElementType())
    return emitOpError("has a result that is not stored as the tensor is");
  if (getValues().size() != storagesOf(type))
    return emitOpError("needs values for each of ")
           << storagesOf(type) << " storages, and has " << getValues().size();
  for (int64_t number : getMoved())
    if (number < 0 || number >= int64_t(getNumOperands()))
      return emitOpError("takes over operand ") << number << " of " << getNumOperands();
  for (Value values : getValues())
    if (failed(verifyVector(*this, values, type)))
      return failure();
  return success();
}
