// The grammar's rules for programs, functions and statements.
#include "strata/frontend/ParserRules.h"
#include "strata/frontend/Suggest.h"

namespace strata::frontend {

using namespace ast;

// program = { function | ";" }
Module ParserRules::program() {
  Module module;
  while (!token.is(Kind::End) && !diagnostics.full()) {
    if (accept(Kind::Semicolon))
      continue;
    openBraces = 0;
    if (token.isName("def")) {
      function(module);
      continue;
    }
    if (token.is(Kind::RightBrace)) {
      diagnostics.error(token.range(), "this '}' closes nothing");
      advance();
      continue;
    }
    llvm::StringRef known[] = {"def"};
    expected("a function", token.is(Kind::Name) && !closestName(token.text, known).empty()
                               ? didYouMean(token.text, known)
                               : "statements stand in a function: def main() { ... }");
    while (!token.is(Kind::End) && !(token.isName("def") && startsLine(token)))
      advance();
  }
  return module;
}

// function = "def" NAME "(" ")" block
bool ParserRules::function(Module &module) {
  Function function;
  advance();
  bool ok = name(function.name, "the function's name") &&
            expect(Kind::LeftParen, "after the function's name");
  if (ok && !token.is(Kind::RightParen)) {
    diagnostics.error(token.range(), "functions with parameters are not supported yet")
        .note("a function declares the tensors that it uses: def f() { ... }");
    ok = false;
  }
  ok = ok && expect(Kind::RightParen, "after '('");
  if (ok && !token.is(Kind::LeftBrace))
    ok = expected("'{' and the function's statements");
  while (!ok && !token.is(Kind::LeftBrace) && !token.is(Kind::End) &&
         !(token.isName("def") && startsLine(token)))
    advance();
  if (!token.is(Kind::LeftBrace))
    return false;
  block(function.body);
  function.end = previousEnd;
  module.functions.push_back(std::move(function));
  return ok;
}

// block = "{" { [ statement ] ";" } "}"
void ParserRules::block(std::vector<StmtPtr> &statements) {
  Nesting nesting(*this);
  llvm::SMRange open = token.range();
  advance();
  while (!diagnostics.full() && !nesting.tooDeep()) {
    openBraces = 0;
    if (accept(Kind::Semicolon))
      continue;
    if (accept(Kind::RightBrace))
      return;
    if (token.is(Kind::End) || (token.isName("def") && startsLine(token))) {
      diagnostics.error(token.range(), "expected '}' before " + describe(token))
          .note("to close the '{' that is opened here", open);
      return;
    }
    if (refuseControlFlow())
      continue;
    StmtPtr parsed = statement();
    bool ended = parsed && expect(Kind::Semicolon, "after the statement");
    // A forgotten `;` at the end of a line: the next line is whole.
    if (!ended && !(parsed && startsLine(token)))
      skipStatement();
    if (parsed)
      statements.push_back(std::move(parsed));
  }
}

// statement = labels-declaration | tensor-declaration | scalar-declaration | "return"
//           | assignment | call
StmtPtr ParserRules::statement() {
  if (token.isName("IndexLabel"))
    return labelsDeclaration();
  if (token.isName("Tensor"))
    return tensorDeclaration();
  if (token.isName("var"))
    return scalarDeclaration();
  if (token.isName("return")) {
    auto statement = std::make_unique<ReturnStmt>(token.range());
    advance();
    if (token.is(Kind::Semicolon))
      return statement;
    diagnostics.error(token.range(), "returning a value is not supported yet")
        .note("a function can end with 'return;', and print or write what it computes");
    return nullptr;
  }
  if (token.is(Kind::Name))
    return assignmentOrCall();
  expected("a statement");
  return nullptr;
}

// call = NAME arguments
StmtPtr ParserRules::assignmentOrCall() {
  auto assign = std::make_unique<AssignStmt>(token.range());
  llvm::SMLoc start = token.start();
  if (!name(assign->tensor, "a tensor"))
    return nullptr;
  if (token.is(Kind::LeftBracket)) {
    assign->hasLabels = true;
    if (!labels(assign->labels))
      return nullptr;
  } else if (token.is(Kind::LeftParen)) {
    std::vector<ExprPtr> values;
    if (!arguments(values))
      return nullptr;
    bool assigns = token.is(Kind::Equal) || token.is(Kind::PlusEqual) ||
                   token.is(Kind::MinusEqual) || token.is(Kind::Less);
    if (entry == Entry::Program && !assigns)
      return std::make_unique<CallStmt>(
          since(start),
          std::make_unique<CallExpr>(since(start), assign->tensor, std::move(values)));
    assign->hasLabels = true;
    if (!labelsOfArguments(values, assign->labels))
      return nullptr;
  }
  assign->target = since(start);
  return assignment(std::move(assign));
}

// assignment = NAME [ labels | arguments ] ( "=" | "+=" | "-=" ) expression
StmtPtr ParserRules::assignment(std::unique_ptr<AssignStmt> statement) {
  static constexpr llvm::StringRef declarations[] = {"IndexLabel", "Tensor", "var", "def"};
  std::string hint = didYouMean(statement->tensor.text, declarations);
  if (!hint.empty() && (token.is(Kind::Name) || token.is(Kind::Less))) {
    diagnostics
        .error(statement->tensor.range, "'" + statement->tensor.text + "' begins no statement")
        .note(hint);
    return nullptr;
  }
  if (refuseMask())
    return nullptr;
  if (token.is(Kind::PlusEqual))
    statement->op = AssignOp::Add;
  else if (token.is(Kind::MinusEqual))
    statement->op = AssignOp::Subtract;
  else if (!token.is(Kind::Equal)) {
    expected(statement->hasLabels ? "'=', '+=' or '-='" : "'=', '+=', '-=', labels or arguments");
    return nullptr;
  }
  statement->opRange = token.range();
  advance();
  if (token.is(Kind::LeftBracket)) {
    if (hint.empty())
      diagnostics.error(token.range(), "lists of values are not supported yet")
          .note("read the values from a file: A[i, j] = read(\"a.mtx\");");
    else
      diagnostics
          .error(statement->tensor.range, "'" + statement->tensor.text + "' begins no declaration")
          .note(hint);
    return nullptr;
  }
  statement->value = expression();
  if (!statement->value)
    return nullptr;
  statement->range = since(statement->range.Start);
  return statement;
}

// one-liner = assignment [ ";" ]
std::unique_ptr<AssignStmt> ParserRules::oneLiner() {
  if (token.is(Kind::End)) {
    diagnostics.error({}, "the statement is empty").note("write one like y(i) = A(i,j) * x(j)");
    return nullptr;
  }
  StmtPtr parsed = assignmentOrCall();
  if (!parsed)
    return nullptr;
  accept(Kind::Semicolon);
  if (!token.is(Kind::End)) {
    expected("an operator or the end of the statement");
    return nullptr;
  }
  return std::unique_ptr<AssignStmt>(llvm::cast<AssignStmt>(parsed.release()));
}

//===------------------------------------------------------------------------------------------===//
// Room for later: parsed, so that they can be refused by name
//===------------------------------------------------------------------------------------------===//

// C[i, k]<M> = ..., C[i, k]<M, push> = ...
bool ParserRules::refuseMask() {
  if (!token.is(Kind::Less))
    return false;
  llvm::SMLoc start = token.start();
  while (!token.is(Kind::Greater) && !token.is(Kind::Semicolon) && !token.is(Kind::End))
    advance();
  accept(Kind::Greater);
  diagnostics.error(since(start), "masks are not supported yet")
      .note("multiply by the mask instead, if what it stores is 1: ... * M[i, k]");
  return true;
}

// for i in range(0, 10): ... end, while (...) { ... }, if (...) { ... }
bool ParserRules::refuseControlFlow() {
  if (openLoops > 0 && token.isName("end")) {
    --openLoops;
    advance();
    return true;
  }
  if (!token.isName("for") && !token.isName("while") && !token.isName("if") &&
      !token.isName("else"))
    return false;
  bool loop = token.isName("for") || token.isName("while");
  diagnostics.error(token.range(), "'" + token.text + "' is not supported yet")
      .note(loop ? "a sum over a label needs no loop; repeat the statements otherwise" : "");
  do
    advance();
  while (!token.is(Kind::LeftBrace) && !token.is(Kind::Semicolon) && !token.is(Kind::RightBrace) &&
         !token.is(Kind::End) && !startsLine(token));
  std::vector<StmtPtr> skipped;
  if (token.is(Kind::LeftBrace))
    block(skipped);
  else
    ++openLoops;
  return true;
}

} // namespace strata::frontend
