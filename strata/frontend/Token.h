// The words of the language.
#ifndef STRATA_FRONTEND_TOKEN_H
#define STRATA_FRONTEND_TOKEN_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/SMLoc.h"

#include <iterator>

namespace strata::frontend {

struct Token {
  // `spelling` lists them in this order.
  enum class Kind {
    End,
    Name,
    Integer,
    Real,
    Imaginary, // 2i
    Sizes,     // 4x4
    Text,
    // Punctuation
    LeftParen,
    RightParen,
    LeftBracket,
    RightBracket,
    LeftBrace,
    RightBrace,
    Comma,
    Semicolon,
    Colon,
    Question,
    Equal,
    PlusEqual,
    MinusEqual,
    StarEqual,
    BarEqual,
    AmpersandEqual,
    EqualEqual,
    NotEqual,
    LessEqual,
    GreaterEqual,
    Bar,
    Ampersand,
    Caret,
    Tilde,
    ShiftLeft,
    ShiftRight,
    Exclamation,
    Plus,
    Minus,
    Star,
    DotStar,
    Dot,
    Slash,
    Less,
    Greater,
    AndAnd,
    OrOr,
    Arrow,
    At,
    // What the lexer has already complained about.
    Bad,
  };

  Kind kind = Kind::End;
  llvm::StringRef text; // the bytes in the buffer

  bool is(Kind other) const { return kind == other; }
  bool isName(llvm::StringRef name) const { return kind == Kind::Name && text == name; }
  llvm::SMLoc start() const { return llvm::SMLoc::getFromPointer(text.begin()); }
  llvm::SMLoc end() const { return llvm::SMLoc::getFromPointer(text.end()); }
  llvm::SMRange range() const { return {start(), end()}; }
};

/// How messages name a kind: "';'", "a name".
inline llvm::StringRef spelling(Token::Kind kind) {
  static constexpr llvm::StringRef spellings[] = {
      "the end", "a name",        "an integer", "a number", "an imaginary number",
      "sizes",   "a text",        "'('",        "')'",      "'['",
      "']'",     "'{'",           "'}'",        "','",      "';'",
      "':'",     "'?'",           "'='",        "'+='",     "'-='",
      "'*='",    "'|='",          "'&='",       "'=='",     "'!='",
      "'<='",    "'>='",          "'|'",        "'&'",      "'^'",
      "'~'",     "'<<'",          "'>>'",       "'!'",      "'+'",
      "'-'",     "'*'",           "'.*'",       "'.'",      "'/'",
      "'<'",     "'>'",           "'&&'",       "'||'",     "'->'",
      "'@'",     "something else"};
  static_assert(std::size(spellings) == size_t(Token::Kind::Bad) + 1, "one for each kind");
  return spellings[size_t(kind)];
}

} // namespace strata::frontend

#endif // STRATA_FRONTEND_TOKEN_H
