// Fills as numbers.
#include "strata/tensor/Fill.h"

#include "strata/dialect/ta/FillValue.h"
#include "strata/tensor/ElementTypes.h"
#include "strata/tensor/FillBytes.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace mlir;

namespace strata {

std::complex<double> numberOf(Type element, TypedAttr constant) {
  if (auto number = dyn_cast<complex::NumberAttr>(Attribute(constant)))
    return {number.getReal().convertToDouble(), number.getImag().convertToDouble()};
  if (auto real = dyn_cast<FloatAttr>(Attribute(constant)))
    return real.getValueAsDouble();
  APInt bits = cast<IntegerAttr>(Attribute(constant)).getValue();
  const bool isNatural = element.isUnsignedInteger() || bits.getBitWidth() == 1;
  return isNatural ? double(bits.getZExtValue()) : double(bits.getSExtValue());
}

std::optional<TypedAttr> constantOf(Type element, std::complex<double> number) {
  Type type = ta::valueTypeOf(element);
  if (auto complex = dyn_cast<ComplexType>(type))
    return ta::fillConstant(cast<TypedAttr>(
        Attribute(complex::NumberAttr::get(complex, number.real(), number.imag()))));
  if (number.imag() != 0)
    return std::nullopt;
  if (auto real = dyn_cast<FloatType>(type))
    return ta::fillConstant(FloatAttr::get(real, number.real()));
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

bool hasFill(RankedTensorType type) {
  ta::FormatAttr format = ta::formatOf(type);
  return format.getFill() && !format.isFull();
}

std::vector<char> elementBytes(Type element, TypedAttr value) {
  std::vector<char> bytes(strata_type_bytes(*runtimeType(element)), 0);
  auto put = [&](const llvm::APInt &bits, size_t from, size_t count) {
    uint64_t word = bits.getZExtValue();
    std::memcpy(bytes.data() + from, &word, count);
  };
  if (auto number = dyn_cast<complex::NumberAttr>(Attribute(value))) {
    size_t half = bytes.size() / 2;
    put(number.getReal().bitcastToAPInt(), 0, half);
    put(number.getImag().bitcastToAPInt(), half, half);
  } else if (auto real = dyn_cast<FloatAttr>(Attribute(value))) {
    put(real.getValue().bitcastToAPInt(), 0, bytes.size());
  } else {
    put(cast<IntegerAttr>(Attribute(value)).getValue(), 0, bytes.size());
  }
  return bytes;
}

std::vector<char> fillBytes(RankedTensorType type) {
  return elementBytes(type.getElementType(), ta::fillOf(type));
}

} // namespace strata
