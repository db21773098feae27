// Formats: the counts of words and dimensions, and every name, each with what it might have meant.
// What a format's levels imply for each other is the vocabulary's to judge.
#include "strata/frontend/Analyzer.h"
#include "strata/frontend/Suggest.h"

#include "strata/runtime/Counted.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

namespace strata::frontend {

using llvm::StringRef;

// "did you mean ...", or all that there is.
static std::string hintFor(StringRef name, llvm::ArrayRef<StringRef> known, StringRef what) {
  std::string hint = didYouMean(name, known);
  return hint.empty() ? (what + " are " + quotedList(known)).str() : hint;
}

static bool isKnown(StringRef name, llvm::ArrayRef<StringRef> known) {
  auto plain = [](StringRef text) {
    std::string result = text.lower();
    llvm::erase_if(result, [](char c) { return c == '-' || c == '_'; });
    return result;
  };
  // BCSR:4x4 is known by what stands before the sizes.
  StringRef word = name.split(':').first;
  return llvm::any_of(known, [&](StringRef other) { return plain(other) == plain(word); });
}

// The first of letters such as `dp`, one for each dimension, that means nothing; empty if the word
// cannot be meant so.
static StringRef unknownLetter(StringRef word, unsigned order) {
  size_t at = word.find_first_not_of("dscuq");
  bool letters = word.size() == order && llvm::all_of(word, llvm::isLower);
  return letters && at != StringRef::npos ? word.substr(at, 1) : StringRef();
}

bool checkFormat(const ast::Format &format, unsigned order, ElementType type, StringRef tensor,
                 const FormatVocabulary &formats, Diagnostics &diagnostics) {
  Parameters none;
  return Analyzer(none, formats, diagnostics).checkFormat(format, order, type, tensor);
}

// Tells whether the fill is a value of the elements.
bool Analyzer::checkFill(const ast::FormatOption &option, ElementType type, StringRef tensor) {
  double value = option.value->real();
  bool whole = std::trunc(value) == value && std::abs(value) < 0x1p63;
  bool held = kindOf(type) >= NumberKind::Real || (whole && holds(type, int64_t(value)));
  held &= isComplex(type) || option.value->imag() == 0;
  if (option.key.text != "fill" || held)
    return true;
  llvm::StringRef text(option.range.Start.getPointer(),
                       option.range.End.getPointer() - option.range.Start.getPointer());
  diagnostics.error(option.range, tensor + " has elements of type " + elementTypeName(type) +
                                      ", of which " + text + " is none");
  return false;
}

// Parts of a sum may say their fills themselves.
bool Analyzer::checkFills(const ast::Format &format, ElementType type, StringRef tensor) {
  return llvm::all_of(
             format.options,
             [&](const ast::FormatOption &option) { return checkFill(option, type, tensor); }) &&
         llvm::all_of(format.parts,
                      [&](const ast::Format &part) { return checkFills(part, type, tensor); });
}

bool Analyzer::checkFormat(const ast::Format &format, unsigned order, ElementType type,
                           StringRef tensor) {
  if (!checkFormatNames(format, order, tensor) || !checkFills(format, type, tensor))
    return false;
  std::string problem = formats.problem(format, order);
  if (!problem.empty())
    diagnostics.error(format.range, tensor + " cannot have this format: " + problem);
  return problem.empty();
}

// Every name is known, and there are as many words as dimensions.
bool Analyzer::checkFormatNames(const ast::Format &format, unsigned order, StringRef tensor) {
  bool known = true;
  switch (format.kind) {
  case ast::Format::Kind::Named:
    // {CU} for a vector is a list of one word.
    if (isKnown(format.words.front().text, formats.formatNames()) ||
        (order == 1 && isKnown(format.words.front().text, formats.levelWords())))
      break;
    if (StringRef letter = unknownLetter(format.words.front().text, order); !letter.empty()) {
      diagnostics.error(format.words.front().range, "unknown letter '" + letter + "' for a level")
          .note(
              "the letters are d (dense), s or c (compressed), u (compressed with repetition) and "
              "q (singleton)")
          .note(letter == "p"   ? "rows of one length, padded, are ELL: write ELL"
                : letter == "z" ? "zeros are left out when a tensor is stored: write s"
                                : "");
      return false;
    }
    diagnostics
        .error(format.words.front().range,
               "unknown storage format '" + format.words.front().text + "'")
        .note(hintFor(format.words.front().text, formats.formatNames(), "formats"));
    return false;
  case ast::Format::Kind::Levels:
    known = checkFormatWords(format, order, tensor);
    break;
  case ast::Format::Kind::Map:
    known = checkFormatMap(format, order, tensor);
    break;
  case ast::Format::Kind::Sum:
    known = llvm::all_of(format.parts, [&](const ast::Format &part) {
      return checkFormatNames(part, order, tensor);
    });
    break;
  }
  return known && llvm::all_of(format.options, [&](const ast::FormatOption &option) {
           return checkFormatOption(option);
         });
}

// The words of a format as those of one in blocks: {D, CU, D:4, D:4}.
static std::string inBlocksOf(llvm::ArrayRef<ast::Name> words) {
  std::string text;
  for (auto [at, word] : llvm::enumerate(words))
    text += (at ? ", " : "{") + word.text + (at < words.size() / 2 ? "" : ":4");
  return text + "}";
}

// What to write for a format in blocks or slots whose levels COMET lists for a matrix, one word for
// each; empty if the words are none of these.
static std::string namedByComet(llvm::ArrayRef<ast::Name> words, unsigned order) {
  struct Named {
    StringRef levels, means;
  };
  static constexpr Named all[] = {{"D D S", "ELLPACK: write ELL"},
                                  {"D CU D D", "BCSR: write BCSR, or BCSR:2x3 for blocks of 2 x 3"},
                                  {"D D CN S", "CSB: write CSB, or CSB:64 for blocks of 64 x 64"}};
  std::string levels;
  for (const ast::Name &word : words)
    levels += (levels.empty() ? "" : " ") + StringRef(word.text).split(':').first.upper();
  const Named *found = llvm::find_if(all, [&](const Named &one) { return one.levels == levels; });
  return order == 2 && found != std::end(all) ? ("these are the levels of " + found->means).str()
                                              : "";
}

// {D, CU}
bool Analyzer::checkFormatWords(const ast::Format &format, unsigned order, StringRef tensor) {
  for (const ast::Name &word : format.words) {
    if (isKnown(word.text, formats.levelWords()))
      continue;
    diagnostics.error(word.range, "unknown level format '" + word.text + "'")
        .note(hintFor(word.text, formats.levelWords(), "the words for levels"));
    return false;
  }
  std::vector<unsigned> given = format.order;
  llvm::sort(given);
  if (!given.empty() && !llvm::equal(given, llvm::seq<unsigned>(0, order))) {
    diagnostics.error(format.range, "the order of the levels must name each of the " +
                                        counted(order, "dimension") + " once, counted from 0");
    return false;
  }
  auto hasSize = [](const ast::Name &word) { return StringRef(word.text).contains(':'); };
  bool inBlocks = order > 0 && format.words.size() == 2 * order;
  if (format.words.size() == order || (inBlocks && llvm::any_of(format.words, hasSize)))
    return true;
  std::string letters, named = namedByComet(format.words, order);
  for (const ast::Name &word : format.words)
    letters += word.text;
  diagnostics
      .error(format.range, "this format has " + counted(format.words.size(), "level") + ", but " +
                               tensor + " has " + counted(order, "dimension"))
      .note(named)
      .note(
          isKnown(letters, formats.formatNames())
              ? "these are letters, one for each level; the format of that name is in capitals: " +
                    StringRef(letters).upper()
          : named.empty() ? "give one word for each dimension"
                          : "")
      .note(inBlocks ? "for blocks, the words of what is inside them have sizes: " +
                           inBlocksOf(format.words)
                     : "");
  return false;
}

static void collectDimensions(const ast::MapExpr &map, std::vector<const ast::Name *> &names) {
  if (map.kind == ast::MapExpr::Kind::Dimension)
    names.push_back(&map.dimension);
  for (const ast::MapExpr *operand : {map.lhs.get(), map.rhs.get()})
    if (operand)
      collectDimensions(*operand, names);
  for (const auto &counted : map.counted)
    collectDimensions(*counted, names);
}

// {(i, j) -> (i : dense, j : compressed)}
bool Analyzer::checkFormatMap(const ast::Format &format, unsigned order, StringRef tensor) {
  if (format.dimensions.size() != order) {
    diagnostics.error(format.range, "this format is for " +
                                        counted(format.dimensions.size(), "dimension") + ", but " +
                                        tensor + " has " + counted(order, "dimension"));
    return false;
  }
  llvm::SmallVector<StringRef> names;
  for (const ast::Name &dimension : format.dimensions) {
    if (llvm::is_contained(names, dimension.text)) {
      diagnostics.error(dimension.range, "two dimensions are called '" + dimension.text + "'");
      return false;
    }
    names.push_back(dimension.text);
  }
  return llvm::all_of(
      format.levels, [&](const ast::FormatLevel &level) { return checkFormatLevel(level, names); });
}

bool Analyzer::checkFormatLevel(const ast::FormatLevel &level,
                                llvm::ArrayRef<StringRef> dimensions) {
  std::vector<const ast::Name *> used;
  collectDimensions(*level.coordinate, used);
  for (const ast::Name *name : used) {
    if (llvm::is_contained(dimensions, name->text))
      continue;
    diagnostics.error(name->range, "this format has no dimension '" + name->text + "'")
        .note(hintFor(name->text, dimensions, "its dimensions"));
    return false;
  }
  if (!llvm::is_contained(formats.levelNames(), level.format.text)) {
    diagnostics.error(level.format.range, "unknown level format '" + level.format.text + "'")
        .note(hintFor(level.format.text, formats.levelNames(), "level formats"));
    return false;
  }
  return llvm::all_of(level.properties, [&](const ast::FormatOption &property) {
    return checkLevelProperty(property);
  });
}

// nonunique, or crd = 16
bool Analyzer::checkLevelProperty(const ast::FormatOption &property) {
  static constexpr StringRef flags[] = {"nonunique", "unordered", "signed", "aos"};
  static constexpr StringRef widths[] = {"pos", "crd"};
  const ast::Name &key = property.key;
  bool isFlag = llvm::is_contained(flags, key.text), isWidth = llvm::is_contained(widths, key.text);
  if (!isFlag && !isWidth) {
    llvm::SmallVector<StringRef> all(std::begin(flags), std::end(flags));
    llvm::append_range(all, widths);
    diagnostics.error(key.range, "unknown property '" + key.text + "' of a level")
        .note(hintFor(key.text, all, "properties"));
    return false;
  }
  if (property.value && isFlag) {
    diagnostics.error(property.range, "'" + key.text + "' is a property without a value");
    return false;
  }
  if (!property.value && isWidth) {
    diagnostics.error(key.range, "'" + key.text + "' needs a width")
        .note("write " + key.text + " = 32, or leave it out: it is then chosen");
    return false;
  }
  return isFlag || checkWidth(property);
}

bool Analyzer::checkWidth(const ast::FormatOption &option) {
  const std::complex<double> width = *option.value;
  if (width == 8.0 || width == 16.0 || width == 32.0 || width == 64.0)
    return true;
  diagnostics.error(option.range, "a width is 8, 16, 32 or 64 bits");
  return false;
}

bool Analyzer::checkFormatOption(const ast::FormatOption &option) {
  static constexpr StringRef options[] = {"pos", "crd", "fill"};
  if (!llvm::is_contained(options, option.key.text)) {
    diagnostics.error(option.key.range, "unknown option '" + option.key.text + "' of a format")
        .note(hintFor(option.key.text, options, "options"));
    return false;
  }
  return option.key.text == "fill" || checkWidth(option);
}

} // namespace strata::frontend
