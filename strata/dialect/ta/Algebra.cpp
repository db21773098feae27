// Identities, annihilators, and folding by them.
#include "strata/dialect/ta/Algebra.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;

namespace strata::ta {

static TypedAttr number(Type type, double value) {
  Builder builder(type.getContext());
  if (auto complex = dyn_cast<ComplexType>(type))
    return cast<TypedAttr>(Attribute(complex::NumberAttr::get(complex, value, 0.0)));
  if (isa<FloatType>(type))
    return builder.getFloatAttr(type, value);
  return builder.getIntegerAttr(type, static_cast<int64_t>(value));
}

TypedAttr identityOf(Combine combine, Type type) {
  Builder builder(type.getContext());
  switch (combine) {
  case Combine::add:
    return number(type, 0);
  case Combine::mul:
    return number(type, 1);
  case Combine::min:
  case Combine::max: {
    bool least = combine == Combine::max;
    if (auto real = dyn_cast<FloatType>(type))
      return builder.getFloatAttr(type, APFloat::getInf(real.getFloatSemantics(), least));
    unsigned width = type.getIntOrFloatBitWidth();
    return builder.getIntegerAttr(type, least ? APInt::getSignedMinValue(width)
                                              : APInt::getSignedMaxValue(width));
  }
  }
  llvm_unreachable("all operators are handled above");
}

Value emitCombine(OpBuilder &b, Location loc, Combine combine, Value x, Value y) {
  bool isComplex = isa<ComplexType>(x.getType()), isFloat = isa<FloatType>(x.getType());
  // The order of a sum is not fixed; NaN and infinity keep their meaning.
  auto flags = arith::FastMathFlagsAttr::get(b.getContext(), arith::FastMathFlags::reassoc);
  switch (combine) {
  case Combine::add:
    if (isComplex)
      return complex::AddOp::create(b, loc, x, y);
    if (isFloat)
      return arith::AddFOp::create(b, loc, x, y, flags);
    return arith::AddIOp::create(b, loc, x, y);
  case Combine::mul:
    if (isComplex)
      return complex::MulOp::create(b, loc, x, y);
    if (isFloat)
      return arith::MulFOp::create(b, loc, x, y, flags);
    return arith::MulIOp::create(b, loc, x, y);
  case Combine::min:
    if (isFloat)
      return arith::MinimumFOp::create(b, loc, x, y);
    return arith::MinSIOp::create(b, loc, x, y);
  case Combine::max:
    if (isFloat)
      return arith::MaximumFOp::create(b, loc, x, y);
    return arith::MaxSIOp::create(b, loc, x, y);
  }
  llvm_unreachable("all operators are handled above");
}

Value emitConstant(OpBuilder &b, Location loc, TypedAttr value) {
  if (auto number = dyn_cast<complex::NumberAttr>(Attribute(value))) {
    auto type = cast<ComplexType>(number.getType());
    ArrayAttr parts = b.getArrayAttr({b.getFloatAttr(type.getElementType(), number.getReal()),
                                      b.getFloatAttr(type.getElementType(), number.getImag())});
    return complex::ConstantOp::create(b, loc, type, parts);
  }
  return arith::ConstantOp::create(b, loc, value);
}

static bool isNumber(TypedAttr attr, double value) {
  return attr && attr == number(attr.getType(), value);
}

// Zero of either sign, so that -0.0 annihilates as well.
static bool isZero(TypedAttr attr) { return isNumber(attr, 0) || isNumber(attr, -0.0); }

static TypedAttr constantOf(OpFoldResult folded) {
  return dyn_cast_if_present<TypedAttr>(dyn_cast_if_present<Attribute>(folded));
}

static bool isInfinite(TypedAttr attr) {
  auto real = dyn_cast_if_present<FloatAttr>(Attribute(attr));
  return real && real.getValue().isInfinity();
}

// Minimum and maximum: one operator's annihilator is the other's identity.
static TypedAttr foldExtreme(Operation *op, ArrayRef<TypedAttr> operands, Combine combine,
                             Value &same) {
  Combine opposite = combine == Combine::min ? Combine::max : Combine::min;
  Type type = op->getResult(0).getType();
  for (unsigned at : {0u, 1u}) {
    if (operands[at] == identityOf(opposite, type))
      return operands[at];
    if (operands[at] == identityOf(combine, type))
      same = op->getOperand(1 - at);
  }
  return {};
}

TypedAttr foldElement(Operation *op, ArrayRef<TypedAttr> operands, Value &same) {
  Type type = op->getNumResults() == 1 ? op->getResult(0).getType() : Type();
  if (isa<arith::MinimumFOp, arith::MinSIOp, arith::MaximumFOp, arith::MaxSIOp>(op)) {
    bool least = isa<arith::MinimumFOp, arith::MinSIOp>(op);
    if (TypedAttr value = foldExtreme(op, operands, least ? Combine::min : Combine::max, same))
      return value;
  }
  // An absent infinity swallows what is added: what min-plus algebra calls zero.
  if (isa<arith::AddFOp, arith::SubFOp>(op) && isInfinite(operands[0]) && !operands[1])
    return operands[0];
  if (isa<arith::AddFOp>(op) && isInfinite(operands[1]) && !operands[0])
    return operands[1];
  if (isa<arith::MulFOp, arith::MulIOp, complex::MulOp>(op)) {
    if (isZero(operands[0]) || isZero(operands[1]))
      return number(type, 0);
    for (unsigned at : {0u, 1u})
      if (isNumber(operands[at], 1)) {
        same = op->getOperand(1 - at);
        return operands[1 - at];
      }
  }
  if (isa<arith::AddFOp, arith::AddIOp, complex::AddOp>(op))
    for (unsigned at : {0u, 1u})
      if (isZero(operands[at])) {
        same = op->getOperand(1 - at);
        return operands[1 - at];
      }
  if (isa<arith::SubFOp, arith::SubIOp, complex::SubOp>(op) && isZero(operands[1])) {
    same = op->getOperand(0);
    return operands[0];
  }
  if (isa<arith::DivFOp, arith::DivSIOp, complex::DivOp>(op) && isZero(operands[0]))
    return number(type, 0);
  if (isa<arith::NegFOp, complex::NegOp>(op) && isZero(operands[0]))
    return number(type, 0);
  if (llvm::is_contained(operands, TypedAttr()))
    return {};
  // All operands known: the operation's own folder.
  SmallVector<Attribute> attributes(operands.begin(), operands.end());
  SmallVector<OpFoldResult> results;
  Operation *clone = op->clone();
  LogicalResult folded = clone->fold(attributes, results);
  TypedAttr value;
  if (succeeded(folded) && results.size() == 1)
    value = constantOf(results[0]);
  clone->destroy();
  return value;
}

} // namespace strata::ta
