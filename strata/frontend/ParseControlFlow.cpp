// The grammar's rules for loops, branches and their conditions.
#include "strata/frontend/ParserRules.h"

namespace strata::frontend {

using namespace ast;

static constexpr llvm::StringRef controlWords[] = {"for", "while", "repeat", "if", "else", "end"};

bool ParserRules::startsControlFlow() const {
  return token.is(Kind::Name) && llvm::is_contained(controlWords, token.text);
}

// control-flow = for-loop | while-loop | repeat-loop | branch
StmtPtr ParserRules::controlFlow() {
  if (token.isName("for"))
    return forLoop();
  if (token.isName("while"))
    return whileLoop();
  if (token.isName("repeat"))
    return repeatLoop();
  if (token.isName("if"))
    return branch();
  diagnostics.error(token.range(), "this '" + token.text + "' belongs to nothing")
      .note(token.isName("else") ? "'else' follows the '}' of an 'if'"
                                 : "'end' ends a loop that is written without braces");
  bool isElse = token.isName("else");
  advance();
  if (isElse && token.is(Kind::LeftBrace)) {
    std::vector<StmtPtr> skipped;
    block(skipped);
  }
  return nullptr;
}

// for-loop = "for" ( range-of-loop | "(" range-of-loop ")" ) [ ":" ] loop-body
StmtPtr ParserRules::forLoop() {
  auto loop = std::make_unique<ForStmt>(token.range());
  llvm::SMRange head = token.range();
  advance();
  llvm::SMRange open = token.range();
  bool parentheses = accept(Kind::LeftParen);
  bool ok = rangeOfLoop(*loop);
  if (ok && parentheses)
    ok = expect(Kind::RightParen, "after the range", open);
  accept(Kind::Colon);
  loopBody(head, loop->body);
  loop->range = since(head.Start);
  return ok ? std::move(loop) : nullptr;
}

// range-of-loop = NAME "in" "range" "(" [ expression "," ] expression [ "," expression ] ")"
bool ParserRules::rangeOfLoop(ForStmt &loop) {
  auto skipHead = [&] {
    while (!token.is(Kind::LeftBrace) && !token.is(Kind::End) && !startsLine(token))
      advance();
    return false;
  };
  if (!name(loop.variable, "the loop's variable"))
    return skipHead();
  if (!token.isName("in")) {
    expected("'in'", "write for t in range(0, 10) { ... }");
    return skipHead();
  }
  advance();
  if (!token.isName("range")) {
    expected("'range'", "write for t in range(0, 10) { ... }");
    return skipHead();
  }
  llvm::SMLoc start = token.start();
  advance();
  std::vector<ExprPtr> values;
  if (!token.is(Kind::LeftParen)) {
    expected("'('");
    return skipHead();
  }
  if (!arguments(values))
    return skipHead();
  if (values.empty() || values.size() > 3) {
    diagnostics.error(since(start), "a range has one to three bounds")
        .note("range(lo, hi, step) counts from lo up to, but without, hi");
    return false;
  }
  if (values.size() == 1) {
    loop.hi = std::move(values[0]);
    return true;
  }
  loop.lo = std::move(values[0]);
  loop.hi = std::move(values[1]);
  if (values.size() == 3)
    loop.step = std::move(values[2]);
  return true;
}

// loop-body = block | statements "end"
void ParserRules::loopBody(llvm::SMRange head, std::vector<StmtPtr> &statements) {
  if (token.is(Kind::LeftBrace))
    block(statements);
  else
    statementsUntil("end", head, statements);
}

// while-loop = "while" "(" condition ")" [ limit ] [ ":" ] loop-body
StmtPtr ParserRules::whileLoop() {
  auto loop = std::make_unique<LoopStmt>(token.range());
  loop->asksFirst = true;
  llvm::SMRange head = token.range();
  advance();
  bool ok = conditionInParentheses("while", loop->condition) && limit(*loop);
  accept(Kind::Colon);
  loopBody(head, loop->body);
  loop->range = since(head.Start);
  return ok ? std::move(loop) : nullptr;
}

// repeat-loop = "repeat" [ limit ] block "until" "(" condition ")"
StmtPtr ParserRules::repeatLoop() {
  auto loop = std::make_unique<LoopStmt>(token.range());
  llvm::SMLoc start = token.start();
  advance();
  bool ok = limit(*loop) && bracedBody("repeat", loop->body);
  if (!ok)
    return nullptr;
  if (!token.isName("until")) {
    expected("'until' and the condition that ends the loop",
             "write repeat { ... } until (residual < 1e-9);");
    return nullptr;
  }
  advance();
  if (!conditionInParentheses("until", loop->condition))
    return nullptr;
  loop->range = since(start);
  return loop;
}

// limit = "limit" bound
bool ParserRules::limit(LoopStmt &loop) {
  if (!token.isName("limit"))
    return true;
  advance();
  loop.limit.emplace();
  return bound(*loop.limit, "the largest number of rounds");
}

// branch = "if" "(" condition ")" block [ "else" ( branch | block ) ]
StmtPtr ParserRules::branch() {
  Nesting nesting(*this);
  if (nesting.tooDeep()) {
    skipStatement();
    return nullptr;
  }
  auto branch = std::make_unique<IfStmt>(token.range());
  llvm::SMLoc start = token.start();
  advance();
  bool ok = conditionInParentheses("if", branch->condition);
  ok = bracedBody("if", branch->body) && ok;
  if (token.isName("else")) {
    advance();
    if (token.isName("if")) {
      StmtPtr inner = this->branch();
      if (inner)
        branch->otherwise.push_back(std::move(inner));
      else
        ok = false;
    } else {
      ok = bracedBody("else", branch->otherwise) && ok;
    }
  }
  branch->range = since(start);
  return ok ? std::move(branch) : nullptr;
}

bool ParserRules::bracedBody(llvm::StringRef after, std::vector<StmtPtr> &statements) {
  if (token.is(Kind::LeftBrace)) {
    block(statements);
    return true;
  }
  expected("'{' and the statements of '" + after + "'");
  skipStatement();
  return false;
}

//===------------------------------------------------------------------------------------------===//
// Conditions
//===------------------------------------------------------------------------------------------===//

// After a mistake, skips to the block that follows.
bool ParserRules::conditionInParentheses(llvm::StringRef after, Condition &result) {
  llvm::SMRange open = token.range();
  if (expect(Kind::LeftParen, "after '" + after + "'") && condition(result) &&
      expect(Kind::RightParen, "after the condition", open))
    return true;
  while (!token.is(Kind::LeftBrace) && !token.is(Kind::Semicolon) && !token.is(Kind::RightBrace) &&
         !token.is(Kind::End) && !startsLine(token))
    advance();
  return false;
}

// condition = conjunction { "||" conjunction }
bool ParserRules::condition(Condition &result) {
  llvm::SMLoc start = token.start();
  std::vector<Condition> parts(1);
  if (!conjunction(parts.back()))
    return false;
  while (accept(Kind::OrOr))
    if (!conjunction(parts.emplace_back()))
      return false;
  if (parts.size() == 1)
    result = std::move(parts.front());
  else
    result = {Condition::Kind::Or, since(start), nullptr, nullptr, std::move(parts)};
  return true;
}

// conjunction = comparison { "&&" comparison }
bool ParserRules::conjunction(Condition &result) {
  llvm::SMLoc start = token.start();
  std::vector<Condition> parts(1);
  if (!comparison(parts.back()))
    return false;
  while (accept(Kind::AndAnd))
    if (!comparison(parts.emplace_back()))
      return false;
  if (parts.size() == 1)
    result = std::move(parts.front());
  else
    result = {Condition::Kind::And, since(start), nullptr, nullptr, std::move(parts)};
  return true;
}

static std::optional<Condition::Kind> comparisonOf(Token::Kind kind) {
  static constexpr std::pair<Token::Kind, Condition::Kind> known[] = {
      {Token::Kind::Less, Condition::Kind::Less},
      {Token::Kind::LessEqual, Condition::Kind::LessEqual},
      {Token::Kind::Greater, Condition::Kind::Greater},
      {Token::Kind::GreaterEqual, Condition::Kind::GreaterEqual},
      {Token::Kind::EqualEqual, Condition::Kind::Equal},
      {Token::Kind::NotEqual, Condition::Kind::NotEqual}};
  for (auto [token, comparison] : known)
    if (token == kind)
      return comparison;
  return std::nullopt;
}

// comparison = bits ( "<" | "<=" | ">" | ">=" | "==" | "!=" ) bits
bool ParserRules::comparison(Condition &result) {
  llvm::SMLoc start = token.start();
  result.lhs = bits();
  if (!result.lhs)
    return false;
  std::optional<Condition::Kind> kind = comparisonOf(token.kind);
  if (!kind)
    return expected("a comparison", "compare two scalars: '<', '<=', '>', '>=', '==' or '!='");
  result.kind = *kind;
  advance();
  result.rhs = bits();
  result.range = since(start);
  return result.rhs != nullptr;
}

} // namespace strata::frontend
