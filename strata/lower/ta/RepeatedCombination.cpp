// Combines a constant many times: once where that is the same, by a product or a power else.
#include "strata/lower/ta/RepeatedCombination.h"

#include "mlir/Dialect/Complex/IR/Complex.h"

#include <cmath>

using namespace mlir;

namespace strata {

static bool isZero(TypedAttr value) {
  if (auto real = dyn_cast<FloatAttr>(Attribute(value)))
    return real.getValue().isZero();
  if (auto integer = dyn_cast<IntegerAttr>(Attribute(value)))
    return integer.getValue().isZero();
  auto number = cast<complex::NumberAttr>(Attribute(value));
  return number.getReal().isZero() && number.getImag().isZero();
}

bool canRepeat(ta::Combine combine, TypedAttr constant) {
  Type type = constant.getType();
  TypedAttr identity = ta::identityOf(combine, type);
  bool neutral =
      Attribute(constant) == Attribute(identity) || (isZero(constant) && isZero(identity));
  switch (combine) {
  case ta::Combine::any:
    return false;
  case ta::Combine::mul: // a power of a complex number is none of the operations of statements
    return !neutral && (isZero(constant) || !isa<ComplexType>(type));
  case ta::Combine::add:
  case ta::Combine::min:
  case ta::Combine::max:
  case ta::Combine::umin:
  case ta::Combine::umax:
  case ta::Combine::lor:
  case ta::Combine::lxor:
    return !neutral;
  case ta::Combine::land:
    return isZero(constant);
  }
  return false;
}

namespace {

class Repetition {
public:
  Repetition(OpBuilder &b, Location loc, TypedAttr constant, Value count,
             llvm::function_ref<Value(Type)> placesOf)
      : b(b), loc(loc), constant(constant), type(constant.getType()), count(count),
        placesOf(placesOf) {}

  // The constant, added so often.
  Value sum() {
    if (auto number = dyn_cast<complex::NumberAttr>(Attribute(constant))) {
      Type part = cast<ComplexType>(type).getElementType();
      return complex::CreateOp::create(b, loc, type, scaled(part, number.getReal()),
                                       scaled(part, number.getImag()));
    }
    if (auto real = dyn_cast<FloatAttr>(Attribute(constant)))
      return scaled(type, real.getValue());
    return arith::MulIOp::create(b, loc, asOwnType(times()), literal(constant));
  }

  Value product() {
    if (isZero(constant))
      return literal(constant);
    if (auto real = dyn_cast<FloatAttr>(Attribute(constant)))
      return realPower(real.getValue());
    return integerPower();
  }

  // Tells whether the constant is there an odd number of times.
  Value odd() {
    Value one = literal(b.getI64IntegerAttr(1));
    Value last = arith::AndIOp::create(b, loc, times(), one);
    return ta::CompareOp::create(b, loc, ta::Relation::ne, last, literal(b.getI64IntegerAttr(0)));
  }

  Value literal(TypedAttr value) { return ta::emitConstant(b, loc, value); }

private:
  // How often the constant comes: modulo 2^64, and rounded.
  Value times() { return arith::SubIOp::create(b, loc, placesOf(b.getI64Type()), count); }
  Value timesRounded() {
    Value counted = arith::SIToFPOp::create(b, loc, b.getF64Type(), count);
    return arith::SubFOp::create(b, loc, placesOf(b.getF64Type()), counted);
  }

  Value narrowed(Value wide, Type to) {
    return to.isF64() ? wide : Value(arith::TruncFOp::create(b, loc, to, wide));
  }

  Value scaled(Type to, APFloat factor) {
    bool lost;
    factor.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lost);
    Value wide = literal(b.getF64FloatAttr(factor.convertToDouble()));
    return narrowed(arith::MulFOp::create(b, loc, wide, timesRounded()), to);
  }

  Value asOwnType(Value wide) {
    return type.isInteger(64) ? wide : Value(arith::TruncIOp::create(b, loc, type, wide));
  }

