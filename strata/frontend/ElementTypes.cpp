// The table of element types, and promotion.
#include "strata/frontend/ElementTypes.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace strata::frontend {

namespace {
struct TypeInfo {
  ElementType type;
  llvm::StringRef name;
  NumberKind kind;
  unsigned bits;
};
} // namespace

// In the order of the enumeration.
static constexpr TypeInfo elementTypeTable[] = {
    {ElementType::Bool, "bool", NumberKind::Boolean, 1},
    {ElementType::UInt8, "uint8", NumberKind::Natural, 8},
    {ElementType::UInt16, "uint16", NumberKind::Natural, 16},
    {ElementType::UInt32, "uint32", NumberKind::Natural, 32},
    {ElementType::UInt64, "uint64", NumberKind::Natural, 64},
    {ElementType::Int8, "int8", NumberKind::Integer, 8},
    {ElementType::Int16, "int16", NumberKind::Integer, 16},
    {ElementType::Int32, "int", NumberKind::Integer, 32},
    {ElementType::Int64, "int64", NumberKind::Integer, 64},
    {ElementType::Float16, "float16", NumberKind::Real, 16},
    {ElementType::BFloat16, "bfloat16", NumberKind::Real, 16},
    {ElementType::Float, "float", NumberKind::Real, 32},
    {ElementType::Double, "double", NumberKind::Real, 64},
    {ElementType::ComplexFloat, "complex64", NumberKind::Complex, 32},
    {ElementType::ComplexDouble, "complex", NumberKind::Complex, 64},
};

static const TypeInfo &infoOf(ElementType type) {
  return elementTypeTable[static_cast<size_t>(type)];
}

NumberKind kindOf(ElementType type) { return infoOf(type).kind; }
unsigned bitsOf(ElementType type) { return infoOf(type).bits; }
llvm::StringRef elementTypeName(ElementType type) { return infoOf(type).name; }

std::optional<ElementType> findElementType(llvm::StringRef name) {
  for (const TypeInfo &info : elementTypeTable)
    if (info.name == name)
      return info.type;
  return llvm::StringSwitch<std::optional<ElementType>>(name)
      .Case("int8_t", ElementType::Int8)
      .Case("int16_t", ElementType::Int16)
      .Cases({"int32", "int32_t"}, ElementType::Int32)
      .Case("int64_t", ElementType::Int64)
      .Case("uint8_t", ElementType::UInt8)
      .Case("uint16_t", ElementType::UInt16)
      .Case("uint32_t", ElementType::UInt32)
      .Case("uint64_t", ElementType::UInt64)
      .Case("half", ElementType::Float16)
      // C's words, as TACO has them
      .Case("char", ElementType::Int8)
      .Case("short", ElementType::Int16)
      .Cases({"long", "longlong"}, ElementType::Int64)
      .Case("uchar", ElementType::UInt8)
      .Case("ushort", ElementType::UInt16)
      .Case("uint", ElementType::UInt32)
      .Cases({"ulong", "ulonglong"}, ElementType::UInt64)
      .Case("complexfloat", ElementType::ComplexFloat)
      .Case("complexdouble", ElementType::ComplexDouble)
      .Case("float32", ElementType::Float)
      .Case("float64", ElementType::Double)
      .Case("complex128", ElementType::ComplexDouble)
      .Default(std::nullopt);
}

llvm::ArrayRef<llvm::StringRef> elementTypeNames() {
  static constexpr llvm::StringRef names[] = {
      "double", "float",  "int",    "int8",    "int16",    "int32",     "int64",   "uint8",
      "uint16", "uint32", "uint64", "float16", "bfloat16", "complex64", "complex", "bool"};
  return names;
}

static ElementType signedOf(unsigned bits) {
  return bits == 8    ? ElementType::Int8
         : bits == 16 ? ElementType::Int16
         : bits == 32 ? ElementType::Int32
                      : ElementType::Int64;
}

// A real type that holds the integers of 8 or 16 bits beside its own numbers.
static ElementType realWith(ElementType integer, ElementType real) {
  if (bitsOf(integer) > 16)
    return ElementType::Double;
  return bitsOf(integer) == 16 && isHalf(real) ? ElementType::Float : real;
}

ElementType promote(ElementType a, ElementType b) {
  if (kindOf(a) > kindOf(b))
    std::swap(a, b);
  if (a == b || kindOf(a) == NumberKind::Boolean)
    return b;
  switch (kindOf(b)) {
  case NumberKind::Boolean:
    break;
  case NumberKind::Natural:
    return bitsOf(a) > bitsOf(b) ? a : b;
  case NumberKind::Integer:
    if (kindOf(a) == NumberKind::Integer || bitsOf(b) > bitsOf(a))
      return bitsOf(a) > bitsOf(b) ? a : b;
    return bitsOf(a) == 64 ? ElementType::Double : signedOf(2 * bitsOf(a));
  case NumberKind::Real:
    if (kindOf(a) != NumberKind::Real)
      return realWith(a, b);
    if (isHalf(a) && isHalf(b))
      return ElementType::Float;
    return bitsOf(a) > bitsOf(b) ? a : b;
  case NumberKind::Complex: {
    ElementType real = isComplex(b) && bitsOf(b) == 32 ? ElementType::Float : ElementType::Double;
    if (isComplex(a))
      return bitsOf(a) > bitsOf(b) ? a : b;
    return promote(a, real) == ElementType::Float ? ElementType::ComplexFloat
                                                  : ElementType::ComplexDouble;
  }
  }
  return b; // a boolean, and so is the lesser of the two
}

bool holds(ElementType type, int64_t value) {
  switch (kindOf(type)) {
  case NumberKind::Boolean:
  case NumberKind::Natural:
    return value >= 0 && llvm::isUIntN(bitsOf(type), static_cast<uint64_t>(value));
  case NumberKind::Integer:
    return llvm::isIntN(bitsOf(type), value);
  case NumberKind::Real:
  case NumberKind::Complex:
    break;
  }
  return true;
}

ElementType narrowestFor(int64_t value) {
  for (unsigned bits : {8, 16, 32})
    if (llvm::isIntN(bits, value))
      return signedOf(bits);
  return ElementType::Int64;
}

} // namespace strata::frontend
