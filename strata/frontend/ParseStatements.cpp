// The grammar's rules for programs, functions and statements.
#include "strata/frontend/ElementTypes.h"
#include "strata/frontend/ParserRules.h"
#include "strata/frontend/Suggest.h"

namespace strata::frontend {

using namespace ast;

// program = { function | operator-function | semiring | ";" }
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
    bool isOperator = token.isName("operator"), isSemiring = token.isName("semiring"),
         isMachine = token.isName("Machine");
    if (isOperator || isSemiring || isMachine) {
      if (isOperator ? operatorFunction(module) : isSemiring ? semiring(module) : machine(module))
        continue;
      while (!token.is(Kind::End) && !(token.isName("def") && startsLine(token)))
        advance();
      continue;
    }
    if (token.is(Kind::RightBrace)) {
      diagnostics.error(token.range(), "this '}' closes nothing");
      advance();
      continue;
    }
    llvm::StringRef known[] = {"def", "Machine"};
    expected("a function", token.is(Kind::Name) && !closestName(token.text, known).empty()
                               ? didYouMean(token.text, known)
                               : "statements stand in a function: def main() { ... }");
    while (!token.is(Kind::End) && !(token.isName("def") && startsLine(token)))
      advance();
  }
  return module;
}

// function = "def" NAME "(" [ function-parameter { "," function-parameter } ] ")" block
bool ParserRules::function(Module &module) {
  Function function;
  advance();
  bool ok = name(function.name, "the function's name") &&
            expect(Kind::LeftParen, "after the function's name") &&
            functionParameters(function.parameters);
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

bool ParserRules::functionParameters(std::vector<FunctionParameter> &parameters) {
  if (accept(Kind::RightParen))
    return true;
  do
    if (!functionParameter(parameters.emplace_back()))
      return false;
  while (accept(Kind::Comma));
  return expect(Kind::RightParen, "or ',' after a parameter");
}

// function-parameter = NAME [ dimensions ] | tensor-declaration
bool ParserRules::functionParameter(FunctionParameter &parameter) {
  if (!token.isName("Tensor"))
    return name(parameter.name, "a parameter") &&
           (!token.is(Kind::LeftBracket) || dimensions(parameter.dimensions));
  llvm::SMLoc start = token.start();
  StmtPtr parsed = tensorDeclaration();
  if (!parsed)
    return false;
  auto &declared = llvm::cast<TensorStmt>(*parsed);
  parameter = {std::move(declared.name), std::move(declared.dimensions), std::nullopt,
               std::move(declared.format)};
  if (declared.elementType.range.Start != start) // `Tensor A[i]` says no element type
    parameter.elementType = std::move(declared.elementType);
  return true;
}

// block = "{" statements "}"
void ParserRules::block(std::vector<StmtPtr> &statements) {
  llvm::SMRange open = token.range();
  advance();
  statementsUntil("}", open, statements);
}

// statements = { [ statement ] ";" | control-flow }
// Up to `close`, "}" or "end", which is consumed.
void ParserRules::statementsUntil(llvm::StringRef close, llvm::SMRange open,
                                  std::vector<StmtPtr> &statements) {
  Nesting nesting(*this);
  while (!diagnostics.full() && !nesting.tooDeep()) {
    openBraces = 0;
    if (accept(Kind::Semicolon))
      continue;
    if (token.text == close && !token.is(Kind::Text)) {
      advance();
      return;
    }
    if (token.is(Kind::End) || token.is(Kind::RightBrace) ||
        (token.isName("def") && startsLine(token))) {
      diagnostics.error(token.range(), "expected '" + close + "' before " + describe(token))
          .note(close == "}" ? "to close the '{' that is opened here"
                             : "to end the loop that begins here",
                open);
      return;
    }
    bool isBlock = startsControlFlow();
    StmtPtr parsed = isBlock ? controlFlow() : statement();
    if (isBlock && !parsed)
      continue;
    bool scheduled = !parsed || isBlock || !startsSchedule() || misplacedSchedule();
    bool ended =
        parsed && (isBlock || (scheduled && expect(Kind::Semicolon, "after the statement")));
    // A forgotten `;` at the end of a line: the next line is whole.
    if (!ended && !(parsed && startsLine(token)))
      skipStatement();
    if (parsed)
      statements.push_back(std::move(parsed));
  }
}

// statement = labels-declaration | tensor-declaration | scalar-declaration
//           | "return" [ expression ] | "break" | assignment | call
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
    statement->value = expression();
    if (!statement->value)
      return nullptr;
    statement->range = since(statement->range.Start);
    return statement;
  }
  if (token.isName("break")) {
    auto statement = std::make_unique<BreakStmt>(token.range());
    advance();
    return statement;
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
  bool subscript = startsSubscript(assign->tensor);
  if (subscript || token.is(Kind::LeftBracket)) {
    assign->hasLabels = true;
    if (!coordinates(assign->labels, subscript ? Kind::RightBrace : Kind::RightBracket))
      return nullptr;
  } else if (token.is(Kind::LeftParen)) {
    std::vector<ExprPtr> values;
    if (!arguments(values))
      return nullptr;
    if (entry == Entry::Program && !beginsAssignment())
      return std::make_unique<CallStmt>(
          since(start),
          std::make_unique<CallExpr>(since(start), assign->tensor, std::move(values)));
    assign->hasLabels = true;
    assign->labels = coordinatesOf(std::move(values));
  }
  assign->target = since(start);
  return assignment(std::move(assign));
}

