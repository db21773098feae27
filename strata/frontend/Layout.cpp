// Works on words and comments alone, so that programs with mistakes are laid out, too. What it has
// written is read again: other words would be a mistake of this file, and give nothing.
#include "strata/frontend/Layout.h"
#include "strata/frontend/Lexer.h"

#include "llvm/Support/MemoryBuffer.h"

using llvm::StringRef;

namespace strata::frontend {
namespace {

// A word or a comment, and what stands before it.
struct Piece {
  Token::Kind kind = Token::Kind::End; ///< Bad: a comment
  StringRef text;
  unsigned lines = 0;  ///< line breaks before it
  bool blank = false;  ///< blanks before it
  unsigned column = 0; ///< in bytes, from 0

  bool isComment() const { return kind == Token::Kind::Bad; }
  bool is(Token::Kind other) const { return kind == other; }
  bool isName(StringRef name) const { return kind == Token::Kind::Name && text == name; }
};

// The words and comments of a text, which a source manager keeps.
class Pieces {
public:
  explicit Pieces(StringRef text) : diagnostics(sources) {
    unsigned id = sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, "text"),
                                             llvm::SMLoc());
    whole = sources.getMemoryBuffer(id)->getBuffer();
    Lexer lexer(whole, diagnostics);
    const char *done = whole.data();
    for (Token token = lexer.next();; token = lexer.next()) {
      gap(StringRef(done, size_t(token.text.data() - done)));
      done = token.text.end();
      if (token.is(Token::Kind::End))
        break;
      add(token.kind, token.text);
    }
  }

  bool fine() const { return !diagnostics.hasErrors(); }
  std::vector<Piece> list;

private:
  void add(Token::Kind kind, StringRef text) {
    StringRef before = whole.take_front(size_t(text.data() - whole.data()));
    size_t line = before.find_last_of("\r\n");
    unsigned column = line == StringRef::npos ? before.size() : before.size() - line - 1;
    // Where the text begins, a line does.
    list.push_back({kind, text, list.empty() ? 1 : lines, blank, column});
    lines = 0;
    blank = false;
  }

  // Blanks, line breaks and comments.
  void gap(StringRef text) {
    while (!text.empty()) {
      if (text.front() == '#') {
        StringRef comment = text.take_front(text.find_first_of("\r\n"));
        add(Token::Kind::Bad, comment.rtrim());
        text = text.drop_front(comment.size());
        continue;
      }
      bool breaks = text.front() == '\n' || text.front() == '\r';
      lines += breaks;
      blank = true;
      text = text.drop_front(text.starts_with("\r\n") ? 2 : 1);
    }
  }

  llvm::SourceMgr sources;
  Diagnostics diagnostics;
  StringRef whole;
  unsigned lines = 0;
  bool blank = false;
};

bool opens(Token::Kind kind) {
  return kind == Token::Kind::LeftParen || kind == Token::Kind::LeftBracket ||
         kind == Token::Kind::LeftBrace;
}

bool closes(Token::Kind kind) {
  return kind == Token::Kind::RightParen || kind == Token::Kind::RightBracket ||
         kind == Token::Kind::RightBrace;
}

bool isOperator(Token::Kind kind) {
  return kind >= Token::Kind::Equal && kind <= Token::Kind::OrOr && kind != Token::Kind::Dot;
}

// Words behind which a parenthesis or a sign begins an expression of its own.
bool isKeyword(StringRef word) {
  static constexpr StringRef keywords[] = {"for",   "in",     "while", "until",    "if", "else",
                                           "limit", "return", "on",    "floordiv", "mod"};
  return llvm::is_contained(keywords, word);
}

class Layout {
public:
  explicit Layout(llvm::ArrayRef<Piece> pieces) : pieces(pieces) {}

  std::string run() {
    for (at = 0; at < pieces.size(); ++at) {
      if (pieces[at].isComment())
        comment();
      else
        word();
    }
    if (!out.empty())
      out += '\n';
    return std::move(out);
  }

private:
  struct Block {
    bool upToEnd;       ///< of a loop without braces
    size_t indentation; ///< of the line that opens it
  };
  /// What is open within a statement.
  struct Open {
    bool joins; ///< `@(`, whose inside has no blanks
  };
  /// What the last word did.
  enum class Done { Nothing, OpenedBlock, ClosedBlock, EndedStatement };

