// Fills as numbers.
#include "strata/execution/Fill.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace mlir;

namespace strata {

std::complex<double> numberOf(TypedAttr constant) {
  if (auto number = dyn_cast<complex::NumberAttr>(Attribute(constant)))
    return {number.getReal().convertToDouble(), number.getImag().convertToDouble()};
  if (auto real = dyn_cast<FloatAttr>(Attribute(constant)))
    return real.getValueAsDouble();
  APInt bits = cast<IntegerAttr>(Attribute(constant)).getValue();
  return bits.getBitWidth() == 1 ? double(bits.getZExtValue()) : double(bits.getSExtValue());
}

std::optional<TypedAttr> constantOf(Type element, std::complex<double> number) {
  Type type = ta::valueTypeOf(element);
  if (auto complex = dyn_cast<ComplexType>(type))
    return cast<TypedAttr>(
        Attribute(complex::NumberAttr::get(complex, number.real(), number.imag())));
  if (number.imag() != 0)
    return std::nullopt;
  if (auto real = dyn_cast<FloatType>(type))
    return FloatAttr::get(real, number.real());
  auto integer = cast<IntegerType>(type);
  double least = element.isUnsignedInteger() || integer.getWidth() == 1
                     ? 0
                     : -std::ldexp(1, int(integer.getWidth()) - 1);
  double most = std::ldexp(1, int(integer.getWidth()) - (least < 0));
  double whole = std::trunc(number.real());
  if (!(whole == number.real() && least <= whole && whole < most))
    return std::nullopt;
  uint64_t bits = whole < 0 ? uint64_t(int64_t(whole)) : uint64_t(whole);
  return IntegerAttr::get(integer, APInt(integer.getWidth(), bits, /*isSigned=*/least < 0));
}

// NaN has no sign.
std::string numberText(double number) {
  if (std::isnan(number))
    return "nan";
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.10g", number);
  return text;
}

std::string numberText(std::complex<double> number) {
  bool negative = std::signbit(number.imag()) && !std::isnan(number.imag());
  return numberText(number.real()) + (negative ? " - " : " + ") +
         numberText(negative ? -number.imag() : number.imag()) + "i";
}

std::string fillText(std::complex<double> fill) {
  return fill.imag() == 0 ? numberText(fill.real()) : numberText(fill);
}

bool hasFill(RankedTensorType type) {
  ta::FormatAttr format = ta::formatOf(type);
  return format.getFill() && !format.isFull();
}

} // namespace strata
