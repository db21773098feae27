// Reading FROSTT files: the optional header, the order of the tensor, then the entries.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/Counted.h"
#include "strata/runtime/io/Frostt.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <cstring>
#include <string_view>

namespace strata::runtime {
namespace {

constexpr char frosttComment = '#';

/// Does this comment line announce MLIR's header?
bool announcesHeader(const TextLine &line) {
  constexpr std::string_view mark = "extended frostt format";
  auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; };
  return std::search(line.begin, line.end, mark.begin(), mark.end(), same) != line.end;
}

int64_t countTokens(const TextLine &line) {
  int64_t count = 0;
  for (const char *p = line.begin;; ++count) {
    p = std::find_if_not(p, line.end, isBlank);
    if (p == line.end)
      return count;
    p = std::find_if(p, line.end, isBlank);
  }
}

/// The integers of a line that is nothing else.
std::optional<std::vector<int64_t>> integersOf(const char *p, const char *end) {
  std::vector<int64_t> numbers;
  for (p = std::find_if_not(p, end, isBlank); p != end; p = std::find_if_not(p, end, isBlank)) {
    const char *token = p;
    int64_t value = 0;
    if (readInteger(p, value) != NumberFault::none || value < 0 || (p != end && !isBlank(*p)) ||
        !isDigit(*token))
      return std::nullopt;
    numbers.push_back(value);
  }
  return numbers;
}

/// Reads a tensor's header and looks at the first line, which settle what the entries look like.
class FrosttHeader {
public:
  FrosttHeader(TextReader &reader, const FrosttOptions &options)
      : reader(reader), options(options) {
    shape.base = options.base;
    shape.baseHint = "; --base=0 reads files that count from 0";
  }

  Status read() {
    Result<bool> extended = skipComments();
    if (!extended)
      return extended.takeStatus();
    return *extended ? readHeader() : examineFirst();
  }

  EntryShape shape = {.order = 0, .value = ValueText::real, .comment = frosttComment};
  /// The numbers of the first line, if it may be COMET's header.
  std::vector<int64_t> cometHeader = {};
  int64_t firstLine() const { return number; }

private:
  /// Goes to the first line that is neither blank nor a comment; is a header announced, or asked
  /// for?
  Result<bool> skipComments() {
    bool extended = options.header == FrosttOptions::Header::extended;
    for (;;) {
      Result<bool> present = reader.more();
      if (!present)
        return present;
      if (!*present)
        return extended;
      const char *position = reader.position(), *next;
      const int64_t line = reader.lineNumber();
      const char *end = findEndOfLine(position, reader.end(), reader.lineEnd(), next);
      const char *p = std::find_if_not(position, end, isBlank);
      first = {position, end, line};
      if (p != end && *p != frosttComment)
        return extended;
      if (options.header == FrosttOptions::Header::detect && announcesHeader(*first))
        extended = true;
      if (p != end)
        readSizesComment(p, end);
      first.reset();
      reader.advance(next, line + 1);
    }
  }

  /// `# sizes 4 5 6`
  void readSizesComment(const char *p, const char *end) {
    constexpr std::string_view mark = "# sizes ";
    if (std::string_view(p, end).starts_with(mark))
      written = integersOf(p + mark.size(), end);
  }