// assignment = NAME [ coordinates | arguments ] [ mask ] assign-op ( expression | values )
//              [ schedule ]
StmtPtr ParserRules::assignment(std::unique_ptr<AssignStmt> statement) {
  static constexpr llvm::StringRef declarations[] = {"IndexLabel", "Tensor", "var", "def"};
  std::string hint = didYouMean(statement->tensor.text, declarations);
  if (token.is(Kind::Name) && entry == Entry::Program &&
      (findElementType(statement->tensor.text) || statement->tensor.text == "let" ||
       statement->tensor.text == "auto"))
    hint = "a scalar is declared with var, and has the type of its value: var " + token.text.str() +
           " = ...;";
  // Behind labels a mask begins, behind a name alone an element type.
  const bool beginsType = token.is(Kind::Less) && !statement->hasLabels;
  if (!hint.empty() && (token.is(Kind::Name) || beginsType)) {
    diagnostics
        .error(statement->tensor.range, "'" + statement->tensor.text + "' begins no statement")
        .note(hint);
    return nullptr;
  }
  if (token.is(Kind::Less) && !mask(*statement))
    return nullptr;
  llvm::SMLoc start = token.start();
  std::optional<AssignOp> op = assignOp();
  if (!op) {
    expected(statement->hasLabels ? "'=', '+=' or '-='" : "'=', '+=', '-=', labels or arguments");
    return nullptr;
  }
  statement->op = *op;
  statement->opRange = since(start);
  bool listed = token.is(Kind::LeftBracket) || token.is(Kind::LeftBrace);
  if (listed && !hint.empty()) {
    diagnostics
        .error(statement->tensor.range, "'" + statement->tensor.text + "' begins no declaration")
        .note(hint);
    return nullptr;
  }
  statement->value = listed ? values() : expression();
  if (!statement->value)
    return nullptr;
  statement->range = since(statement->range.Start);
  if (startsSchedule() && !schedule(statement->schedule))
    return nullptr;
  return statement;
}

static constexpr std::pair<llvm::StringRef, AssignOp> namedAssignments[] = {
    {"min", AssignOp::Min}, {"max", AssignOp::Max}, {"any", AssignOp::Any}};

// assign-op = "=" | "+=" | "-=" | "*=" | "|=" | "&=" | ( "min" | "max" | "any" ) "="
std::optional<AssignOp> ParserRules::assignOp() {
  for (auto [name, op] : namedAssignments)
    if (token.isName(name)) {
      advance();
      return accept(Kind::Equal) ? std::optional(op) : std::nullopt;
    }
  static constexpr std::pair<Kind, AssignOp> known[] = {
      {Kind::Equal, AssignOp::Set},           {Kind::PlusEqual, AssignOp::Add},
      {Kind::MinusEqual, AssignOp::Subtract}, {Kind::StarEqual, AssignOp::Multiply},
      {Kind::BarEqual, AssignOp::Or},         {Kind::AmpersandEqual, AssignOp::And}};
  for (auto [kind, op] : known)
    if (accept(kind))
      return op;
  return std::nullopt;
}

// After `A(i, j)`: is it what is assigned to, and no call?
bool ParserRules::beginsAssignment() const {
  switch (token.kind) {
  case Kind::Equal:
  case Kind::PlusEqual:
  case Kind::MinusEqual:
  case Kind::StarEqual:
  case Kind::BarEqual:
  case Kind::AmpersandEqual:
  case Kind::Less:
    return true;
  default:
    return llvm::any_of(namedAssignments,
                        [&](const auto &entry) { return token.isName(entry.first); });
  }
}

// mask = "<" [ "!" ] ( NAME | access ) { "," NAME } ">"
bool ParserRules::mask(AssignStmt &statement) {
  llvm::SMRange open = token.range();
  advance();
  Mask mask;
  mask.complemented = accept(Kind::Exclamation);
  if (!token.is(Kind::Name))
    return expected("the mask, a tensor");
  mask.access = nameAccessOrCall();
  if (!mask.access)
    return false;
  while (accept(Kind::Comma)) {
    Name word;
    if (!name(word, "'push', 'pull', 'auto', 'structural' or 'replace'"))
      return false;
    if (word.text == "push" || word.text == "pull")
      mask.push = word.text == "push";
    else if (word.text == "structural")
      mask.structural = true;
    else if (word.text == "replace")
      mask.replace = true;
    else if (word.text != "auto") {
      static constexpr llvm::StringRef known[] = {"push", "pull", "auto", "structural", "replace"};
      diagnostics.error(word.range, "unknown word '" + word.text + "' in a mask")
          .note(didYouMean(word.text, known).empty()
                    ? "the words are push, pull, auto, structural and replace"
                    : didYouMean(word.text, known));
      return false;
    }
  }
  // `<M>=` without a blank is `<M> =`.
  if (token.is(Kind::GreaterEqual)) {
    previousEnd = llvm::SMLoc::getFromPointer(token.text.begin() + 1);
    token = {Kind::Equal, token.text.drop_front()};
  } else if (!expect(Kind::Greater, "or ',' after the mask", open)) {
    return false;
  }
  mask.range = since(open.Start);
  statement.mask = std::move(mask);
  return true;
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

} // namespace strata::frontend