  // The product of those of the powers by 1, 2, 4, ... that the binary digits of the exponent
  // choose.
  Value chosenPowers(Type in, llvm::function_ref<TypedAttr(unsigned digit)> powerBy) {
    Value exponent = times(), none = literal(b.getI64IntegerAttr(0)), power;
    TypedAttr one = ta::identityOf(ta::Combine::mul, in);
    for (unsigned digit = 0; digit < 63; ++digit) {
      TypedAttr own = powerBy(digit);
      if (own == one)
        break;
      Value bit = arith::AndIOp::create(b, loc, exponent,
                                        literal(b.getI64IntegerAttr(int64_t(1) << digit)));
      Value chosen = ta::CompareOp::create(b, loc, ta::Relation::ne, bit, none);
      Value factor = ta::SelectOp::create(b, loc, chosen, literal(own), literal(one));
      power = power ? ta::emitCombine(b, loc, ta::Combine::mul, power, factor) : factor;
    }
    return power;
  }

  // An odd integer has 1 as its power by 2^62; an even one 0 by what is no less than its bits.
  Value integerPower() {
    const APInt base = cast<IntegerAttr>(Attribute(constant)).getValue();
    APInt square = base;
    Value power = chosenPowers(type, [&](unsigned digit) {
      if (digit > 0)
        square *= square;
      return b.getIntegerAttr(type, square);
    });
    return base[0] ? power : beyond(64, literal(b.getIntegerAttr(type, 0)), power);
  }

  // Beyond 2^62 times nothing is left but 0, infinity, or one of the signs.
  Value realPower(APFloat base) {
    bool lost;
    base.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lost);
    const double value = base.convertToDouble(), size = std::fabs(value);
    Value power = chosenPowers(b.getF64Type(), [&](unsigned digit) {
      return b.getF64FloatAttr(std::pow(value, std::ldexp(1.0, int(digit))));
    });
    const double last = size < 1 ? 0 : size > 1 ? HUGE_VAL : size; // NaN stays
    Value even = literal(b.getF64FloatAttr(last)), uneven = literal(b.getF64FloatAttr(-last));
    Value limit = value < 0 ? Value(ta::SelectOp::create(b, loc, odd(), uneven, even)) : even;
    return narrowed(beyond(std::ldexp(1.0, 62), limit, power), type);
  }

  // The one if the constant comes no less often than that, else the other.
  Value beyond(double least, Value yes, Value no) {
    Value many = ta::CompareOp::create(b, loc, ta::Relation::ge, timesRounded(),
                                       literal(b.getF64FloatAttr(least)));
    return ta::SelectOp::create(b, loc, many, yes, no);
  }

  OpBuilder &b;
  Location loc;
  TypedAttr constant;
  Type type;
  Value count;
  llvm::function_ref<Value(Type)> placesOf;
};

} // namespace

Value combineRepeated(OpBuilder &b, Location loc, ta::Combine combine, Value value,
                      TypedAttr constant, Value count, llvm::function_ref<Value(Type)> placesOf) {
  Repetition repetition(b, loc, constant, count, placesOf);
  switch (combine) {
  case ta::Combine::add:
    return ta::emitUpdate(b, loc, combine, value, repetition.sum());
  case ta::Combine::mul:
    return ta::emitUpdate(b, loc, combine, value, repetition.product());
  case ta::Combine::lxor: {
    Value once = ta::emitUpdate(b, loc, combine, value, repetition.literal(constant));
    return ta::SelectOp::create(b, loc, repetition.odd(), once, value);
  }
  case ta::Combine::min:
  case ta::Combine::max:
  case ta::Combine::umin:
  case ta::Combine::umax:
  case ta::Combine::any:
  case ta::Combine::lor:
  case ta::Combine::land:
    break;
  }
  return ta::emitUpdate(b, loc, combine, value, repetition.literal(constant));
}

} // namespace strata