  /// The next line's integers; `what` names them in errors.
  Result<std::vector<int64_t>> readIntegers(int64_t count, const std::string &what) {
    Result<std::optional<TextLine>> line = reader.nextLine(frosttComment);
    if (!line)
      return line.takeStatus();
    if (!*line)
      return reader.errorAtEnd(Error::CutOff, "the file ends before " + what);
    number = (*line)->number;
    const int64_t found = countTokens(**line);
    if (found != count)
      return reader.errorAt(number, Error::Header,
                            "a line of " + counted(found, "number") + " instead of " + what,
                            std::to_string(count));
    std::vector<int64_t> numbers;
    const char *p = (*line)->begin, *end = (*line)->end;
    for (int64_t i = 0; i < count; ++i) {
      p = skipBlanks(p);
      const char *token = p;
      int64_t value = 0;
      const NumberFault fault = readInteger(p, value);
      if (fault == NumberFault::none && value >= 0 && (p == end || isBlank(*p))) {
        numbers.push_back(value);
        continue;
      }
      const char *stop = std::find_if(token, end, isBlank);
      return reader.errorAt(number, Error::Header,
                            quoteToken({token, stop}) + " as one of " + what +
                                (fault == NumberFault::outOfRange ? " does not fit 64 bits" : ""),
                            "an integer from 0 on");
    }
    return numbers;
  }

  Status readHeader() {
    Result<std::vector<int64_t>> first = readIntegers(2, "the rank and the number of entries");
    if (!first)
      return first.takeStatus();
    const int64_t line = number, rank = (*first)[0];
    if (rank < 0 || rank > maximumOrder)
      return reader.errorAt(line, Error::Order, "a rank of " + std::to_string(rank),
                            "from 0 to " + std::to_string(maximumOrder));
    if (rank > 0) {
      Result<std::vector<int64_t>> sizes = readIntegers(rank, "the sizes");
      if (!sizes)
        return sizes.takeStatus();
      shape.sizes = std::move(*sizes);
    }
    shape.order = static_cast<int>(rank);
    shape.count = (*first)[1];
    shape.countSource = "the header in line " + std::to_string(line) + " says";
    return {};
  }

  /// Of a file without MLIR's header.
  Status examineFirst() {
    if (!first)
      return examineNothing();
    number = first->number;
    const int64_t tokens = countTokens(*first);
    if (tokens > maximumOrder + 1)
      return reader.errorAt(number, Error::Order, "a line of " + std::to_string(tokens) + " words",
                            "at most " + std::to_string(maximumOrder) + " indices and a value");
    shape.order = static_cast<int>(tokens - 1);
    if (tokens == 1)
      return examineScalar();
    if (std::optional<std::vector<int64_t>> numbers = integersOf(first->begin, first->end))
      cometHeader = std::move(*numbers);
    const auto order = static_cast<size_t>(shape.order);
    if (written && written->size() == order)
      shape.sizes = *written;
    else if (options.sizes && options.sizes->size() == order)
      shape.sizes = *options.sizes;
    else
      shape.sizes.assign(order, unknownSize);
    return {};
  }

  Status examineNothing() {
    const std::optional<std::vector<int64_t>> &sizes = written ? written : options.sizes;
    if (!sizes || sizes->empty())
      return reader.errorAtEnd(Error::Count, "the file has no entry, which leaves the order open",
                               "an entry, an extended header, or given sizes");
    if (std::ranges::find(*sizes, unknownSize) != sizes->end())
      return reader.errorAtEnd(Error::Count, "the file has no entry, which leaves the sizes open",
                               "an entry, an extended header, or a size for each dimension");
    shape.order = static_cast<int>(sizes->size());
    shape.sizes = *sizes;
    return {};
  }

  /// A tensor of order 0 is its value.
  Status examineScalar() {
    const char *p = std::find_if_not(first->begin, first->end, isBlank);
    double value;
    if (readReal(p, value) == NumberFault::notANumber || (p != first->end && !isBlank(*p)))
      return reader.errorAt(number, Error::Entry, "a line with a single word",
                            "at least one index and a value");
    shape.count = 1;
    shape.countSource = "a tensor without indices has";
    return {};
  }

