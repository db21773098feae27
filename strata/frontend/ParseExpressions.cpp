// The grammar's rules for expressions, the same for program files and one-line statements.
#include "strata/frontend/ParserRules.h"
#include "strata/frontend/Suggest.h"

#include <cmath>

namespace strata::frontend {

using namespace ast;

// expression = bits [ ( "==" | "!=" | "<" | "<=" | ">" | ">=" ) bits ]
ExprPtr ParserRules::expression() {
  Nesting nesting(*this);
  if (nesting.tooDeep())
    return nullptr;
  llvm::SMLoc start = token.start();
  ExprPtr left = bits();
  std::optional<Operator> op;
  switch (token.kind) {
  case Kind::EqualEqual:
  case Kind::NotEqual:
  case Kind::Less:
  case Kind::LessEqual:
  case Kind::Greater:
  case Kind::GreaterEqual:
    op = findOperator(token.text);
    break;
  default:
    return left;
  }
  if (!left)
    return nullptr;
  llvm::SMRange opRange = token.range();
  advance();
  ExprPtr right = bits();
  if (!right)
    return nullptr;
  return std::make_unique<BinaryExpr>(since(start), *op, opRange, std::move(left),
                                      std::move(right));
}

// The operator on bits that stands here, of the level: | ^ & << >>, from the weakest on.
static std::optional<Operator> bitOperator(Token::Kind kind, unsigned level) {
  using Kind = Token::Kind;
  switch (level) {
  case 0:
    return kind == Kind::Bar ? std::optional(Operator::BitOr) : std::nullopt;
  case 1:
    return kind == Kind::Caret ? std::optional(Operator::BitXor) : std::nullopt;
  case 2:
    return kind == Kind::Ampersand ? std::optional(Operator::BitAnd) : std::nullopt;
  default:
    return kind == Kind::ShiftLeft    ? std::optional(Operator::ShiftLeft)
           : kind == Kind::ShiftRight ? std::optional(Operator::ShiftRight)
                                      : std::nullopt;
  }
}

// bits     = bits-xor { "|" bits-xor }
// bits-xor = bits-and { "^" bits-and }
// bits-and = shift { "&" shift }
// shift    = sum { ( "<<" | ">>" ) sum }
ExprPtr ParserRules::bits(unsigned level) {
  if (level == 4)
    return sum();
  Leaning leaning(*this);
  llvm::SMLoc start = token.start();
  ExprPtr left = bits(level + 1);
  while (left) {
    std::optional<Operator> op = bitOperator(token.kind, level);
    if (!op)
      break;
    llvm::SMRange opRange = token.range();
    advance();
    ExprPtr right = bits(level + 1);
    if (!right || leaning.tooDeep(opRange))
      return nullptr;
    left =
        std::make_unique<BinaryExpr>(since(start), *op, opRange, std::move(left), std::move(right));
  }
  return left;
}

// sum = term { ( "+" | "-" ) term }
ExprPtr ParserRules::sum() {
  llvm::SMLoc start = token.start();
  std::vector<SumExpr::Term> terms;
  bool subtracted = false;
  llvm::SMRange op;
  while (true) {
    ExprPtr operand = term();
    if (!operand)
      return nullptr;
    terms.push_back({subtracted, op, std::move(operand)});
    if (!token.is(Kind::Plus) && !token.is(Kind::Minus))
      break;
    subtracted = token.is(Kind::Minus);
    op = token.range();
    advance();
  }
  if (terms.size() == 1)
    return std::move(terms.front().operand);
  return std::make_unique<SumExpr>(since(start), std::move(terms));
}

// The operator of a product that stands here.
static std::optional<ProductExpr::Op> productOperator(const Token &token) {
  using Op = ProductExpr::Op;
  switch (token.kind) {
  case Token::Kind::Star:
    return Op::Times;
  case Token::Kind::DotStar:
    return Op::Elementwise;
  case Token::Kind::Slash:
    return Op::Divide;
  case Token::Kind::Name:
    return token.text == "floordiv" ? std::optional(Op::FloorDivide)
           : token.text == "mod"    ? std::optional(Op::Remainder)
                                    : std::nullopt;
  default:
    return std::nullopt;
  }
}

// term = factor { ( "*" | ".*" | "/" | "floordiv" | "mod" | join ) factor }
ExprPtr ParserRules::term() {
  Leaning leaning(*this);
  llvm::SMLoc start = token.start();
  std::vector<ProductExpr::Factor> factors;
  ProductExpr::Op op = ProductExpr::Op::Times;
  llvm::SMRange opRange;
  auto product = [&]() -> ExprPtr {
    if (factors.size() == 1)
      return std::move(factors.front().operand);
    return std::make_unique<ProductExpr>(since(start), std::move(factors));
  };
  while (true) {
    ExprPtr operand = factor();
    if (!operand)
      return nullptr;
    factors.push_back({op, opRange, std::move(operand)});
    while (token.is(Kind::At)) {
      auto joined = std::make_unique<BinaryExpr>(since(start), Operator::Times, token.range(),
                                                 product(), nullptr);
      if (!joining(*joined) || !(joined->rhs = factor()) || leaning.tooDeep(joined->opRange))
        return nullptr;
      joined->range = since(start);
      factors.clear();
      factors.push_back({ProductExpr::Op::Times, {}, std::move(joined)});
    }
    std::optional<ProductExpr::Op> next = productOperator(token);
    if (!next)
      break;
    op = *next;
    opRange = token.range();
    advance();
    if (token.is(Kind::Star) && op == ProductExpr::Op::Times) {
      diagnostics.error({opRange.Start, token.end()}, "there is no operator '**'")
          .note("for a power, write pow(a, b)");
      return nullptr;
    }
  }
  return product();
}

// join = "@" ( NAME | "(" operator [ "," operator ] ")" )
bool ParserRules::joining(BinaryExpr &joined) {
  llvm::SMLoc start = token.start();
  joined.joins = true;
  advance();
  if (token.is(Kind::Name) && !findOperator(token.text)) {
    joined.semiring = Name{token.text.str(), token.range()};
    advance();
    joined.opRange = since(start);
    return true;
  }
  llvm::SMRange open = token.range();
  if (!expect(Kind::LeftParen, "after '@'"))
    return false;
  std::optional<Operator> first = operatorWord();
  if (!first)
    return false;
  joined.op = *first;
  if (accept(Kind::Comma)) {
    llvm::SMRange second = token.range();
    std::optional<Operator> inner = operatorWord();
    if (!inner)
      return false;
    if (!infoOf(*first).reduces) {
      diagnostics
          .error({open.Start, second.Start},
                 "'" + infoOf(*first).name + "' does not reduce: its order would matter")
          .note("a semiring is @(ADD,MULTIPLY) with ADD one of +, *, min, max, any, lor, land, "
                "lxor");
      return false;
    }
    joined.reduces = first;
    joined.op = *inner;
  }
  if (!expect(Kind::RightParen, "or ',' after an operator", open))
    return false;
  joined.opRange = since(start);
  return true;
}

// operator = NAME | "+" | "-" | "*" | "/" | "|" | "&" | "==" | ...
std::optional<Operator> ParserRules::operatorWord() {
  std::optional<Operator> op = findOperator(token.text);
  if (!op) {
    static constexpr llvm::StringRef known[] = {"min", "max",  "any",  "pair", "first", "second",
                                                "lor", "land", "lxor", "plus", "times"};
    expected("an operator such as min, +, any or pair", didYouMean(token.text, known));
    return std::nullopt;
  }
  advance();
  return op;
}

// factor = ( "!" | "~" ) factor | { "-" } primary
ExprPtr ParserRules::factor() {
  llvm::SMLoc start = token.start();
  bool negative = false;
  if (token.is(Kind::Exclamation) || token.is(Kind::Tilde)) {
    Nesting nesting(*this);
    Operator op = token.is(Kind::Tilde) ? Operator::BitNot : Operator::Not;
    Name name{infoOf(op).name.str(), token.range()};
    advance();
    std::vector<ExprPtr> operands;
    operands.push_back(nesting.tooDeep() ? nullptr : factor());
    if (!operands.front())
      return nullptr;
    return std::make_unique<CallExpr>(since(start), std::move(name), std::move(operands));
  }
  while (token.is(Kind::Minus)) {
    negative = !negative;
    advance();
  }
  ExprPtr operand = primary();
  if (!operand || !negative)
    return operand;
  return std::make_unique<NegateExpr>(since(start), std::move(operand));
}

// primary = NUMBER | TEXT | "(" expression ")" | NAME | access | call
ExprPtr ParserRules::primary() {
  llvm::SMLoc start = token.start();
  switch (token.kind) {
  case Kind::Integer:
  case Kind::Real:
  case Kind::Imaginary:
    return number();
  case Kind::Text: {
    std::string text = unquote(token.text);
    advance();
    return std::make_unique<TextExpr>(since(start), std::move(text));
  }
  case Kind::Name:
    return nameAccessOrCall();
  case Kind::LeftParen: {
    llvm::SMRange open = token.range();
    advance();
    ExprPtr inner = expression();
    if (!inner || !expect(Kind::RightParen, "or an operator", open))
      return nullptr;
    return inner;
  }
  default:
    expected("a tensor, a number or '('",
             token.is(Kind::Star) && text.take_front(token.text.data() - text.data()).ends_with("*")
                 ? "a power is written pow(x, 2)"
                 : "");
    return nullptr;
  }
}

ExprPtr ParserRules::number() {
  llvm::SMRange range = token.range();
  double value = 0;
  llvm::StringRef digits = token.text;
  bool imaginary = token.is(Kind::Imaginary) && digits.consume_back("i");
  if (digits.size() > 400 || digits.getAsDouble(value) || !std::isfinite(value)) {
    diagnostics.error(range, "this number is too large for a double")
        .note("the largest is about 1.8e308");
    return nullptr;
  }
  int64_t integer;
  bool whole = token.is(Kind::Integer) && !token.text.getAsInteger(10, integer);
  advance();
  if (imaginary)
    return std::make_unique<NumberExpr>(range, 0, std::nullopt, value);
  return std::make_unique<NumberExpr>(range, value,
                                      whole ? std::optional<int64_t>(integer) : std::nullopt);
}

// access = NAME coordinates;  call = NAME arguments
ExprPtr ParserRules::nameAccessOrCall() {
  llvm::SMLoc start = token.start();
  Name name{token.text.str(), token.range()};
  advance();
  bool subscript = startsSubscript(name);
  if (subscript || token.is(Kind::LeftBracket)) {
    std::vector<Coordinate> indices;
    if (!coordinates(indices, subscript ? Kind::RightBrace : Kind::RightBracket))
      return nullptr;
    return std::make_unique<AccessExpr>(since(start), std::move(name), std::move(indices));
  }
  if (!token.is(Kind::LeftParen))
    return std::make_unique<NameExpr>(std::move(name));
  std::vector<ExprPtr> values;
  if (!arguments(values))
    return nullptr;
  return std::make_unique<CallExpr>(since(start), std::move(name), std::move(values));
}

// `A_{i, j}`, as TACO's users may write in a statement alone: the name, without its underscore.
bool ParserRules::startsSubscript(Name &name) const {
  if (entry != Entry::OneLiner || !token.is(Kind::LeftBrace) || name.text.size() < 2 ||
      name.text.back() != '_')
    return false;
  name.text.pop_back();
  name.range.End = llvm::SMLoc::getFromPointer(name.range.End.getPointer() - 1);
  return true;
}

// coordinates = "[" [ sum { "," sum } ] "]"
bool ParserRules::coordinates(std::vector<Coordinate> &coordinates, Kind close) {
  Nesting nesting(*this);
  if (nesting.tooDeep())
    return false;
  advance();
  if (accept(close))
    return true;
  do {
    if (!token.is(Kind::Name) && !token.is(Kind::Integer) && !token.is(Kind::Real) &&
        !token.is(Kind::Minus) && !token.is(Kind::Tilde) && !token.is(Kind::LeftParen))
      return expected("a label");
    ExprPtr expr = sum();
    if (!expr)
      return false;
    coordinates.push_back(asCoordinate(std::move(expr)));
    if (token.is(Kind::Colon)) {
      diagnostics.error(token.range(), "a range cannot stand in an access")
          .note("a label with a range selects coordinates: IndexLabel [s] = [1:9:2];");
      return false;
    }
  } while (accept(Kind::Comma));
  return expect(close, "or ',' after a label");
}

// labels = "{" NAME { "," NAME } "}"
bool ParserRules::labels(std::vector<Name> &labels) {
  advance();
  if (accept(Kind::RightBrace))
    return true;
  do {
    if (entry == Entry::OneLiner && token.is(Kind::Integer)) {
      diagnostics.error(token.range(), "a set of coordinates cannot stand in place of an index")
          .note("put the coordinates into a tensor, -t=p:int64 -i=p:FILE, and write p(i) in place "
                "of i");
      return false;
    }
    if (!name(labels.emplace_back(), "a label"))
      return false;
  } while (accept(Kind::Comma));
  return expect(Kind::RightBrace, "or ',' after a label");
}

// arguments = "(" [ argument { "," argument } ] ")"
bool ParserRules::arguments(std::vector<ExprPtr> &arguments) {
  Nesting nesting(*this);
  if (nesting.tooDeep())
    return false;
  advance();
  if (accept(Kind::RightParen))
    return true;
  do {
    ExprPtr value = argument();
    if (!value)
      return false;
    arguments.push_back(std::move(value));
  } while (accept(Kind::Comma));
  return expect(Kind::RightParen, "or ',' after an argument");
}

// argument = expression | labels
ExprPtr ParserRules::argument() {
  if (!token.is(Kind::LeftBrace))
    return expression();
  llvm::SMLoc start = token.start();
  std::vector<Name> names;
  if (!labels(names))
    return nullptr;
  return std::make_unique<LabelsExpr>(since(start), std::move(names));
}

// The arguments of `A(i, j)` as labels.
std::vector<Coordinate> ParserRules::coordinatesOf(std::vector<ExprPtr> arguments) {
  std::vector<Coordinate> coordinates;
  for (ExprPtr &argument : arguments)
    coordinates.push_back(asCoordinate(std::move(argument)));
  return coordinates;
}

} // namespace strata::frontend
