// Cuts a program's text into tokens. Takes any bytes: what is no token is reported and skipped.
#ifndef STRATA_FRONTEND_LEXER_H
#define STRATA_FRONTEND_LEXER_H

#include "strata/frontend/Diagnostics.h"
#include "strata/frontend/Token.h"

namespace strata::frontend {

class Lexer {
public:
  /// `text` must lie in a buffer of the diagnostics' source manager.
  Lexer(llvm::StringRef text, Diagnostics &diagnostics) : text(text), diagnostics(diagnostics) {}

  /// The next token; `End` at the end, again and again.
  Token next();

private:
  void skipSpace();
  Token make(Token::Kind kind, size_t length);
  Token name();
  Token number();
  Token quoted();
  Token punctuation();
  Token foreignComment();
  Token bad();
  char at(size_t offset) const { return offset < text.size() ? text[offset] : '\0'; }

  llvm::StringRef text;
  size_t position = 0;
  Diagnostics &diagnostics;
};

/// The text between the quotes of a Text token, with its escapes (\" \\ \n \t) replaced.
std::string unquote(llvm::StringRef token);

} // namespace strata::frontend

#endif // STRATA_FRONTEND_LEXER_H
