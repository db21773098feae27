// The lines before the lists of a Harwell-Boeing file.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/Counted.h"
#include "strata/runtime/io/HarwellBoeing.h"

#include "strata/runtime/io/EntryReader.h"

#include <algorithm>
#include <array>

namespace strata::runtime {
namespace {

/// Is this `RSA` and the like?
bool isType(std::string_view word) {
  constexpr std::string_view letters[] = {"rcipq", "suhzr", "ae"};
  return word.size() == 3 && std::ranges::equal(word, letters, [](char c, std::string_view some) {
           return some.find(lowerCase(c)) != some.npos;
         });
}

/// The texts in parentheses, which may hold parentheses.
std::vector<std::string_view> splitFormats(const TextLine &line) {
  std::vector<std::string_view> formats;
  const char *begin = nullptr;
  int64_t depth = 0;
  for (const char *p = line.begin; p != line.end; ++p) {
    if (*p == '(' && depth++ == 0)
      begin = p;
    if (*p == ')' && depth > 0 && --depth == 0)
      formats.emplace_back(begin, p + 1);
  }
  return formats;
}

class HarwellBoeingHeaderReading {
public:
  explicit HarwellBoeingHeaderReading(TextReader &reader) : reader(reader) {}

  Result<HarwellBoeingFacts> read() {
    if (Status title = nextLine("the title"); !title.ok())
      return title;
    if (Status counts = readCounts(); !counts.ok())
      return counts;
    if (Status type = readType(); !type.ok())
      return type;
    if (Status formats = readFormats(); !formats.ok())
      return formats;
    if (Status rest = skipRightHandSides(); !rest.ok())
      return rest;
    return std::move(facts);
  }

private:
  Status nextLine(const char *what) {
    Result<std::optional<TextLine>> found = reader.nextLine();
    if (!found)
      return found.takeStatus();
    if (!*found)
      return reader.errorAtEnd(Error::CutOff, std::string("the file ends before ") + what);
    line = **found;
    return {};
  }
  Error fail(std::string message, std::string expected) const {
    return reader.errorAt(line.number, Error::Header, std::move(message), std::move(expected));
  }

  Status number(std::string_view word, const std::string &what, int64_t &value) const {
    const char *p = word.data();
    if (readInteger(p, value) != NumberFault::none || p != word.data() + word.size() || value < 0 ||
        value == INT64_MAX) // one more is a number, too
      return fail(what + " is " + quoteToken(word), "an integer from 0 on");
    return {};
  }

  /// Lines: in all, of pointers, of indices, of values, of right-hand sides.
  Status readCounts() {
    if (Status found = nextLine("the numbers of lines"); !found.ok())
      return found;
    const std::vector<std::string_view> words = wordsOf(line);
    if (words.size() < 3 || words.size() > 5)
      return fail(counted(words.size(), "number") + " of lines",
                  "3 to 5: in all, of pointers, of indices, of values, of right-hand sides");
    int64_t counts[5] = {};
    for (size_t i = 0; i < words.size(); ++i)
      if (Status fine = number(words[i], "a number of lines", counts[i]); !fine.ok())
        return fine;
    hasValues = counts[3] > 0;
    facts.hasRightHandSides = counts[4] > 0;
    return {};
  }

  Status readType() {
    if (Status found = nextLine("the type and the sizes"); !found.ok())
      return found;
    const std::vector<std::string_view> words = wordsOf(line);
    const char *form = "a type such as RUA (R, C, I, P or Q; S, U, H, Z or R; A or E), then rows, "
                       "columns, entries and values of elements";
    if (words.empty() || !isType(words[0]))
      return fail("the line begins with " + (words.empty() ? "nothing" : quoteToken(words[0])),
                  form);
    if (words.size() < 4 || words.size() > 5)
      return fail("the line has " + std::to_string(words.size()) + " words", form);
    if (Status fine = number(words[1], "the number of rows", facts.rows); !fine.ok())
      return fine;
    if (Status fine = number(words[2], "the number of columns", facts.columns); !fine.ok())
      return fine;
    if (Status fine = number(words[3], "the number of entries", facts.indices); !fine.ok())
      return fine;
    if (words.size() == 5)
      if (Status fine = number(words[4], "the number of values", facts.elementValues); !fine.ok())
        return fine;
    return understandType(words[0]);
  }

