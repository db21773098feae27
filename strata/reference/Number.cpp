// Element types and numbers: from MLIR's types and attributes, comparison, text.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/reference/Number.h"

#include "strata/runtime/storage/HalfFloat.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/MathExtras.h"

#include <bit>
#include <cmath>
#include <cstdio>

namespace strata::reference {

using Family = ElementType::Family;

std::optional<ElementType> elementType(mlir::Type type) {
  if (auto integer = mlir::dyn_cast<mlir::IntegerType>(type))
    if (integer.getWidth() >= 1 && integer.getWidth() <= 64)
      return ElementType{Family::integer, integer.getWidth(),
                         integer.isUnsigned() || integer.getWidth() == 1};
  if (type.isF16() || type.isBF16())
    return ElementType{Family::real, 16, false, type.isBF16()};
  if (type.isF32() || type.isF64())
    return ElementType{Family::real, type.getIntOrFloatBitWidth()};
  if (auto complex = mlir::dyn_cast<mlir::ComplexType>(type))
    if (complex.getElementType().isF32() || complex.getElementType().isF64())
      return ElementType{Family::complex, complex.getElementType().getIntOrFloatBitWidth()};
  return std::nullopt;
}

std::optional<strata_type> storedType(ElementType type) {
  for (int one = STRATA_I8; one <= STRATA_C64; ++one)
    if (elementType(static_cast<strata_type>(one)) == type)
      return static_cast<strata_type>(one);
  return std::nullopt;
}

ElementType elementType(strata_type type) {
  switch (type) {
  case STRATA_I8:
    return {Family::integer, 8};
  case STRATA_I16:
    return {Family::integer, 16};
  case STRATA_I32:
    return {Family::integer, 32};
  case STRATA_I64:
    return {Family::integer, 64};
  case STRATA_F32:
    return {Family::real, 32};
  case STRATA_F64:
    return {Family::real, 64};
  case STRATA_C128:
    return {Family::complex, 64};
  case STRATA_BOOL:
    return {Family::integer, 1, true};
  case STRATA_U8:
    return {Family::integer, 8, true};
  case STRATA_U16:
    return {Family::integer, 16, true};
  case STRATA_U32:
    return {Family::integer, 32, true};
  case STRATA_U64:
    return {Family::integer, 64, true};
  case STRATA_F16:
    return {Family::real, 16};
  case STRATA_BF16:
    return {Family::real, 16, false, true};
  case STRATA_C64:
    return {Family::complex, 32};
  }
  return {};
}

double roundoff(ElementType type) {
  if (type.isInteger())
    return 0;
  if (type.width == 16)
    return type.brain ? 0x1p-8 : 0x1p-11;
  return type.width == 32 ? 0x1p-24 : 0x1p-53;
}

std::optional<Number> numberOf(mlir::Attribute attribute) {
  if (auto integer = mlir::dyn_cast_or_null<mlir::IntegerAttr>(attribute)) {
    auto type = elementType(integer.getType());
    if (!type)
      return std::nullopt;
    return readAs(*type, {0, integer.getValue().getSExtValue()});
  }
  auto narrow = [](llvm::APFloat value) {
    bool inexact;
    value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &inexact);
    return value.convertToDouble();
  };
  if (auto real = mlir::dyn_cast_or_null<mlir::FloatAttr>(attribute)) {
    if (!elementType(real.getType()))
      return std::nullopt;
    return Number{narrow(real.getValue())};
  }
  if (auto complex = mlir::dyn_cast_or_null<mlir::complex::NumberAttr>(attribute))
    return Number{{narrow(complex.getReal()), narrow(complex.getImag())}};
  return std::nullopt;
}

Number numberOf(ElementType type, double value) {
  if (type.isInteger())
    return {0, static_cast<int64_t>(value)};
  return {value};
}

Number readAs(ElementType type, Number number) {
  if (!type.isInteger() || type.width == 64)
    return number;
  auto bits = static_cast<uint64_t>(number.integer);
  number.integer = type.isUnsigned
                       ? static_cast<int64_t>(bits & llvm::maskTrailingOnes<uint64_t>(type.width))
                       : llvm::SignExtend64(bits, type.width);
  return number;
}

static uint64_t bitsOf(ElementType type, const Number &number) {
  const double value = number.value.real();
  if (type.isInteger())
    return static_cast<uint64_t>(number.integer);
  if (type.width == 64)
    return std::bit_cast<uint64_t>(value);
  if (type.width == 32)
    return std::bit_cast<uint32_t>(static_cast<float>(value));
  return type.brain ? std::bit_cast<uint16_t>(runtime::BFloat16(value))
                    : std::bit_cast<uint16_t>(runtime::Float16(value));
}

Number withBitsOf(ElementType from, const Number &number, ElementType to) {
  const uint64_t bits = bitsOf(from, number);
  if (to.isInteger())
    return readAs(to, {0, static_cast<int64_t>(bits)});
  if (to.width == 64)
    return {std::bit_cast<double>(bits)};
  if (to.width == 32)
    return {std::bit_cast<float>(static_cast<uint32_t>(bits))};
  const auto half = static_cast<uint16_t>(bits);
  return {to.brain ? static_cast<float>(std::bit_cast<runtime::BFloat16>(half))
                   : static_cast<float>(std::bit_cast<runtime::Float16>(half))};
}

static double rounded(ElementType type, double value) {
  if (type.width == 16)
    return type.brain ? static_cast<float>(runtime::BFloat16(value))
                      : static_cast<float>(runtime::Float16(value));
  return type.width == 32 ? static_cast<double>(static_cast<float>(value)) : value;
}

Number rounded(ElementType type, std::complex<double> value) {
  return {{rounded(type, value.real()), rounded(type, value.imag())}};
}

static bool equalParts(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

bool equal(ElementType type, const Number &a, const Number &b) {
  if (type.isInteger())
    return a.integer == b.integer;
  return equalParts(a.value.real(), b.value.real()) && equalParts(a.value.imag(), b.value.imag());
}

bool isFinite(ElementType type, const Number &number) {
  return type.isInteger() ||
         (std::isfinite(number.value.real()) && std::isfinite(number.value.imag()));
}

std::string text(ElementType type, const Number &number) {
  if (type.isInteger())
    return type.isUnsigned ? std::to_string(static_cast<uint64_t>(number.integer))
                           : std::to_string(number.integer);
  int digits = type.width == 16 ? 5 : type.width == 32 ? 9 : 17;
  char buffer[80];
  if (type.family == Family::real)
    std::snprintf(buffer, sizeof buffer, "%.*g", digits, number.value.real());
  else
    std::snprintf(buffer, sizeof buffer, "(%.*g, %.*g)", digits, number.value.real(), digits,
                  number.value.imag());
  return buffer;
}

} // namespace strata::reference
