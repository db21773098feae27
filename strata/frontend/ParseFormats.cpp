// The grammar's rules for storage formats.
#include "strata/frontend/ParserRules.h"

#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <limits>

namespace strata::frontend {

using namespace ast;
using llvm::StringRef;

// A format alone, for the command line: ( format | LETTERS [ ":" INTEGER { "," INTEGER } ]
// placement )
//                                       { "," format-option }
std::optional<Format> ParserRules::loneFormat() {
  bool letters = token.is(Kind::Name) && token.text.find_first_not_of("dscuq") == StringRef::npos;
  std::optional<Format> result = letters ? formatLetters() : format();
  if (result && letters && !placement(*result))
    return std::nullopt;
  if (result && !formatOptions(*result))
    return std::nullopt;
  if (result && !token.is(Kind::End)) {
    expected("the end of the format",
             letters && token.is(Kind::Colon)
                 ? "the letters are followed by the order of the dimensions only: ds:1,0"
                 : "");
    return std::nullopt;
  }
  return result;
}

// One small letter for each level, then the order in which levels store dimensions.
std::optional<Format> ParserRules::formatLetters() {
  Format result;
  result.kind = Format::Kind::Levels;
  llvm::SMLoc start = token.start();
  for (size_t i = 0; i < token.text.size(); ++i) {
    const char *letter = token.text.data() + i;
    result.words.push_back(
        {std::string(1, *letter),
         {llvm::SMLoc::getFromPointer(letter), llvm::SMLoc::getFromPointer(letter + 1)}});
  }
  advance();
  if (accept(Kind::Colon)) {
    do {
      if (token.is(Kind::Name) && !result.order.empty()) {
        if (!formatOption(result.options.emplace_back()))
          return std::nullopt;
        break;
      }
      unsigned dimension;
      if (!token.is(Kind::Integer) || token.text.getAsInteger(10, dimension)) {
        expected("a dimension's number");
        return std::nullopt;
      }
      advance();
      result.order.push_back(dimension);
    } while (accept(Kind::Comma));
  }
  result.range = since(start);
  return result;
}

// format = format-part { "+" format-part } placement
std::optional<Format> ParserRules::format() {
  std::optional<Format> result = formatPart();
  if (result)
    result = formatSum(std::move(*result));
  return result && placement(*result) ? std::move(result) : std::nullopt;
}

// The format, or the sum of it and what follows.
std::optional<Format> ParserRules::formatSum(Format first) {
  if (!token.is(Kind::Plus))
    return first;
  Format result;
  result.kind = Format::Kind::Sum;
  llvm::SMLoc start = first.range.Start;
  result.parts.push_back(std::move(first));
  while (accept(Kind::Plus)) {
    std::optional<Format> part = formatPart();
    if (!part)
      return std::nullopt;
    result.parts.push_back(std::move(*part));
  }
  result.range = since(start);
  return result;
}

// format-part = format-name | "{" format-inner { "," format-option } "}" [ ":" INTEGER ]
//             | format-map { "," format-option } [ ":" INTEGER ]
// format-inner = format-words { "," format-option } { "+" format-part } | format-map
//              | format-part "+" format-part { "+" format-part }
std::optional<Format> ParserRules::formatPart() {
  Nesting nesting(*this);
  llvm::SMLoc start = token.start();
  if (nesting.tooDeep())
    return std::nullopt;
  bool braces = accept(Kind::LeftBrace);
  std::optional<Format> result = formatInside(braces);
  if (!result || (braces && !expect(Kind::RightBrace, "to close the format")))
    return std::nullopt;
  bool limited = result->kind == Format::Kind::Levels || result->kind == Format::Kind::Map ||
                 (braces && result->kind == Format::Kind::Named);
  if (limited && accept(Kind::Colon)) {
    int64_t &limit = result->limit.emplace();
    if (!token.is(Kind::Integer) || token.text.getAsInteger(10, limit) || limit == 0) {
      expected("the limit of a part of a sum, a number above 0");
      return std::nullopt;
    }
    advance();
  }
  result->range = since(start);
  return result;
}

// What stands alone or in braces.
std::optional<Format> ParserRules::formatInside(bool braces) {
  Format result;
  llvm::SMLoc start = token.start();
  if (braces && token.is(Kind::LeftBrace)) {
    std::optional<Format> part = formatPart();
    if (!part)
      return std::nullopt;
    if (!token.is(Kind::Plus)) {
      expected("'+' and another part of a sum");
      return std::nullopt;
    }
    result = std::move(*part);
  } else if (token.is(Kind::LeftParen) ? !formatMap(result)
             : braces                  ? !formatWords(result)
                                       : !formatName(result.words.emplace_back())) {
    return std::nullopt;
  }
  result.range = since(start);
  if (!braces || !token.is(Kind::Plus))
    return result;
  std::optional<Format> sum = formatSum(std::move(result));
  return sum && formatOptions(*sum) ? sum : std::nullopt;
}

// format-name = NAME { "-" NAME } [ ":" ( INTEGER [ "," INTEGER ] | SIZES ) [ ":" INTEGER ] ]
bool ParserRules::formatName(Name &word) {
  if (!token.is(Kind::Name))
    return expected("a storage format",
                    "a format is a name (CSR), a list with one word for each dimension ({D, CU}), "
                    "or a map ({(i, j) -> (i : ..., j : ...)})");
  word = {token.text.str(), token.range()};
  advance();
  while (accept(Kind::Minus)) {
    if (!token.is(Kind::Name))
      return expected("the rest of the format's name");
    word.text += ("-" + token.text).str();
    advance();
  }
  if (accept(Kind::Colon)) {
    if (!token.is(Kind::Integer) && !token.is(Kind::Sizes))
      return expected("the sizes of the format's blocks", "for example BCSR:4x4 or CSB:64");
    word.text += (":" + token.text).str();
    bool more = token.is(Kind::Integer);
    advance();
    // (Behind any other comma stands a name.)
    StringRef rest = StringRef(token.text.end()).ltrim(" \t");
    if (more && token.is(Kind::Comma) && rest.find_first_of("0123456789") == 0) {
      advance();
      word.text += ("," + token.text).str();
      if (!token.is(Kind::Integer))
        return expected("the second of the format's numbers", "for example SELL:32,256");
      advance();
    }
    // The limit of a part of a sum, BCSR:4x4:60.
    if (accept(Kind::Colon)) {
      word.text += (":" + token.text).str();
      if (!token.is(Kind::Integer))
        return expected("the limit of a part of a sum", "for example BCSR:4x4:60 + CSR");
      advance();
    }
  }
  word.range.End = previousEnd;
  return true;
}

// format-words = format-name { "," format-name }, then options. With a number behind a name: D:4.
bool ParserRules::formatWords(Format &format) {
  do {
    if (!formatName(format.words.emplace_back()))
      return false;
    // The word read last is an option's key, if it is a name alone.
    StringRef word = format.words.back().text;
    if (!token.is(Kind::Equal) || format.words.size() == 1 || word.find_first_of("-:") != word.npos)
      continue;
    FormatOption &option = format.options.emplace_back(FormatOption{format.words.back()});
    format.words.pop_back();
    if (!formatOption(option) || !formatOptions(format))
      return false;
    break;
  } while (accept(Kind::Comma));
  format.kind = format.words.size() == 1 ? Format::Kind::Named : Format::Kind::Levels;
  return true;
}

// format-dimension = NAME [ "sorted" [ "(" INTEGER ")" ] ]
bool ParserRules::formatDimension(Format &format) {
  if (!name(format.dimensions.emplace_back(), "a dimension's name"))
    return false;
  if (!token.isName("sorted"))
    return true;
  advance();
  format.windows.resize(format.dimensions.size());
  int64_t &window = format.windows.back();
  window = std::numeric_limits<int64_t>::max();
  if (!accept(Kind::LeftParen))
    return true;
  if (!token.is(Kind::Integer) || token.text.getAsInteger(10, window) || window == 0)
    return expected("the size of the windows that are sorted, a number above 0");
  advance();
  return expect(Kind::RightParen, "after the size of the windows");
}

// format-map = "(" format-dimension { "," format-dimension } ")"
//              "->" "(" format-level { "," format-level } ")", then options.
bool ParserRules::formatMap(Format &format) {
  format.kind = Format::Kind::Map;
  advance();
  do
    if (!formatDimension(format))
      return false;
  while (accept(Kind::Comma));
  if (!format.windows.empty())
    format.windows.resize(format.dimensions.size());
  if (!expect(Kind::RightParen, "after the dimensions") ||
      !expect(Kind::Arrow, "between the dimensions and the levels") ||
      !expect(Kind::LeftParen, "before the levels"))
    return false;
  do
    if (!formatLevel(format.levels.emplace_back()))
      return false;
  while (accept(Kind::Comma));
  return expect(Kind::RightParen, "or ',' after a level") && formatOptions(format);
}

// format-level = level-coordinate ":" NAME [ "(" level-word { "," level-word } ")" ]
// level-word = NAME | INTEGER | format-option
bool ParserRules::formatLevel(FormatLevel &level) {
  level.coordinate = levelCoordinate();
  if (!level.coordinate || !expect(Kind::Colon, "between a level's coordinate and its format") ||
      !name(level.format, "a level format"))
    return false;
  if (!accept(Kind::LeftParen))
    return true;
  do {
    if (token.is(Kind::Integer)) {
      if (token.text.getAsInteger(10, level.parameter) || level.parameter == 0)
        return expected("a number above 0 that fits 64 bits");
      advance();
      continue;
    }
    FormatOption &property = level.properties.emplace_back();
    if (!name(property.key, "a property of the level"))
      return false;
    if (token.is(Kind::Equal) && !formatOption(property))
      return false;
  } while (accept(Kind::Comma));
  return expect(Kind::RightParen, "or ',' after a property");
}

// level-coordinate = "slot" "(" map-sum { "," map-sum } ")" | map-sum
std::shared_ptr<MapExpr> ParserRules::levelCoordinate() {
  bool slot = token.isName("slot") && StringRef(token.text.end()).ltrim(" \t").starts_with("(");
  if (!slot)
    return mapSum();
  auto result = std::make_shared<MapExpr>();
  llvm::SMLoc start = token.start();
  result->kind = MapExpr::Kind::Slot;
  advance();
  llvm::SMRange open = token.range();
  advance();
  do {
    result->counted.push_back(mapSum());
    if (!result->counted.back())
      return nullptr;
  } while (accept(Kind::Comma));
  if (!expect(Kind::RightParen, "or ',' after what a slot counts", open))
    return nullptr;
  result->range = since(start);
  return result;
}

bool ParserRules::formatOptions(Format &format) {
  while (accept(Kind::Comma))
    if (!formatOption(format.options.emplace_back()))
      return false;
  return true;
}

// format-option = NAME "=" complex-number; the name may have been read already.
bool ParserRules::formatOption(FormatOption &option) {
  if ((option.key.text.empty() && !name(option.key, "an option (pos, crd or fill)")) ||
      !expect(Kind::Equal, "after an option"))
    return false;
  llvm::SMLoc start = token.start();
  if (!complexNumber(option.value))
    return false;
  option.range = since(start);
  return true;
}

// Tells whether a number goes on behind its real part and a sign: a `+` may also stand before the
// next part of a sum of formats.
static bool continuesNumber(StringRef behind) {
  StringRef word = behind.ltrim().take_while([](char c) { return llvm::isAlnum(c) || c == '.'; });
  return word == "infi" || word == "nani" || word.starts_with(".") ||
         (!word.empty() && llvm::isDigit(word.front()));
}

// complex-number = [ "-" ] part-of-number [ ( "+" | "-" ) part-of-number ]
bool ParserRules::complexNumber(std::optional<std::complex<double>> &number) {
  bool negative = accept(Kind::Minus);
  const bool isReal = !startsImaginary();
  std::complex<double> first, second;
  if (!partOfNumber(first))
    return false;
  // (A zero has no sign.)
  number = negative ? std::complex<double>(0 - first.real(), 0 - first.imag()) : first;
  const bool isSigned = token.is(Kind::Plus) || token.is(Kind::Minus);
  if (!isReal || !isSigned || !continuesNumber(token.text.end()))
    return true;
  negative = token.is(Kind::Minus);
  advance();
  if (!startsImaginary())
    return expected("the imaginary part of a number", "for example 1 + 2i");
  if (!partOfNumber(second))
    return false;
  number = std::complex<double>(number->real(), negative ? 0 - second.imag() : second.imag());
  return true;
}

// part-of-number = NUMBER | "inf" | "nan" | "infi" | "nani"
bool ParserRules::partOfNumber(std::complex<double> &part) {
  StringRef digits = token.text;
  const bool isImaginary = startsImaginary();
  if (isImaginary)
    digits = digits.drop_back();
  const bool isWord = token.is(Kind::Name);
  double value = digits == "inf" ? std::numeric_limits<double>::infinity()
                                 : std::numeric_limits<double>::quiet_NaN();
  const bool isNumber = token.is(Kind::Integer) || token.is(Kind::Real) || isImaginary;
  if (isWord ? digits != "inf" && digits != "nan" : !isNumber || digits.getAsDouble(value))
    return expected("a number, inf or nan");
  if (!isWord && !std::isfinite(value)) {
    diagnostics.error(token.range(), "this number is too large for a double")
        .note("the largest is about 1.8e308");
    return false;
  }
  advance();
  part = isImaginary ? std::complex<double>(0, value) : value;
  return true;
}

bool ParserRules::startsImaginary() const {
  return token.is(Kind::Imaginary) || token.isName("infi") || token.isName("nani");
}

static std::shared_ptr<MapExpr> combine(MapExpr::Kind kind, std::shared_ptr<MapExpr> lhs,
                                        std::shared_ptr<MapExpr> rhs) {
  auto result = std::make_shared<MapExpr>();
  result->kind = kind;
  result->range = {lhs->range.Start, rhs->range.End};
  result->lhs = std::move(lhs);
  result->rhs = std::move(rhs);
  return result;
}

// map-sum = map-product { ( "+" | "-" ) map-product }
std::shared_ptr<MapExpr> ParserRules::mapSum() {
  Nesting nesting(*this);
  Leaning leaning(*this);
  std::shared_ptr<MapExpr> result = nesting.tooDeep() ? nullptr : mapProduct();
  while (result && (token.is(Kind::Plus) || token.is(Kind::Minus))) {
    auto kind = token.is(Kind::Plus) ? MapExpr::Kind::Add : MapExpr::Kind::Subtract;
    advance();
    std::shared_ptr<MapExpr> rhs = mapProduct();
    if (!rhs || leaning.exceeds()) {
      if (rhs)
        expected("a coordinate of fewer terms");
      return nullptr;
    }
    result = combine(kind, std::move(result), std::move(rhs));
  }
  return result;
}

// map-product = map-primary { ( "*" | "floordiv" | "mod" ) map-primary }
std::shared_ptr<MapExpr> ParserRules::mapProduct() {
  Leaning leaning(*this);
  std::shared_ptr<MapExpr> result = mapPrimary();
  while (result) {
    MapExpr::Kind kind;
    if (token.is(Kind::Star))
      kind = MapExpr::Kind::Multiply;
    else if (token.isName("floordiv"))
      kind = MapExpr::Kind::FloorDiv;
    else if (token.isName("mod"))
      kind = MapExpr::Kind::Mod;
    else
      return result;
    advance();
    std::shared_ptr<MapExpr> rhs = mapPrimary();
    if (!rhs || leaning.exceeds()) {
      if (rhs)
        expected("a coordinate of fewer factors");
      return nullptr;
    }
    result = combine(kind, std::move(result), std::move(rhs));
  }
  return nullptr;
}

// map-primary = INTEGER | NAME | "(" map-sum ")"
std::shared_ptr<MapExpr> ParserRules::mapPrimary() {
  llvm::SMRange open = token.range();
  if (accept(Kind::LeftParen)) {
    std::shared_ptr<MapExpr> inner = mapSum();
    return inner && expect(Kind::RightParen, "or an operator", open) ? inner : nullptr;
  }
  auto result = std::make_shared<MapExpr>();
  result->range = token.range();
  if (token.is(Kind::Integer)) {
    result->kind = MapExpr::Kind::Constant;
    if (token.text.getAsInteger(10, result->constant)) {
      diagnostics.error(token.range(), "this number is too large");
      return nullptr;
    }
    advance();
    return result;
  }
  result->kind = MapExpr::Kind::Dimension;
  return name(result->dimension, "a level's coordinate") ? result : nullptr;
}

} // namespace strata::frontend
