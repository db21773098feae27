// Fills as constants, as text, and compared with elements.
#include "strata/dialect/ta/FillValue.h"

#include "strata/dialect/ta/Algebra.h"
#include "strata/dialect/ta/Notation.h"

#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;

namespace strata::ta {

static double partOfFill(const APFloat &part) {
  return part.isNaN() ? std::numeric_limits<double>::quiet_NaN() : part.convertToDouble() + 0.0;
}

TypedAttr fillConstant(TypedAttr value) {
  if (auto number = dyn_cast<complex::NumberAttr>(Attribute(value)))
    return cast<TypedAttr>(Attribute(complex::NumberAttr::get(cast<ComplexType>(number.getType()),
                                                              partOfFill(number.getReal()),
                                                              partOfFill(number.getImag()))));
  auto real = dyn_cast<FloatAttr>(Attribute(value));
  if (!real)
    return value;
  const llvm::fltSemantics &semantics = real.getValue().getSemantics();
  if (real.getValue().isNaN())
    return FloatAttr::get(real.getType(), APFloat::getQNaN(semantics));
  return real.getValue().isZero() ? FloatAttr::get(real.getType(), APFloat::getZero(semantics))
                                  : real;
}

bool isNaN(TypedAttr value) {
  auto real = dyn_cast_if_present<FloatAttr>(Attribute(value));
  return real && real.getValue().isNaN();
}

// Without the parentheses that a complex number has in a statement.
std::string fillText(Attribute fill) {
  const std::string text = constantText(fill);
  StringRef inner = text;
  return inner.consume_front("(") && inner.consume_back(")") ? inner.str() : text;
}

using Comparison = llvm::function_ref<Value(Relation, Value, Value)>;

static Value emitDiffers(OpBuilder &b, Location loc, Value element, TypedAttr fill,
                         Comparison compare) {
  auto number = dyn_cast<complex::NumberAttr>(Attribute(fill));
  if (number && (number.getReal().isNaN() || number.getImag().isNaN())) {
    auto part = cast<FloatType>(cast<ComplexType>(element.getType()).getElementType());
    Value real = complex::ReOp::create(b, loc, part, element);
    Value imaginary = complex::ImOp::create(b, loc, part, element);
    return arith::OrIOp::create(
        b, loc, emitDiffers(b, loc, real, FloatAttr::get(part, number.getReal()), compare),
        emitDiffers(b, loc, imaginary, FloatAttr::get(part, number.getImag()), compare));
  }
  if (isNaN(fill))
    return compare(Relation::eq, element, element);
  return compare(Relation::ne, element, emitConstant(b, loc, fill));
}

Value emitDiffersFromFill(OpBuilder &b, Location loc, Value element, TypedAttr fill) {
  return emitDiffers(b, loc, element, fill, [&](Relation relation, Value x, Value y) {
    return emitCompare(b, loc, relation, x, y);
  });
}

Value emitComparedWithFill(OpBuilder &b, Location loc, Value element, TypedAttr fill) {
  return emitDiffers(b, loc, element, fill, [&](Relation relation, Value x, Value y) -> Value {
    return CompareOp::create(b, loc, relation, x, y);
  });
}

} // namespace strata::ta
