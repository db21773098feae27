// The parser's entries, its tokens and how it recovers.
#include "strata/frontend/ParserRules.h"

using llvm::StringRef;

namespace strata::frontend {

ast::Module parseProgram(unsigned id, Diagnostics &diagnostics) {
  return ParserRules(id, ParserRules::Entry::Program, diagnostics).program();
}

std::unique_ptr<ast::AssignStmt> parseOneLiner(unsigned id, Diagnostics &diagnostics) {
  return ParserRules(id, ParserRules::Entry::OneLiner, diagnostics).oneLiner();
}

std::optional<ast::Format> parseFormat(unsigned id, Diagnostics &diagnostics) {
  return ParserRules(id, ParserRules::Entry::OneLiner, diagnostics).loneFormat();
}

std::optional<ast::Schedule> parseSchedule(unsigned id, Diagnostics &diagnostics) {
  return ParserRules(id, ParserRules::Entry::Schedule, diagnostics).loneSchedule();
}

ParserRules::ParserRules(unsigned buffer, Entry entry, Diagnostics &diagnostics)
    : diagnostics(diagnostics),
      text(diagnostics.sourceManager().getMemoryBuffer(buffer)->getBuffer()),
      lexer(text, diagnostics), entry(entry),
      previousEnd(llvm::SMLoc::getFromPointer(text.data())) {
  token = lexer.next();
}

void ParserRules::advance() {
  previousEnd = token.end();
  if (token.is(Kind::LeftBrace))
    ++openBraces;
  else if (token.is(Kind::RightBrace) && openBraces > 0)
    --openBraces;
  token = lexer.next();
}

bool ParserRules::accept(Kind kind) {
  if (!token.is(kind))
    return false;
  advance();
  return true;
}

bool ParserRules::expect(Kind kind, const llvm::Twine &where, llvm::SMRange opened) {
  if (accept(kind))
    return true;
  if (token.is(Kind::Bad))
    return false;
  // What is missing at the end of a line is missing there, not where the next line begins.
  std::string message = ("expected " + spelling(kind) + " " + where).str();
  bool atEnd = startsLine(token) || token.is(Kind::End);
  auto report = diagnostics.error(atEnd ? llvm::SMRange(previousEnd, previousEnd) : token.range(),
                                  atEnd ? message : message + ", found " + describe(token));
  if (opened.isValid())
    report.note("to close what is opened here", opened);
  return false;
}

bool ParserRules::name(ast::Name &name, const llvm::Twine &what) {
  if (!token.is(Kind::Name))
    return expected(what);
  name = {token.text.str(), token.range()};
  advance();
  return true;
}

bool ParserRules::expected(const llvm::Twine &what, const llvm::Twine &hint) {
  if (!token.is(Kind::Bad))
    diagnostics.error(token.range(), "expected " + what + ", found " + describe(token)).note(hint);
  return false;
}

std::string ParserRules::describe(const Token &token) const {
  if (token.is(Kind::End))
    return entry == Entry::Program    ? "the end of the program"
           : entry == Entry::Schedule ? "the end of the schedule"
                                      : "the end of the statement";
  if (token.text.size() > 40)
    return spelling(token.kind).str();
  return token.is(Kind::Text) ? token.text.str() : ("'" + token.text + "'").str();
}

bool ParserRules::startsLine(const Token &token) const {
  StringRef before = text.take_front(token.text.data() - text.data()).rtrim(" \t");
  return before.empty() || before.ends_with("\n") || before.ends_with("\r");
}

bool ParserRules::startsStatement(const Token &token) const {
  static constexpr StringRef keywords[] = {"IndexLabel", "Tensor", "var",    "return", "def",
                                           "for",        "while",  "repeat", "if",     "break"};
  return token.is(Kind::Name) && llvm::is_contained(keywords, token.text);
}

// Skips to behind the next `;`, or to what ends the block or begins another statement.
void ParserRules::skipStatement() {
  while (!token.is(Kind::End)) {
    if (accept(Kind::Semicolon))
      return;
    // A brace that was opened within the statement closes there, unless it stands alone.
    if (token.is(Kind::RightBrace) && (openBraces == 0 || startsLine(token)))
      return;
    if (startsStatement(token) && startsLine(token))
      return;
    advance();
  }
}

bool ParserRules::Nesting::tooDeep() {
  if (parser.depth <= maxDepth)
    return false;
  parser.refuseDepth(parser.token.range());
  return true;
}

bool ParserRules::Leaning::tooDeep(llvm::SMRange at) {
  if (!exceeds())
    return false;
  parser.refuseDepth(at);
  return true;
}

void ParserRules::refuseDepth(llvm::SMRange at) {
  diagnostics
      .error(at, "this is nested too deeply (more than " + llvm::Twine(maxDepth) + " levels)")
      .note("give a part of it a name of its own");
}

} // namespace strata::frontend