  Status understandType(std::string_view letters) {
    facts.type = letters;
    const char field = lowerCase(letters[0]), structure = lowerCase(letters[1]);
    facts.field = field == 'r'   ? HarwellBoeingFacts::Field::real
                  : field == 'c' ? HarwellBoeingFacts::Field::complex
                  : field == 'i' ? HarwellBoeingFacts::Field::integer
                                 : HarwellBoeingFacts::Field::pattern;
    if (!hasValues)
      facts.field = HarwellBoeingFacts::Field::pattern;
    facts.symmetry = structure == 's'   ? Symmetry::symmetric
                     : structure == 'h' ? Symmetry::hermitian
                     : structure == 'z' ? Symmetry::skewSymmetric
                                        : Symmetry::general;
    facts.elemental = lowerCase(letters[2]) == 'e';
    if (facts.elemental && structure == 'r')
      return fail("rectangular elements cannot be read", "S, U, H or Z as the second letter");
    if (facts.symmetry == Symmetry::hermitian && facts.field == HarwellBoeingFacts::Field::pattern)
      facts.symmetry = Symmetry::symmetric;
    if (facts.symmetry == Symmetry::hermitian && facts.field != HarwellBoeingFacts::Field::complex)
      return fail("only a complex matrix can be hermitian", "C as the first letter, or S");
    if (facts.symmetry == Symmetry::skewSymmetric &&
        facts.field == HarwellBoeingFacts::Field::pattern)
      facts.symmetry = Symmetry::symmetric;
    if (!facts.elemental && facts.symmetry != Symmetry::general && facts.rows != facts.columns)
      return fail("a matrix of " + std::to_string(facts.rows) + " x " +
                      std::to_string(facts.columns) + " with the structure " + letters[1],
                  "as many rows as columns");
    return {};
  }

  Status readFormats() {
    if (Status found = nextLine("the formats"); !found.ok())
      return found;
    const std::vector<std::string_view> texts = splitFormats(line);
    const size_t needed = facts.field == HarwellBoeingFacts::Field::pattern ? 2 : 3;
    if (texts.size() < needed)
      return fail(std::to_string(texts.size()) + " formats", std::to_string(needed) + " or more");
    FortranFormat *const formats[] = {&facts.pointerFormat, &facts.indexFormat, &facts.valueFormat};
    for (size_t i = 0; i < needed; ++i) {
      const std::optional<FortranFormat> format = FortranFormat::parse(texts[i]);
      const bool integer = i < 2;
      if (!format || (integer && !format->integer))
        return fail("the format " + quoteToken(texts[i]) + " is not understood",
                    integer ? "one of integers such as (16I5)"
                            : "one of numbers such as (10F8.2), (1P,5D16.8) or (4E20.12E3)");
      *formats[i] = *format;
    }
    return {};
  }

  /// The fifth line, which some Rutherford-Boeing files have without announcing it.
  Status skipRightHandSides() {
    Result<bool> present = reader.more();
    if (!present)
      return present.takeStatus();
    if (!*present)
      return {};
    const char *next, *end = findEndOfLine(reader.position(), reader.end(), reader.lineEnd(), next);
    const char *p = std::find_if_not(reader.position(), end, isBlank);
    const bool letter = p != end && (lowerCase(*p) == 'f' || lowerCase(*p) == 'm');
    if (letter)
      return nextLine("the description of right-hand sides");
    if (facts.hasRightHandSides)
      return reader.errorAt(reader.lineNumber(), Error::Header,
                            "no description of right-hand sides",
                            "a line that begins with F or M, as line 2 says");
    return {};
  }

  TextReader &reader;
  TextLine line = {};
  bool hasValues = false;
  HarwellBoeingFacts facts;
};

} // namespace

/// The words of the first four lines.
static std::array<std::vector<std::string_view>, 4> beginning(std::string_view head) {
  std::array<std::vector<std::string_view>, 4> lines;
  const char *p = head.data(), *end = p + head.size();
  for (std::vector<std::string_view> &words : lines) {
    const char *next, *stop = findEndOfLine(p, end, '\n', next);
    words = wordsOf({p, stop, 0});
    p = next;
  }
  return lines;
}

bool looksLikeHarwellBoeing(std::string_view head) {
  const auto lines = beginning(head);
  auto isNumber = [](std::string_view word) { return std::ranges::all_of(word, isDigit); };
  return lines[2].size() >= 4 && isType(lines[2][0]) &&
         std::ranges::all_of(lines[2].begin() + 1, lines[2].end(), isNumber) && !lines[3].empty() &&
         lines[3][0].starts_with('(');
}

bool looksLikeRutherfordBoeing(std::string_view head) {
  return looksLikeHarwellBoeing(head) && beginning(head)[1].size() < 5;
}

Result<HarwellBoeingFacts> readHarwellBoeingHeader(TextReader &reader) {
  return HarwellBoeingHeaderReading(reader).read();
}

} // namespace strata::runtime