  const Piece &piece() const { return pieces[at]; }

  const Piece *followingWord() const {
    for (size_t next = at + 1; next < pieces.size(); ++next)
      if (!pieces[next].isComment())
        return &pieces[next];
    return nullptr;
  }

  size_t indentation() const { return blocks.empty() ? 0 : blocks.back().indentation + 2; }

  void startLine(size_t blanks) {
    if (!out.empty())
      out.append(piece().lines > 1 && done != Done::OpenedBlock ? 2 : 1, '\n');
    lineStart = out.size();
    lineIndentation = blanks;
    out.append(blanks, ' ');
  }

  // Where a line that continues a statement begins: it moves with the statement.
  size_t continuation() const {
    long moved = long(piece().column) + long(written) - long(given);
    return size_t(std::max(moved, long(written) + 2));
  }

  void comment() {
    if (!out.empty() && piece().lines == 0) {
      size_t width = out.size() - lineStart;
      out.append(std::max<size_t>(piece().column, width + 2) - width, ' ');
    } else {
      startLine(inStatement ? continuation() : indentation());
    }
    out += piece().text;
    lastIsComment = true;
  }

  void word() {
    const bool closesOne = closesBlock();
    size_t opened = 0; // the indentation of the line that opened what is closed here
    if (closesOne) {
      opened = blocks.back().indentation;
      blocks.pop_back();
      inStatement = false;
    }
    const bool first = !inStatement && !piece().is(Token::Kind::Semicolon);
    if (first && !closesOne)
      beginStatement();
    if (out.empty() || piece().lines > 0 || lastIsComment) {
      startLine(closesOne ? opened : first ? indentation() : continuation());
    } else if (blankBefore(closesOne)) {
      out += ' ';
    }
    if (first && !closesOne) {
      written = lineIndentation;
      given = piece().lines > 0 || at == 0 ? piece().column : given;
    }
    wasUnary = isUnary(piece(), previous);
    out += piece().text;
    lastIsComment = false;
    follow(closesOne);
    previous = &piece();
  }

  bool closesBlock() const {
    if (blocks.empty() || !open.empty())
      return false;
    return blocks.back().upToEnd ? piece().isName("end") && !inStatement
                                 : piece().is(Token::Kind::RightBrace);
  }

  bool opensBlock() const {
    if (!piece().is(Token::Kind::LeftBrace) || !open.empty())
      return false;
    return headed({"def", "for", "while", "repeat", "if", "else", "semiring"}) ||
           (previous && previous->isName("schedule"));
  }

  void beginStatement() {
    inStatement = true;
    assigned = false;
    head = piece().is(Token::Kind::Name) ? piece().text : "";
  }

  bool headed(llvm::ArrayRef<StringRef> words) const { return llvm::is_contained(words, head); }

  void beginBlock(bool upToEnd) {
    blocks.push_back({upToEnd, lineIndentation});
    inStatement = false;
    done = Done::OpenedBlock;
  }

  // What this word changes for those behind it.
  void follow(bool closedOne) {
    done = closedOne ? Done::ClosedBlock : Done::Nothing;
    if (closedOne)
      return;
    if (opensBlock())
      return beginBlock(/*upToEnd=*/false);
    if (opens(piece().kind))
      open.push_back({previous && previous->is(Token::Kind::At)});
    else if (closes(piece().kind) && !open.empty())
      open.pop_back();
    // `<M>=` is read as `<M` and `>=`.
    if ((isAssignment() && open.empty()) || (angle && piece().is(Token::Kind::GreaterEqual)))
      assigned = true;
    angle = angle ? !piece().is(Token::Kind::Greater) && !piece().is(Token::Kind::GreaterEqual)
                  : opensAngle();
    // Commas stand between the commands of a schedule and the parts of a semiring.
    if (open.empty() && !angle &&
        (piece().is(Token::Kind::Semicolon) || piece().is(Token::Kind::Comma))) {
      inStatement = false;
      done = Done::EndedStatement;
    }
    if (endsHeadOfLoop())
      beginBlock(/*upToEnd=*/true);
  }

