// The language's element types: their names, and the type of an expression of several.
#ifndef STRATA_FRONTEND_ELEMENTTYPES_H
#define STRATA_FRONTEND_ELEMENTTYPES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace strata::frontend {

enum class ElementType {
  Bool,
  UInt8,
  UInt16,
  UInt32,
  UInt64,
  Int8,
  Int16,
  Int32,
  Int64,
  Float16,
  BFloat16,
  Float,
  Double,
  ComplexFloat,
  ComplexDouble
};

/// The kinds of numbers, each of which holds those before it but for their size.
enum class NumberKind { Boolean, Natural, Integer, Real, Complex };

NumberKind kindOf(ElementType type);
/// Of an integer, a real number, or a real part; 1 of a boolean.
unsigned bitsOf(ElementType type);

inline bool isInteger(ElementType type) {
  return kindOf(type) == NumberKind::Natural || kindOf(type) == NumberKind::Integer;
}
inline bool isComplex(ElementType type) { return kindOf(type) == NumberKind::Complex; }
/// The type of the parts of a complex number.
inline ElementType partOf(ElementType complex) {
  return complex == ElementType::ComplexFloat ? ElementType::Float : ElementType::Double;
}
/// A real type of 16 bits, which holds numbers that are computed in float.
inline bool isHalf(ElementType type) {
  return type == ElementType::Float16 || type == ElementType::BFloat16;
}

/// "double", ...: the word that the language has for it.
llvm::StringRef elementTypeName(ElementType type);
/// The element type of that name (with synonyms such as "float64").
std::optional<ElementType> findElementType(llvm::StringRef name);
/// All words, to suggest.
llvm::ArrayRef<llvm::StringRef> elementTypeNames();

/// The type of an expression of both: NumPy's result_type, the narrowest that holds either's
/// numbers (as far as any does: of uint64 and a signed type it is double). What NumPy does not know
/// is bfloat16: with float16 it makes float, with others what float16 makes.
ElementType promote(ElementType a, ElementType b);

/// Does an integer or boolean type hold a number?
bool holds(ElementType type, int64_t value);
/// The narrowest integer type with a sign that holds a value.
ElementType narrowestFor(int64_t value);

} // namespace strata::frontend

#endif // STRATA_FRONTEND_ELEMENTTYPES_H
