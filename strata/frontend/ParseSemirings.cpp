// The grammar's rules for semirings and operators that a program declares.
#include "strata/frontend/ParserRules.h"
#include "strata/frontend/Suggest.h"

#include <limits>

namespace strata::frontend {

using namespace ast;

// operator-function = "operator" NAME "(" NAME [ "," NAME ] ")" "=" expression ";"
bool ParserRules::operatorFunction(Module &module) {
  OperatorFunction function;
  advance();
  if (!name(function.name, "the operator's name") ||
      !expect(Kind::LeftParen, "after the operator's name"))
    return false;
  do
    if (!name(function.parameters.emplace_back(), "a parameter"))
      return false;
  while (accept(Kind::Comma));
  if (!expect(Kind::RightParen, "or ',' after a parameter") ||
      !expect(Kind::Equal, "before what the operator is"))
    return false;
  if (!(function.value = expression()) || !expect(Kind::Semicolon, "after the operator"))
    return false;
  module.operators.push_back(std::move(function));
  return true;
}

// semiring = "semiring" NAME "{" { semiring-part [ "," | ";" ] } "}"
bool ParserRules::semiring(Module &module) {
  Semiring semiring;
  advance();
  if (!name(semiring.name, "the semiring's name"))
    return false;
  llvm::SMRange open = token.range();
  if (!expect(Kind::LeftBrace, "after the semiring's name"))
    return false;
  while (!token.is(Kind::RightBrace) && !token.is(Kind::End)) {
    if (!semiringPart(semiring))
      return false;
    if (!accept(Kind::Comma))
      accept(Kind::Semicolon);
  }
  if (!expect(Kind::RightBrace, "after the semiring's parts", open))
    return false;
  module.semirings.push_back(std::move(semiring));
  return true;
}

// semiring-part = ( "add" | "multiply" ) "=" expression | ( "zero" | "one" ) "=" limit-number
bool ParserRules::semiringPart(Semiring &semiring) {
  static constexpr llvm::StringRef parts[] = {"add", "multiply", "zero", "one"};
  Name part;
  if (!llvm::is_contained(parts, token.text))
    return expected("a part of the semiring: add, zero, multiply or one",
                    didYouMean(token.text, parts));
  if (!name(part, "a part") || !expect(Kind::Equal, "after '" + part.text + "'"))
    return false;
  bool again = part.text == "add"        ? semiring.add != nullptr
               : part.text == "multiply" ? semiring.multiply != nullptr
               : part.text == "zero"     ? semiring.zero.has_value()
                                         : semiring.one.has_value();
  if (again) {
    diagnostics.error(part.range, "'" + part.text + "' is given twice");
    return false;
  }
  if (part.text == "add")
    return (semiring.add = expression()) != nullptr;
  if (part.text == "multiply")
    return (semiring.multiply = expression()) != nullptr;
  return boundlessNumber(part.text == "zero" ? semiring.zero : semiring.one);
}

// boundless-number = [ "-" ] ( NUMBER | "inf" )
bool ParserRules::boundlessNumber(std::optional<double> &number) {
  bool negative = accept(Kind::Minus);
  double value;
  if (token.isName("inf"))
    value = std::numeric_limits<double>::infinity();
  else if (!token.is(Kind::Real) && !token.is(Kind::Integer))
    return expected("a number or inf");
  else if (token.text.getAsDouble(value))
    return expected("a number or inf");
  advance();
  number = negative ? -value : value;
  return true;
}

} // namespace strata::frontend
