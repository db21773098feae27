// Conversions between element types, kind by kind.
#include "strata/frontend/ElementConversion.h"

#include "strata/dialect/ta/Algebra.h"
#include "strata/frontend/TaFormats.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;

namespace strata::frontend {

Type emitValueType(MLIRContext *context, ElementType type) {
  return ta::valueTypeOf(emitElementType(context, type));
}

TypedAttr elementConstant(MLIRContext *context, ElementType type, double value,
                          std::optional<int64_t> integer, double imaginary) {
  Type valueType = emitValueType(context, type);
  if (auto complex = dyn_cast<ComplexType>(valueType))
    return cast<TypedAttr>(Attribute(complex::NumberAttr::get(complex, value, imaginary)));
  if (isa<FloatType>(valueType))
    return FloatAttr::get(valueType, value);
  if (type == ElementType::Bool)
    return IntegerAttr::get(valueType, value != 0);
  APInt bits(64, uint64_t(integer.value_or(int64_t(value))));
  return IntegerAttr::get(valueType, bits.trunc(bitsOf(type)));
}

namespace {

class Conversion {
public:
  Conversion(OpBuilder &b, Location loc) : b(b), loc(loc) {}

  Value convert(Value value, ElementType from, ElementType to) {
    if (from == to)
      return value;
    if (to == ElementType::Bool) {
      Value zero = ta::emitConstant(b, loc, elementConstant(b.getContext(), from, 0, 0));
      return ta::CompareOp::create(b, loc, ta::Relation::ne, value, zero);
    }
    if (isComplex(from))
      return fromComplex(value, from, to);
    if (isComplex(to)) {
      Value real = convert(value, from, partOf(to));
      Value zero = ta::emitConstant(b, loc, elementConstant(b.getContext(), partOf(to), 0, 0));
      return complex::CreateOp::create(b, loc, typeOf(to), real, zero);
    }
    if (kindOf(from) == NumberKind::Real)
      return kindOf(to) == NumberKind::Real ? realToReal(value, from, to)
                                            : realToInteger(value, from, to);
    return kindOf(to) == NumberKind::Real ? integerToReal(value, from, to)
                                          : integerToInteger(value, from, to);
  }

private:
  Type typeOf(ElementType type) { return emitValueType(b.getContext(), type); }

  static bool hasSign(ElementType integer) { return kindOf(integer) == NumberKind::Integer; }

  Value fromComplex(Value value, ElementType from, ElementType to) {
    Value real = complex::ReOp::create(b, loc, value);
    if (!isComplex(to))
      return convert(real, partOf(from), to);
    Value imaginary = complex::ImOp::create(b, loc, value);
    return complex::CreateOp::create(b, loc, typeOf(to), convert(real, partOf(from), partOf(to)),
                                     convert(imaginary, partOf(from), partOf(to)));
  }

  // Bits of 16 and 32 meet in float: no processor goes from double to bfloat16 in one step.
  Value realToReal(Value value, ElementType from, ElementType to) {
    bool viaFloat = (isHalf(from) && isHalf(to)) ||
                    (from == ElementType::Double && to == ElementType::BFloat16);
    if (viaFloat)
      return realToReal(realToReal(value, from, ElementType::Float), ElementType::Float, to);
    if (bitsOf(from) < bitsOf(to))
      return arith::ExtFOp::create(b, loc, typeOf(to), value);
    return arith::TruncFOp::create(b, loc, typeOf(to), value);
  }

  Value realToInteger(Value value, ElementType from, ElementType to) {
    if (isHalf(from))
      value = realToReal(value, from, ElementType::Float);
    return ta::ToIntegerOp::create(b, loc, typeOf(to), value, !hasSign(to));
  }

  Value integerToReal(Value value, ElementType from, ElementType to) {
    if (isHalf(to))
      return realToReal(integerToReal(value, from, ElementType::Float), ElementType::Float, to);
    if (hasSign(from))
      return arith::SIToFPOp::create(b, loc, typeOf(to), value);
    return arith::UIToFPOp::create(b, loc, typeOf(to), value);
  }

  Value integerToInteger(Value value, ElementType from, ElementType to) {
    if (bitsOf(from) == bitsOf(to))
      return value;
    if (bitsOf(from) > bitsOf(to))
      return arith::TruncIOp::create(b, loc, typeOf(to), value);
    if (hasSign(from))
      return arith::ExtSIOp::create(b, loc, typeOf(to), value);
    return arith::ExtUIOp::create(b, loc, typeOf(to), value);
  }

  OpBuilder &b;
  Location loc;
};

} // namespace

Value convertElement(OpBuilder &b, Location loc, Value value, ElementType from, ElementType to) {
  return Conversion(b, loc).convert(value, from, to);
}

} // namespace strata::frontend
