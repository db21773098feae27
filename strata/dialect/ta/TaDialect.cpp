// Registers the ta dialect's operations, attributes and types.
#include "strata/dialect/ta/ParameterOp.h"
#include "strata/dialect/ta/Ta.h"
#include "strata/dialect/ta/ValuesOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace strata::ta;

#include "strata/dialect/ta/TaDialect.cpp.inc"
#include "strata/dialect/ta/TaEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "strata/dialect/ta/TaAttributes.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "strata/dialect/ta/TaTypes.cpp.inc"

// For sizes that fold.
Operation *TaDialect::materializeConstant(OpBuilder &b, Attribute value, Type type, Location loc) {
  return arith::ConstantOp::materialize(b, value, type, loc);
}

void TaDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "strata/dialect/ta/TaAttributes.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "strata/dialect/ta/TaTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "strata/dialect/ta/TaOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "strata/dialect/ta/ParameterOp.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "strata/dialect/ta/ValuesOps.cpp.inc"
      >();
}
