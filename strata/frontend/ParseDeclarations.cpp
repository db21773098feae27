// The grammar's rules for declarations: labels, tensors, scalars.
#include "strata/frontend/ParserRules.h"

namespace strata::frontend {

using namespace ast;

// labels-declaration = "IndexLabel" label-names "=" range
StmtPtr ParserRules::labelsDeclaration() {
  auto statement = std::make_unique<LabelsStmt>(token.range());
  advance();
  if (!labelNames(statement->labels) || !expect(Kind::Equal, "after the labels") ||
      !range(*statement))
    return nullptr;
  statement->range = since(statement->range.Start);
  return statement;
}

// label-names = "[" NAME { "," NAME } "]" | NAME
bool ParserRules::labelNames(std::vector<Name> &names) {
  if (!accept(Kind::LeftBracket))
    return name(names.emplace_back(), "'[' and the names of labels");
  do
    if (!name(names.emplace_back(), "a label's name"))
      return false;
  while (accept(Kind::Comma));
  return expect(Kind::RightBracket, "or ',' after a label's name");
}

// range = "[" ( "?" | bound [ ":" ( bound | "?" ) [ ":" bound ] ] ) "]"
bool ParserRules::range(LabelsStmt &statement) {
  llvm::SMLoc start = token.start();
  statement.lo.number = 0;
  statement.step.number = 1;
  if (!accept(Kind::LeftBracket))
    return expected("'[' and a size",
                    "a size is [?] (known when files are read), [32], [lo:hi] or [lo:hi:step]");
  if (!accept(Kind::Question)) {
    Bound first;
    if (!bound(first, "a size or '?'"))
      return false;
    if (accept(Kind::Colon)) {
      statement.isInterval = true;
      statement.lo = first;
      if (!accept(Kind::Question) && !bound(statement.hi.emplace(), "the end of the range"))
        return false;
      if (accept(Kind::Colon) && !bound(statement.step, "the step of the range"))
        return false;
    } else {
      statement.hi = first;
    }
  }
  if (!expect(Kind::RightBracket, "to close the range"))
    return false;
  statement.bounds = since(start);
  return true;
}

// bound = [ "-" ] INTEGER | NAME
bool ParserRules::bound(Bound &bound, llvm::StringRef what) {
  llvm::SMLoc start = token.start();
  bound = {};
  if (token.is(Kind::Name)) {
    bound.name = token.text.str();
    advance();
    bound.range = since(start);
    return true;
  }
  bool negative = accept(Kind::Minus);
  if (!token.is(Kind::Integer))
    return expected(what);
  int64_t value;
  if (token.text.getAsInteger(10, value)) {
    diagnostics.error(token.range(), "this number is too large for a size")
        .note("sizes are below 2^63");
    return false;
  }
  advance();
  bound.number = negative ? -value : value;
  bound.range = since(start);
  return true;
}

// tensor-declaration = "Tensor" [ element-type ] NAME
//                      ( "(" dimensions [ "," format ] ")" | dimensions )
StmtPtr ParserRules::tensorDeclaration() {
  auto statement = std::make_unique<TensorStmt>(token.range());
  advance();
  if (!elementType(*statement) || !name(statement->name, "the tensor's name"))
    return nullptr;
  if (accept(Kind::LeftParen)) {
    if (!dimensions(statement->dimensions))
      return nullptr;
    if (accept(Kind::Comma)) {
      statement->format = format();
      if (!statement->format)
        return nullptr;
    }
    if (!expect(Kind::RightParen, "to close the declaration of '" + statement->name.text + "'"))
      return nullptr;
  } else if (!dimensions(statement->dimensions)) {
    return nullptr;
  }
  statement->range = since(statement->range.Start);
  return statement;
}

// element-type = "<" NAME ">"
bool ParserRules::elementType(TensorStmt &statement) {
  statement.elementType = {"double", statement.range};
  if (!accept(Kind::Less))
    return true;
  return name(statement.elementType, "an element type") &&
         expect(Kind::Greater, "after the element type");
}

// dimensions = "[" [ bound { "," bound } ] "]"
bool ParserRules::dimensions(std::vector<Bound> &dimensions) {
  if (!accept(Kind::LeftBracket))
    return expected("'[' and the labels of the dimensions",
                    "declare a tensor like this: Tensor<double> A([i, j], CSR);");
  if (accept(Kind::RightBracket))
    return true;
  do
    if (!bound(dimensions.emplace_back(), "a label or a size"))
      return false;
  while (accept(Kind::Comma));
  return expect(Kind::RightBracket, "or ',' after a label");
}

// scalar-declaration = "var" NAME "=" expression [ schedule ]
StmtPtr ParserRules::scalarDeclaration() {
  auto statement = std::make_unique<ScalarStmt>(token.range());
  advance();
  if (!name(statement->name, "the variable's name") ||
      !expect(Kind::Equal, "and a value after the variable's name"))
    return nullptr;
  statement->value = expression();
  if (!statement->value)
    return nullptr;
  statement->range = since(statement->range.Start);
  if (startsSchedule() && !schedule(statement->schedule))
    return nullptr;
  return statement;
}

} // namespace strata::frontend