  // Of a loop without braces, which goes up to `end`: for t in range(0, n)
  bool endsHeadOfLoop() const {
    if (!headed({"for", "while"}) || !inStatement || !open.empty())
      return false;
    const Piece *next = followingWord();
    bool goesOn = next && (next->is(Token::Kind::LeftBrace) || next->is(Token::Kind::Colon) ||
                           next->isName("limit"));
    return !goesOn && (piece().is(Token::Kind::RightParen) || piece().is(Token::Kind::Colon) ||
                       (previous && previous->isName("limit")));
  }

  bool isAssignment() const {
    return piece().is(Token::Kind::Equal) ||
           (piece().kind >= Token::Kind::PlusEqual && piece().kind <= Token::Kind::AmpersandEqual);
  }

  // `<` of an element type or of a mask.
  bool opensAngle() const {
    if (!piece().is(Token::Kind::Less))
      return false;
    if (previous && previous->isName("Tensor"))
      return true;
    return open.empty() && !assigned &&
           !headed({"for", "while", "repeat", "until", "if", "else", "var", "return"});
  }

  // A sign that stands before its operand.
  static bool isUnary(const Piece &sign, const Piece *before) {
    if (sign.is(Token::Kind::Exclamation) || sign.is(Token::Kind::Tilde))
      return true;
    if (!sign.is(Token::Kind::Minus) && !sign.is(Token::Kind::Plus))
      return false;
    return !before || opens(before->kind) || before->is(Token::Kind::Comma) ||
           before->is(Token::Kind::Colon) || isOperator(before->kind) ||
           (before->is(Token::Kind::Name) && isKeyword(before->text));
  }

  // Between two words of one line.
  bool blankBefore(bool closesOne) const {
    using Kind = Token::Kind;
    const Piece &word = piece(), &before = *previous;
    if (!open.empty() && open.back().joins)
      return isWord(before) && isWord(word);
    if (closesOne || done != Done::Nothing)
      return !word.is(Kind::Semicolon);
    if (opensBlock())
      return true;
    if (word.is(Kind::Comma) || word.is(Kind::Semicolon) || closes(word.kind) || wasUnary ||
        opens(before.kind) || before.is(Kind::At))
      return false;
    if (angle || opensAngle())
      return before.is(Kind::Comma);
    if (word.is(Kind::LeftParen) || word.is(Kind::LeftBracket))
      return blankBeforeOpening(before);
    // What has two usual spellings, or a meaning of its own where it is written together.
    bool together = word.is(Kind::Colon) || before.is(Kind::Colon) || word.is(Kind::Dot) ||
                    before.is(Kind::Dot) ||
                    (word.is(Kind::LeftBrace) && before.text.ends_with("_")) ||
                    (word.is(Kind::Equal) &&
                     (before.isName("min") || before.isName("max") || before.isName("any")));
    return !together || word.blank;
  }

  static bool isWord(const Piece &piece) {
    return piece.kind >= Token::Kind::Name && piece.kind <= Token::Kind::Text;
  }

  static bool blankBeforeOpening(const Piece &before) {
    if (before.is(Token::Kind::Name))
      return before.text == "IndexLabel" || isKeyword(before.text);
    return !closes(before.kind) || before.is(Token::Kind::RightBrace);
  }

  llvm::ArrayRef<Piece> pieces;
  size_t at = 0;
  std::string out;
  size_t lineStart = 0, lineIndentation = 0; ///< of the line that is written
  std::vector<Block> blocks;
  std::vector<Open> open;
  StringRef head; ///< the first word of the statement
  const Piece *previous = nullptr;
  Done done = Done::Nothing;
  bool inStatement = false, assigned = false, angle = false, wasUnary = false;
  bool lastIsComment = false;
  size_t written = 0, given = 0; ///< where the statement's first line begins, and began
};

} // namespace

std::optional<std::string> layOut(StringRef text) {
  Pieces given(text);
  if (!given.fine())
    return std::nullopt;
  std::string result = Layout(given.list).run();
  Pieces written(result);
  bool same = written.fine() &&
              std::equal(given.list.begin(), given.list.end(), written.list.begin(),
                         written.list.end(), [](const Piece &a, const Piece &b) {
                           return a.kind == b.kind && a.text == b.text && !a.lines == !b.lines;
                         });
  return same ? std::optional(result) : std::nullopt;
}

} // namespace strata::frontend
