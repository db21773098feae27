// Element types: their names, the type in which an expression is computed, what can be stored.
#include "strata/frontend/Analyzer.h"

#include "llvm/ADT/StringSwitch.h"

namespace strata::frontend {

llvm::StringRef elementTypeName(ElementType type) {
  switch (type) {
  case ElementType::Int8:
    return "int8";
  case ElementType::Int16:
    return "int16";
  case ElementType::Int32:
    return "int";
  case ElementType::Int64:
    return "int64";
  case ElementType::Float:
    return "float";
  case ElementType::Double:
    return "double";
  case ElementType::ComplexDouble:
    return "complex";
  }
  llvm_unreachable("all types are listed");
}

std::optional<ElementType> findElementType(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<ElementType>>(name)
      .Cases({"int8", "int8_t"}, ElementType::Int8)
      .Cases({"int16", "int16_t"}, ElementType::Int16)
      .Cases({"int", "int32", "int32_t"}, ElementType::Int32)
      .Cases({"int64", "int64_t"}, ElementType::Int64)
      .Cases({"float", "float32"}, ElementType::Float)
      .Cases({"double", "float64"}, ElementType::Double)
      .Cases({"complex", "complex128"}, ElementType::ComplexDouble)
      .Default(std::nullopt);
}

static bool isInteger(ElementType type) { return type <= ElementType::Int64; }

void Analyzer::useType(ElementType type, Notation &notation) {
  notation.type = std::max(type, notation.type.value_or(type));
}

ElementType narrowestFor(int64_t value) {
  if (value == int8_t(value))
    return ElementType::Int8;
  if (value == int16_t(value))
    return ElementType::Int16;
  return value == int32_t(value) ? ElementType::Int32 : ElementType::Int64;
}

ElementType Analyzer::typeOf(const Notation &notation) const {
  ElementType type = notation.type.value_or(ElementType::Double);
  // A 64-bit integer does not fit a float's 24 bits.
  if (isInteger(type) && (notation.hasReal || notation.hasDivision))
    return ElementType::Double;
  return isInteger(type) ? std::max(type, notation.constants) : type;
}

// Sums of integers are computed in the type of what receives them where that is wider, and in 64
// bits where it holds other numbers, so that nothing is lost before the result is stored.
ElementType Analyzer::computingType(ElementType type, TensorId target) const {
  if (!isInteger(type))
    return type;
  if (states[target].typeIsOpen)
    return type < ElementType::Int32 ? ElementType::Int64 : type;
  ElementType stored = program.tensors[target].type;
  return isInteger(stored) ? std::max(type, stored) : ElementType::Int64;
}

// What loses a fraction or an imaginary part is refused; rounding is not.
bool Analyzer::checkType(TensorId target, ElementType type, llvm::SMRange range) {
  Tensor &tensor = program.tensors[target];
  if (states[target].typeIsOpen) {
    tensor.type = type;
    states[target].typeIsOpen = false;
    return true;
  }
  bool complexToReal = type == ElementType::ComplexDouble && tensor.type != type;
  bool realToInteger = !isInteger(type) && isInteger(tensor.type);
  if (!complexToReal && !realToInteger)
    return true;
  diagnostics
      .error(range, "the value is " + elementTypeName(type) + ", but '" + tensor.name + "' holds " +
                        elementTypeName(tensor.type))
      .note("declare it to hold " + elementTypeName(type) +
                (realToInteger && type == ElementType::Double ? "; '/' gives double" : ""),
            tensor.range);
  return false;
}

// A whole number may be stored as an integer, also where nothing else is one.
bool Analyzer::checkConstant(TensorId target, const Element &constant) {
  const Tensor &tensor = program.tensors[target];
  bool fits = constant.integer && narrowestFor(*constant.integer) <= tensor.type;
  if (!isInteger(tensor.type) || fits)
    return true;
  diagnostics
      .error(constant.range, "'" + tensor.name + "' holds " + elementTypeName(tensor.type) +
                                 ", which cannot represent this value")
      .note("it is declared here", tensor.range);
  return false;
}

} // namespace strata::frontend