  TextReader &reader;
  const FrosttOptions &options;
  std::optional<TextLine> first;               ///< the line that is no comment, not read yet
  std::optional<std::vector<int64_t>> written; ///< the sizes that a comment gives
  int64_t number = 0;                          ///< of the line in question
};

//===------------------------------------------------------------------------------------------===//
// COMET's header
//===------------------------------------------------------------------------------------------===//

// COMET's files begin with the sizes and the number of entries, which has the form of an entry.

/// Are there as many entries behind the first one as it says, within the sizes that it says?
bool canBeCometHeader(const Coordinates &list, const std::vector<int64_t> &numbers) {
  if (numbers.empty() || numbers.back() != list.count() - 1)
    return false;
  for (int d = 0; d < list.order(); ++d)
    if (!withCoordinateType(list.coordinateType(), [&]<typename C>(C *) {
          const C *column = list.column(d).as<C>();
          return std::all_of(column + 1, column + list.count(),
                             [&](C c) { return c < numbers[static_cast<size_t>(d)]; });
        }))
      return false;
  return true;
}

/// The order of the coordinates of two entries, by the first dimension first or by the last.
std::strong_ordering comparePlaces(const Coordinates &list, int64_t a, int64_t b, bool reversed) {
  for (int k = 0; k < list.order(); ++k) {
    const int d = reversed ? list.order() - 1 - k : k;
    if (auto order = list.coordinate(d, a) <=> list.coordinate(d, b); order != 0)
      return order;
  }
  return std::strong_ordering::equal;
}

/// Is the first line, which can be COMET's header, certainly no entry? So it is if many entries
/// follow, whose number it would hold by chance, or several, and its place is among theirs, or they
/// are sorted and it would not be.
bool mustBeCometHeader(const Coordinates &list) {
  constexpr int64_t several = 3, many = 16;
  if (list.count() <= several)
    return false;
  if (list.count() > many)
    return true;
  for (int64_t e = 1; e < list.count(); ++e)
    if (comparePlaces(list, 0, e, false) == 0)
      return true;
  return std::ranges::any_of(std::array{false, true}, [&](bool reversed) {
    for (int64_t e = 2; e < list.count(); ++e)
      if (comparePlaces(list, e - 1, e, reversed) >= 0)
        return false;
    return comparePlaces(list, 0, 1, reversed) > 0;
  });
}

Result<Coordinates> withoutFirst(Coordinates list, std::vector<int64_t> sizes) {
  auto drop = [&](Buffer &buffer) {
    const int64_t bytes = strata_type_bytes(buffer.type());
    auto *data = static_cast<char *>(buffer.data());
    std::memmove(data, data + bytes, static_cast<size_t>((list.count() - 1) * bytes));
    return buffer.resize(list.count() - 1);
  };
  std::vector<Buffer> columns;
  for (int d = 0; d < list.order(); ++d) {
    if (Status dropped = drop(list.column(d)); !dropped.ok())
      return dropped;
    columns.push_back(std::move(list.column(d)));
  }
  if (Status dropped = drop(list.values()); !dropped.ok())
    return dropped;
  return Coordinates::assemble(std::move(sizes), std::move(columns), std::move(list.values()));
}

/// Takes the first entry for COMET's header where it is asked to, or must be one.
Status takeCometHeader(const InputFile &file, const FrosttHeader &header,
                       const FrosttOptions &options, FrosttContent &content) {
  std::vector<int64_t> numbers = header.cometHeader;
  if (!canBeCometHeader(content.list, numbers) || (!options.comet && content.list.count() == 1))
    return {};
  std::string line;
  for (int64_t number : numbers)
    line += (line.empty() ? "'" : " ") + std::to_string(number);
  const std::string where =
      file.name() + ":" + std::to_string(header.firstLine()) + ": " + line + "' ";
  if (!options.comet && !mustBeCometHeader(content.list)) {
    content.remarks.push_back(where +
                              "is read as an entry; it may be COMET's header, the sizes and the "
                              "number of entries, as which comet_read takes it");
    return {};
  }
  if (!options.comet)
    content.remarks.push_back(where +
                              "is read as COMET's header, the sizes and the number of entries");
  content.header = "COMET's header";
  numbers.pop_back();
  Result<Coordinates> rest = withoutFirst(std::move(content.list), std::move(numbers));
  if (!rest)
    return rest.takeStatus();
  content.list = std::move(*rest);
  return {};
}

} // namespace

