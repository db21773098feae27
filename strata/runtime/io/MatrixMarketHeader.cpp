// The banner and the size line of Matrix Market files.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/Counted.h"
#include "strata/runtime/io/MatrixMarket.h"

#include <algorithm>
#include <string_view>

namespace strata::runtime {
namespace {

bool sameWord(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, lowerCase, lowerCase);
}

template <typename E> struct Word {
  std::string_view text;
  E meaning;
};

constexpr Word<MatrixMarketFacts::Object> objects[] = {
    {"matrix", MatrixMarketFacts::Object::matrix},
    {"vector", MatrixMarketFacts::Object::vector},
    {"tensor", MatrixMarketFacts::Object::tensor}};
constexpr Word<MatrixMarketFacts::Layout> layouts[] = {
    {"coordinate", MatrixMarketFacts::Layout::coordinate},
    {"array", MatrixMarketFacts::Layout::array}};
constexpr Word<MatrixMarketFacts::Field> fields[] = {
    {"real", MatrixMarketFacts::Field::real},
    {"integer", MatrixMarketFacts::Field::integer},
    {"unsigned-integer", MatrixMarketFacts::Field::natural},
    {"complex", MatrixMarketFacts::Field::complex},
    {"pattern", MatrixMarketFacts::Field::pattern},
    {"double", MatrixMarketFacts::Field::real}};
constexpr Word<Symmetry> symmetries[] = {{"general", Symmetry::general},
                                         {"symmetric", Symmetry::symmetric},
                                         {"skew-symmetric", Symmetry::skewSymmetric},
                                         {"hermitian", Symmetry::hermitian}};

template <typename E, size_t n> std::string_view wordFor(const Word<E> (&words)[n], E meaning) {
  return std::ranges::find(words, meaning, &Word<E>::meaning)->text;
}

/// Reads the header line by line.
class MatrixMarketHeaderReading {
public:
  explicit MatrixMarketHeaderReading(TextReader &reader) : reader(reader) {}

  Result<MatrixMarketHeader> read() {
    if (Status banner = readBanner(); !banner.ok())
      return banner;
    if (Status valid = checkCombination(); !valid.ok())
      return valid;
    if (Status sizes = readSizes(); !sizes.ok())
      return sizes;
    return std::move(header);
  }

private:
  Error fail(int64_t line, std::string message, std::string expected = {}) const {
    return reader.errorAt(line, Error::Header, std::move(message), std::move(expected));
  }

  template <typename E, size_t n>
  Status choose(std::string_view token, const char *what, const Word<E> (&words)[n], E &choice) {
    std::string known;
    for (const Word<E> &word : words) {
      if (sameWord(token, word.text)) {
        choice = word.meaning;
        return {};
      }
      if (word.text != "double")
        known += (known.empty() ? "'" : ", '") + std::string(word.text) + "'";
    }
    return fail(1, std::string("unknown ") + what + " " + quoteToken(token), "one of " + known);
  }

  Status readBanner() {
    Result<std::optional<TextLine>> line = reader.nextLine();
    if (!line)
      return line.takeStatus();
    std::vector<std::string_view> words;
    if (*line)
      words = wordsOf(**line);
    const char *form = "'%%MatrixMarket object format field symmetry'";
    if (words.empty() || words.front().empty())
      return fail(1, "the first line is not a Matrix Market banner", form);
    if (!sameWord(words[0], "%%MatrixMarket") && !sameWord(words[0], "%MatrixMarket"))
      return fail(1, "the first line begins with " + quoteToken(words[0]), form);
    if (words.size() != 5)
      return fail(1, "the banner has " + std::to_string(words.size()) + " words",
                  std::string("5: ") + form);
    MatrixMarketFacts &facts = header.facts;
    if (Status s = choose(words[1], "object", objects, facts.object); !s.ok())
      return s;
    if (Status s = choose(words[2], "format", layouts, facts.layout); !s.ok())
      return s;
    if (Status s = choose(words[3], "field", fields, facts.field); !s.ok())
      return s;
    if (Status s = choose(words[4], "symmetry", symmetries, facts.symmetry); !s.ok())
      return s;
    return {};
  }

  Status checkCombination() {
    const MatrixMarketFacts &facts = header.facts;
    const bool general = facts.symmetry == Symmetry::general;
    if (facts.object != MatrixMarketFacts::Object::matrix && !general)
      return fail(1, "only a matrix can be '" + symmetry() + "'", "'general'");
    if (facts.field == MatrixMarketFacts::Field::pattern &&
        facts.layout == MatrixMarketFacts::Layout::array)
      return fail(1, "an 'array' cannot be of field 'pattern'", "'coordinate', or another field");
    if (facts.field == MatrixMarketFacts::Field::pattern &&
        facts.symmetry == Symmetry::skewSymmetric)
      return fail(1, "a 'pattern' has no values and cannot be 'skew-symmetric'",
                  "'general' or 'symmetric'");
    if (facts.symmetry == Symmetry::hermitian && facts.field == MatrixMarketFacts::Field::pattern)
      return fail(1, "a 'pattern' has no values and cannot be 'hermitian'",
                  "'general' or 'symmetric'");
    return {};
  }

  std::string symmetry() const { return std::string(wordFor(symmetries, header.facts.symmetry)); }

