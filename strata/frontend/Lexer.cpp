// The lexer's rules; docs/Language.md lists them under "Words".
#include "strata/frontend/Lexer.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using llvm::isDigit;
using llvm::StringRef;

namespace strata::frontend {

static bool startsName(char c) { return llvm::isAlpha(c) || c == '_'; }
static bool continuesName(char c) { return llvm::isAlnum(c) || c == '_'; }

void Lexer::skipSpace() {
  while (position < text.size()) {
    char c = text[position];
    if (c == '#')
      position = std::min(text.find_first_of("\r\n", position), text.size());
    else if (c == ' ' || (c >= '\t' && c <= '\r'))
      ++position;
    // The byte order mark that some editors put before everything.
    else if (position == 0 && text.starts_with("\xEF\xBB\xBF"))
      position = 3;
    else
      return;
  }
}

Token Lexer::make(Token::Kind kind, size_t length) {
  Token token{kind, text.substr(position, length)};
  position += token.text.size();
  return token;
}

Token Lexer::next() {
  skipSpace();
  if (position >= text.size())
    return make(Token::Kind::End, 0);
  char c = text[position];
  if (startsName(c))
    return name();
  if (isDigit(c) || (c == '.' && isDigit(at(position + 1))))
    return number();
  if (c == '"')
    return quoted();
  return punctuation();
}

Token Lexer::name() {
  size_t end = position;
  while (continuesName(at(end)))
    ++end;
  return make(Token::Kind::Name, end - position);
}

// digits [. digits] [e [sign] digits] [i], with digits on at least one side of the point.
Token Lexer::number() {
  size_t end = position;
  auto digits = [&] {
    while (isDigit(at(end)))
      ++end;
  };
  bool real = false;
  digits();
  if (at(end) == 'x' && isDigit(at(end + 1))) {
    while (at(end) == 'x' && isDigit(at(end + 1))) {
      ++end;
      digits();
    }
    if (!continuesName(at(end)))
      return make(Token::Kind::Sizes, end - position);
  }
  // `2.*A` is 2 .* A.
  if (at(end) == '.' && at(end + 1) != '*') {
    real = true;
    ++end;
    digits();
  }
  if (at(end) == 'e' || at(end) == 'E') {
    size_t sign = at(end + 1) == '+' || at(end + 1) == '-' ? 1 : 0;
    if (isDigit(at(end + 1 + sign))) {
      real = true;
      end += 1 + sign;
      digits();
    }
  }
  if (at(end) == 'i' && !continuesName(at(end + 1)))
    return make(Token::Kind::Imaginary, end + 1 - position);
  if (startsName(at(end)) || (real && at(end) == '.' && at(end + 1) != '*')) {
    while (continuesName(at(end)) || at(end) == '.')
      ++end;
    Token token = make(Token::Kind::Bad, end - position);
    diagnostics.error(token.range(), "'" + token.text + "' is neither a number nor a name")
        .note("a name begins with a letter; a number looks like 3, 0.5, 1e-3 or 2i");
    return token;
  }
  return make(real ? Token::Kind::Real : Token::Kind::Integer, end - position);
}

Token Lexer::quoted() {
  size_t end = position + 1;
  while (end < text.size() && text[end] != '"' && text[end] != '\n' && text[end] != '\r')
    end += text[end] == '\\' && end + 1 < text.size() && text[end + 1] != '\n' ? 2 : 1;
  end = std::min(end, text.size());
  if (at(end) == '"')
    return make(Token::Kind::Text, end + 1 - position);
  Token token = make(Token::Kind::Bad, end - position);
  diagnostics.error(token.range(), "the text that begins here has no closing '\"' on its line")
      .note("close it with '\"'; within a text write \\\" for a quote");
  return token;
}

std::string unquote(StringRef token) {
  std::string text;
  StringRef inner = token.drop_front().drop_back();
  for (size_t i = 0; i < inner.size(); ++i) {
    if (inner[i] != '\\' || i + 1 == inner.size()) {
      text += inner[i];
      continue;
    }
    char c = inner[++i];
    text += c == 'n' ? '\n' : c == 't' ? '\t' : c;
  }
  return text;
}

Token Lexer::punctuation() {
  using Kind = Token::Kind;
  if (text.substr(position).starts_with("//"))
    return foreignComment();
  Kind two = llvm::StringSwitch<Kind>(text.substr(position, 2))
                 .Case("+=", Kind::PlusEqual)
                 .Case("-=", Kind::MinusEqual)
                 .Case("*=", Kind::StarEqual)
                 .Case("|=", Kind::BarEqual)
                 .Case("&=", Kind::AmpersandEqual)
                 .Case("==", Kind::EqualEqual)
                 .Case("!=", Kind::NotEqual)
                 .Case("<=", Kind::LessEqual)
                 .Case(">=", Kind::GreaterEqual)
                 .Case("->", Kind::Arrow)
                 .Case("&&", Kind::AndAnd)
                 .Case("||", Kind::OrOr)
                 .Case("<<", Kind::ShiftLeft)
                 .Case(">>", Kind::ShiftRight)
                 .Case(".*", Kind::DotStar)
                 .Default(Kind::Bad);
  if (two != Kind::Bad)
    return make(two, 2);
  Kind one = llvm::StringSwitch<Kind>(text.substr(position, 1))
                 .Case("(", Kind::LeftParen)
                 .Case(")", Kind::RightParen)
                 .Case("[", Kind::LeftBracket)
                 .Case("]", Kind::RightBracket)
                 .Case("{", Kind::LeftBrace)
                 .Case("}", Kind::RightBrace)
                 .Case(",", Kind::Comma)
                 .Case(";", Kind::Semicolon)
                 .Case(":", Kind::Colon)
                 .Case(".", Kind::Dot)
                 .Case("?", Kind::Question)
                 .Case("=", Kind::Equal)
                 .Case("+", Kind::Plus)
                 .Case("-", Kind::Minus)
                 .Case("*", Kind::Star)
                 .Case("/", Kind::Slash)
                 .Case("<", Kind::Less)
                 .Case(">", Kind::Greater)
                 .Case("@", Kind::At)
                 .Case("|", Kind::Bar)
                 .Case("&", Kind::Ampersand)
                 .Case("^", Kind::Caret)
                 .Case("~", Kind::Tilde)
                 .Case("!", Kind::Exclamation)
                 .Default(Kind::Bad);
  return one == Kind::Bad ? bad() : make(one, 1);
}

// `//` and what follows on its line.
Token Lexer::foreignComment() {
  diagnostics
      .error(Token{Token::Kind::Bad, text.substr(position, 2)}.range(), "'//' begins no comment")
      .note("a comment begins with '#'");
  return make(Token::Kind::Bad,
              std::min(text.find_first_of("\r\n", position), text.size()) - position);
}

// One report for a run of bytes that begin no token.
Token Lexer::bad() {
  static constexpr StringRef known = " \t\r\n\v\f()[]{},;:.?=+-*/<>@|&^~!#\"";
  size_t end = position;
  do
    ++end;
  while (end < text.size() && !continuesName(text[end]) &&
         known.find(text[end]) == StringRef::npos);
  if (text[position] == '\'') {
    size_t close = text.find_first_of("'\r\n", position + 1);
    end = close == StringRef::npos ? text.size() : close + (text[close] == '\'');
    Token token = make(Token::Kind::Bad, end - position);
    diagnostics.error(token.range(), "strings are written in double quotes").note("write \"...\"");
    return token;
  }
  Token token = make(Token::Kind::Bad, end - position);
  if (llvm::all_of(token.text, [](char c) { return llvm::isPrint(c); })) {
    diagnostics.error(token.range(), "'" + token.text + "' has no meaning here")
        .note(token.text == "%" ? "the remainder of a division is mod(x, y)"
                                : "the operators are + - * .* / | & ^ ~ << >>");
  } else {
    diagnostics
        .error(token.range(), "bytes that are no text of the language (0x" +
                                  llvm::toHex(token.text.take_front(8)) + ")")
        .note(
            "programs are written in ASCII; other characters may be used in comments and strings");
  }
  return token;
}

} // namespace strata::frontend
