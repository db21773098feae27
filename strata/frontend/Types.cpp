// The type of an expression, the type in which it is computed, and what can be stored of it.
#include "strata/frontend/Analyzer.h"

#include <algorithm>

namespace strata::frontend {

void Analyzer::useType(ElementType type, Notation &notation) {
  std::optional<ElementType> &all = notation.facts.type;
  all = all ? promote(*all, type) : type;
}

void TypeFacts::include(const TypeFacts &other) {
  if (other.type)
    type = type ? promote(*type, *other.type) : other.type;
  hasReal |= other.hasReal;
  hasDivision |= other.hasDivision;
  hasImaginary |= other.hasImaginary;
  hasOpen |= other.hasOpen;
  adds |= other.adds;
  subtracts |= other.subtracts;
  counts |= other.counts;
  if (!ordered)
    ordered = other.ordered;
  if (!bits)
    bits = other.bits;
  if (!negative)
    negative = other.negative;
  if (other.least)
    include(*other.least), include(*other.greatest);
}

// A number that is given when the program runs is an integer where bits are combined and where
// integers are stored, and else real. `receiver` is none of what takes any type.
TypeFacts Analyzer::withOpen(TypeFacts facts, std::optional<ElementType> receiver) {
  bool mayBeInteger = !facts.hasReal && !facts.hasDivision && !facts.hasImaginary &&
                      (!facts.type || kindOf(*facts.type) < NumberKind::Real);
  bool stored = receiver && kindOf(*receiver) < NumberKind::Real;
  if (!facts.hasOpen || (facts.type && !mayBeInteger))
    return facts;
  if (!mayBeInteger || (!stored && !facts.bits)) {
    facts.hasReal = true;
    return facts;
  }
  if (facts.type || receiver != ElementType::Bool)
    facts.include(0);
  if (!facts.type)
    facts.type = stored ? *receiver : ElementType::Int64;
  return facts;
}

// Numbers that are written take part only where the others cannot hold them: a point makes integers
// double, as division does, and a large number a wider type.
ElementType Analyzer::typeOf(const TypeFacts &facts, bool isConstant) const {
  if (facts.hasImaginary)
    return facts.type ? promote(*facts.type, ElementType::ComplexFloat)
                      : ElementType::ComplexDouble;
  if (!facts.type)
    return isConstant || facts.hasReal || facts.hasDivision ? ElementType::Double
                                                            : ElementType::Int64;
  ElementType type = *facts.type;
  if (kindOf(type) >= NumberKind::Real)
    return type;
  if (facts.hasReal || facts.hasDivision)
    return ElementType::Double;
  if (!facts.least)
    return type;
  if (type == ElementType::Bool)
    return ElementType::Int64;
  for (int64_t constant : {*facts.least, *facts.greatest})
    if (!holds(type, constant))
      type = promote(type, narrowestFor(constant));
  return type == ElementType::Double ? ElementType::Int64 : type;
}

// Nothing is lost before the result is stored: integers are computed in the type of what receives
// them where that is wider, and in 64 bits where it holds other numbers; real numbers of 16 bits in
// float. `receiver` is none of what takes any type.
ElementType Analyzer::computingType(ElementType type, const TypeFacts &facts,
                                    std::optional<ElementType> receiver) const {
  switch (kindOf(type)) {
  case NumberKind::Boolean:
    if (receiver ? receiver == ElementType::Bool : !facts.adds)
      return ElementType::Bool;
    return ElementType::Int64;
  case NumberKind::Natural:
  case NumberKind::Integer:
    if (receiver && isInteger(*receiver)) {
      ElementType both = promote(type, *receiver);
      return isInteger(both) ? both : type;
    }
    // A difference of natural numbers can be negative.
    if (kindOf(type) == NumberKind::Natural && (bitsOf(type) == 64 || !facts.subtracts))
      return ElementType::UInt64;
    return ElementType::Int64;
  case NumberKind::Real:
    return isHalf(type) ? ElementType::Float : type;
  case NumberKind::Complex:
    break;
  }
  return type;
}

// Reads operands whose type is their own affair: those of a comparison, a condition, a cast. Gives
// the type in which they are computed, to be received by `receiver`.
std::optional<ElementType> Analyzer::inOwnType(Notation &notation,
                                               std::optional<ElementType> receiver,
                                               llvm::function_ref<bool(bool &isConstant)> read) {
  TypeFacts around = std::exchange(notation.facts, {});
  bool isConstant = false, ok = read(isConstant);
  TypeFacts own = std::exchange(notation.facts, around);
  if (!ok)
    return std::nullopt;
  own = withOpen(std::move(own), std::nullopt);
  ElementType computed = computingType(typeOf(own, isConstant), own, receiver);
  if (!checkOperators(own, computed))
    return std::nullopt;
  return computed;
}

// What loses a fraction, a sign or an imaginary part is refused; rounding is not.
bool Analyzer::checkType(TensorId target, ElementType type, llvm::SMRange range) {
  Tensor &tensor = program.tensors[target];
  if (states[target].typeIsOpen) {
    tensor.type = type;
    states[target].typeIsOpen = false;
    return true;
  }
  NumberKind from = kindOf(type), to = kindOf(tensor.type);
  if (from <= to)
    return true;
  if (!tensor.range.isValid()) { // nobody has declared it
    diagnostics.error(range, "a loop's bound is an integer, and this is " + elementTypeName(type))
        .note("say how it is to be converted: " + elementTypeName(tensor.type) + "(...)");
    return false;
  }
  auto error =
      diagnostics.error(range, "the value is " + elementTypeName(type) + ", but '" + tensor.name +
                                   "' holds " + elementTypeName(tensor.type));
  bool divided = type == ElementType::Double && to <= NumberKind::Integer;
  error.note("declare it to hold " + elementTypeName(type) + (divided ? "; '/' gives double" : ""),
             tensor.range);
  error.note("or say how it is to be converted: " + elementTypeName(tensor.type) + "(...)");
  return false;
}

// An integer may be stored as an integer, also where nothing else is one.
bool Analyzer::checkConstant(TensorId target, const Element &constant) {
  const Tensor &tensor = program.tensors[target];
  if (constant.imaginary ? isComplex(tensor.type)
                         : kindOf(tensor.type) >= NumberKind::Real ||
                               (constant.integer && holds(tensor.type, *constant.integer)))
    return true;
  if (!tensor.range.isValid()) {
    diagnostics.error(constant.range, "a loop's bound is an integer, and this is none");
    return false;
  }
  diagnostics
      .error(constant.range, "'" + tensor.name + "' holds " + elementTypeName(tensor.type) +
                                 ", which cannot represent this value")
      .note("it is declared here", tensor.range);
  return false;
}

} // namespace strata::frontend