  /// What the size line of this kind of file holds.
  std::string sizeForm() const {
    const bool coordinate = header.facts.layout == MatrixMarketFacts::Layout::coordinate;
    switch (header.facts.object) {
    case MatrixMarketFacts::Object::matrix:
      return coordinate ? "'rows columns entries'" : "'rows columns'";
    case MatrixMarketFacts::Object::vector:
      return coordinate ? "'size entries'" : "'size'";
    case MatrixMarketFacts::Object::tensor:
      return coordinate ? "the sizes of up to 64 dimensions and the number of entries"
                        : "the sizes of up to 64 dimensions";
    }
    return "";
  }

  Status readSizes() {
    Result<std::optional<TextLine>> line = reader.nextLine('%');
    if (!line)
      return line.takeStatus();
    if (!*line)
      return reader.errorAtEnd(Error::CutOff, "the file ends before the size line", sizeForm());
    header.sizeLine = (*line)->number;
    const std::vector<std::string_view> words = wordsOf(**line);
    const bool coordinate = header.facts.layout == MatrixMarketFacts::Layout::coordinate;
    const size_t order = header.facts.object == MatrixMarketFacts::Object::matrix ? 2
                         : header.facts.object == MatrixMarketFacts::Object::vector
                             ? 1
                             : words.size() - coordinate;
    if (words.size() != order + coordinate || order < 1 || order > maximumOrder)
      return fail(header.sizeLine, "the size line has " + counted(words.size(), "number"),
                  sizeForm());
    for (std::string_view word : words) {
      const char *p = word.data();
      int64_t size;
      const NumberFault fault = readInteger(p, size);
      const bool whole = p == word.data() + word.size();
      if (fault == NumberFault::outOfRange)
        return fail(header.sizeLine, "the size " + quoteToken(word) + " does not fit 64 bits",
                    sizeForm());
      if (fault != NumberFault::none || !whole || size < 0)
        return fail(header.sizeLine, "the size line has " + quoteToken(word), sizeForm());
      header.facts.sizes.push_back(size);
    }
    return countEntries(coordinate);
  }

  Status countEntries(bool coordinate) {
    MatrixMarketFacts &facts = header.facts;
    if (coordinate) {
      header.entryCount = facts.sizes.back();
      facts.sizes.pop_back();
    }
    const bool general = facts.symmetry == Symmetry::general;
    if (!general && facts.sizes[0] != facts.sizes[1])
      return fail(header.sizeLine,
                  "a matrix of " + std::to_string(facts.sizes[0]) + " x " +
                      std::to_string(facts.sizes[1]) + " cannot be '" + symmetry() + "'",
                  "as many rows as columns");
    if (!coordinate) {
      unsigned __int128 count = 1;
      for (int64_t size : facts.sizes)
        count = std::min<unsigned __int128>(count * static_cast<uint64_t>(size), INT64_MAX);
      if (!general) {
        const auto n = static_cast<unsigned __int128>(facts.sizes[0]);
        const bool diagonal = facts.symmetry != Symmetry::skewSymmetric;
        count = n == 0 ? 0 : n * (diagonal ? n + 1 : n - 1) / 2;
        count = std::min<unsigned __int128>(count, INT64_MAX);
      }
      header.entryCount = static_cast<int64_t>(count);
    }
    facts.storedCount = header.entryCount;
    return {};
  }

  TextReader &reader;
  MatrixMarketHeader header = {};
};

} // namespace

Result<MatrixMarketHeader> readMatrixMarketHeader(TextReader &reader) {
  return MatrixMarketHeaderReading(reader).read();
}

bool looksLikeMatrixMarket(std::string_view head) {
  const char *begin = head.data(), *end = begin + head.size();
  const char *p = std::find_if_not(begin, end, isBlank);
  while (p != end && *p == '%')
    ++p;
  constexpr std::string_view name = "MatrixMarket";
  const auto length = std::min<int64_t>(end - p, name.size());
  return p != begin && sameWord({p, static_cast<size_t>(length)}, name);
}

bool looksLikeTensorMarket(std::string_view head) {
  const char *next, *end = findEndOfLine(head.data(), head.data() + head.size(), '\n', next);
  const std::vector<std::string_view> words = wordsOf({head.data(), end, 1});
  return looksLikeMatrixMarket(head) && words.size() > 1 && sameWord(words[1], "tensor");
}

strata_type naturalType(MatrixMarketFacts::Field field) {
  switch (field) {
  case MatrixMarketFacts::Field::real:
    return STRATA_F64;
  case MatrixMarketFacts::Field::integer:
    return STRATA_I64;
  case MatrixMarketFacts::Field::natural:
    return STRATA_U64;
  case MatrixMarketFacts::Field::complex:
    return STRATA_C128;
  case MatrixMarketFacts::Field::pattern:
    return STRATA_BOOL;
  }
  return STRATA_F64;
}

std::string describe(const MatrixMarketFacts &facts) {
  std::string text(wordFor(objects, facts.object));
  for (std::string_view word : {wordFor(layouts, facts.layout), wordFor(fields, facts.field),
                                wordFor(symmetries, facts.symmetry)})
    text += " " + std::string(word);
  return text;
}

} // namespace strata::runtime
