// Element types and numbers: from MLIR's types and attributes, comparison, text.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/reference/Number.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APFloat.h"

#include <cmath>
#include <cstdio>

namespace strata::reference {

using Family = ElementType::Family;

std::optional<ElementType> elementType(mlir::Type type) {
  if (auto integer = mlir::dyn_cast<mlir::IntegerType>(type))
    if (integer.getWidth() >= 1 && integer.getWidth() <= 64)
      return ElementType{Family::integer, integer.getWidth()};
  if (type.isF32() || type.isF64())
    return ElementType{Family::real, type.getIntOrFloatBitWidth()};
  if (auto complex = mlir::dyn_cast<mlir::ComplexType>(type))
    if (complex.getElementType().isF32() || complex.getElementType().isF64())
      return ElementType{Family::complex, complex.getElementType().getIntOrFloatBitWidth()};
  return std::nullopt;
}

std::optional<strata_type> storedType(ElementType type) {
  bool wide = type.width == 64;
  switch (type.family) {
  case Family::integer:
    if (type.width == 8 || type.width == 16)
      return type.width == 8 ? STRATA_I8 : STRATA_I16;
    if (type.width != 32 && !wide)
      return std::nullopt;
    return wide ? STRATA_I64 : STRATA_I32;
  case Family::real:
    return wide ? STRATA_F64 : STRATA_F32;
  case Family::complex:
    return wide ? std::optional(STRATA_C128) : std::nullopt;
  }
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
  }
  return {};
}

double roundoff(ElementType type) {
  if (type.isInteger())
    return 0;
  return type.width == 32 ? 0x1p-24 : 0x1p-53;
}

std::optional<Number> numberOf(mlir::Attribute attribute) {
  if (auto integer = mlir::dyn_cast_or_null<mlir::IntegerAttr>(attribute)) {
    if (!elementType(integer.getType()))
      return std::nullopt;
    return Number{0, integer.getValue().getSExtValue()};
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
    return std::to_string(number.integer);
  int digits = type.width == 32 ? 9 : 17;
  char buffer[80];
  if (type.family == Family::real)
    std::snprintf(buffer, sizeof buffer, "%.*g", digits, number.value.real());
  else
    std::snprintf(buffer, sizeof buffer, "(%.*g, %.*g)", digits, number.value.real(), digits,
                  number.value.imag());
  return buffer;
}

} // namespace strata::reference
