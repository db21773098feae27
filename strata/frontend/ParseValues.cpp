// The grammar's rules for tensors that are written out.
#include "strata/frontend/ParserRules.h"

#include "strata/runtime/Counted.h"

namespace strata::frontend {

using namespace ast;

// values = list | "{" [ entry { "," entry } ] "}"
ExprPtr ParserRules::values() {
  auto result = std::make_unique<ValuesExpr>(token.range());
  if (token.is(Kind::LeftBracket)) {
    result->isList = true;
    std::vector<int64_t> coordinate;
    if (!listOfValues(*result, coordinate))
      return nullptr;
  } else {
    llvm::SMRange open = token.range();
    advance();
    if (!accept(Kind::RightBrace)) {
      do
        if (!entryOfValues(*result))
          return nullptr;
      while (accept(Kind::Comma));
      if (!expect(Kind::RightBrace, "or ',' after an entry", open))
        return nullptr;
    }
  }
  result->range = since(result->range.Start);
  return result;
}

// list = "[" ( list { "," list } | expression { "," expression } ) "]"
bool ParserRules::listOfValues(ValuesExpr &values, std::vector<int64_t> &coordinate) {
  Nesting nesting(*this);
  if (nesting.tooDeep())
    return false;
  llvm::SMRange open = token.range();
  size_t depth = coordinate.size();
  advance();
  coordinate.push_back(0);
  bool first = values.entries.empty() && values.sizes.size() == depth;
  if (first)
    values.sizes.push_back(0);
  do {
    bool nested = token.is(Kind::LeftBracket);
    // The first number says how deep all of them lie.
    if (depth >= values.sizes.size() ||
        (!values.entries.empty() && nested != (depth + 1 < values.sizes.size()))) {
      diagnostics.error(token.range(), "a list holds numbers, or lists of the same length")
          .note("a matrix is a list of rows: [[1, 2], [3, 4]]");
      return false;
    }
    if (nested) {
      if (!listOfValues(values, coordinate))
        return false;
    } else {
      llvm::SMLoc start = token.start();
      ExprPtr value = expression();
      if (!value)
        return false;
      values.entries.push_back({coordinate, since(start), std::move(value)});
    }
    ++coordinate.back();
  } while (accept(Kind::Comma));
  if (!expect(Kind::RightBracket, "or ',' after a value", open))
    return false;
  int64_t length = coordinate.back();
  if (values.sizes[depth] == 0)
    values.sizes[depth] = length;
  if (values.sizes[depth] != length) {
    diagnostics
        .error(since(open.Start), "this list has " + counted(length, "value") +
                                      ", but the first one has " + llvm::Twine(values.sizes[depth]))
        .note("all rows have the same length; to list some entries only: {(0, 1): 2.5}");
    return false;
  }
  coordinate.pop_back();
  return true;
}

// entry = "(" INTEGER { "," INTEGER } ")" ":" expression
bool ParserRules::entryOfValues(ValuesExpr &values) {
  ValuesExpr::Entry entry;
  entry.range = token.range();
  if (!expect(Kind::LeftParen, "and a coordinate, as in {(0, 1): 2.5}"))
    return false;
  do {
    Bound at;
    if (!token.is(Kind::Integer))
      return expected("a coordinate, which is an integer");
    if (!bound(at, "a coordinate"))
      return false;
    entry.coordinate.push_back(*at.number);
  } while (accept(Kind::Comma));
  if (!expect(Kind::RightParen, "or ',' after a coordinate", entry.range))
    return false;
  entry.range = since(entry.range.Start);
  if (!expect(Kind::Colon, "and the value, after the coordinate"))
    return false;
  entry.value = expression();
  bool read = entry.value != nullptr;
  values.entries.push_back(std::move(entry));
  return read;
}

} // namespace strata::frontend