bool looksLikeExtendedFrostt(std::string_view head) {
  const char *line = head.data(), *end = line + head.size();
  while (line != end) {
    const char *next;
    const TextLine comments = {line, findEndOfLine(line, end, '\n', next), 0};
    const char *p = std::find_if_not(comments.begin, comments.end, isBlank);
    if (p != comments.end && *p != frosttComment)
      return false;
    if (announcesHeader(comments))
      return true;
    line = next;
  }
  return false;
}

namespace {

/// How values are read that shall have a type: narrower integers as 32 bits, then converted.
ValueText valueTextFor(std::optional<strata_type> type) {
  if (!type || !isIntegerType(*type))
    return ValueText::real;
  if (*type == STRATA_U64)
    return ValueText::natural64;
  return *type == STRATA_I64 || *type == STRATA_U32 ? ValueText::integer64 : ValueText::integer32;
}

/// Reads values that are written as `text`; `ranks` is null of one that reads all.
Result<FrosttContent> readAs(const InputFile &file, const FrosttOptions &options, ValueText text,
                             const FileRanks *ranks = nullptr) {
  TextReader reader(file);
  FrosttHeader header(reader, options);
  if (Status fine = header.read(); !fine.ok())
    return fine;
  header.shape.value = text;
  header.shape.wanted = options.valueType;
  Result<EntriesRead> read = readEntries(reader, header.shape, options.progress, ranks);
  if (!read)
    return read.takeStatus();
  FrosttContent content{.list = std::move(read->list), .isPart = read->part.has_value()};
  const int64_t lines = content.list.count();
  const std::vector<int64_t> &comet = header.cometHeader;
  if (read->part && !comet.empty() && comet.back() == read->part->allEntries - 1)
    return readAs(file, options, text);
  if (read->part)
    header.cometHeader.clear();
  if (Status taken = takeCometHeader(file, header, options, content); !taken.ok())
    return taken;
  if (options.valueType)
    if (Status converted = convertEntries(content.list, *options.valueType, read->lines,
                                          lines - content.list.count());
        !converted.ok())
      return file.about(std::move(converted));
  return content;
}

/// Tells whether a list of doubles has one that an integer of the file may have been rounded to.
bool mayBeRounded(const Coordinates &list) {
  constexpr double beyond = 0x1p53;
  const double *values = list.values().as<double>();
  return std::any_of(values, values + list.count(),
                     [](double value) { return std::abs(value) >= beyond; });
}

} // namespace

Result<FrosttContent> readFrostt(const InputFile &file, const FrosttOptions &options) {
  if (options.sizes && options.sizes->size() > maximumOrder)
    return Error{Error::Order,
                 "sizes of " + counted(options.sizes->size(), "dimension") + " were given",
                 "at most " + std::to_string(maximumOrder), file.name(), 0};
  Result<FrosttContent> content = readAs(file, options, valueTextFor(options.valueType),
                                         options.valueType ? options.ranks : nullptr);
  if (!content || options.valueType || !mayBeRounded(content->list))
    return content;
  if (!file.isMapped()) {
    content->remarks.push_back(file.name() + ": integers beyond 2^53 are rounded to float64, as a "
                                             "stream is read once; int64 keeps them");
    return content;
  }
  // Where all values are integers of 64 bits, none is rounded.
  for (ValueText text : {ValueText::strictInteger64, ValueText::natural64})
    if (Result<FrosttContent> exact = readAs(file, options, text))
      return exact;
  return content;
}

Result<FrosttContent> readFrostt(const std::string &path, const FrosttOptions &options) {
  Result<InputFile> file = InputFile::open(path);
  if (!file)
    return file.takeStatus();
  return readFrostt(*file, options);
}

} // namespace strata::runtime
