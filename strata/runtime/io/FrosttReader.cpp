// Reading FROSTT files: the optional header, the order of the tensor, then the entries.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/Frostt.h"

#include <algorithm>
#include <string_view>

namespace strata::runtime {
namespace {

constexpr char comment = '#';

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

/// Reads a tensor's header and looks at the first line, which settle what the entries look like.
class FrosttHeader {
public:
  FrosttHeader(TextReader &reader, const FrosttOptions &options)
      : reader(reader), options(options) {}

  Status read() {
    Result<bool> extended = skipComments();
    if (!extended)
      return extended.takeStatus();
    if (*extended) {
      if (Status header = readHeader(); !header.ok())
        return header;
    } else if (Status order = findOrder(); !order.ok()) {
      return order;
    }
    if (!options.sizes)
      return {};
    if (options.sizes->size() != static_cast<size_t>(shape.order))
      return reader.errorAt(number, "a tensor of " + std::to_string(shape.order) + " dimensions",
                            std::to_string(options.sizes->size()) +
                                ", as many as sizes were given");
    shape.sizes = *options.sizes;
    return {};
  }

  EntryShape shape = {.order = 0, .value = ValueText::real, .comment = comment};

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
      if (p != end && *p != comment)
        return extended;
      if (options.header == FrosttOptions::Header::detect && announcesHeader(*first))
        extended = true;
      first.reset();
      reader.advance(next, line + 1);
    }
  }

  /// The next line's integers; `what` names them in errors.
  Result<std::vector<int64_t>> readIntegers(int64_t count, const std::string &what) {
    Result<std::optional<TextLine>> line = reader.nextLine(comment);
    if (!line)
      return line.takeStatus();
    if (!*line)
      return reader.errorAtEnd("the file ends before " + what);
    number = (*line)->number;
    const int64_t found = countTokens(**line);
    if (found != count)
      return reader.errorAt(number,
                            "a line of " + std::to_string(found) + " numbers instead of " + what,
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
      return reader.errorAt(number,
                            quoted(token, stop) + " as one of " + what +
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
    if (rank < 1 || rank > maximumOrder)
      return reader.errorAt(line, "a rank of " + std::to_string(rank),
                            "from 1 to " + std::to_string(maximumOrder));
    Result<std::vector<int64_t>> sizes = readIntegers(rank, "the sizes");
    if (!sizes)
      return sizes.takeStatus();
    shape.order = static_cast<int>(rank);
    shape.sizes = std::move(*sizes);
    shape.count = (*first)[1];
    shape.countSource = "the header in line " + std::to_string(line) + " says";
    return {};
  }

  Status findOrder() {
    if (!first) {
      if (!options.sizes)
        return reader.errorAtEnd("the file has no entry, which leaves the order open",
                                 "an entry, an extended header, or given sizes");
      shape.order = static_cast<int>(options.sizes->size());
      return {};
    }
    number = first->number;
    const int64_t tokens = countTokens(*first);
    if (tokens < 2)
      return reader.errorAt(number, "a line with a single word", "at least one index and a value");
    if (tokens > maximumOrder + 1)
      return reader.errorAt(number, "a line of " + std::to_string(tokens) + " words",
                            "at most " + std::to_string(maximumOrder) + " indices and a value");
    shape.order = static_cast<int>(tokens - 1);
    return {};
  }

  TextReader &reader;
  const FrosttOptions &options;
  std::optional<TextLine> first; ///< the line that is no comment, not read yet
  int64_t number = 0;            ///< of the line in question
};

} // namespace

bool looksLikeExtendedFrostt(std::string_view head) {
  const char *line = head.data(), *end = line + head.size();
  while (line != end) {
    const char *next;
    const TextLine comments = {line, findEndOfLine(line, end, '\n', next), 0};
    const char *p = std::find_if_not(comments.begin, comments.end, isBlank);
    if (p != comments.end && *p != comment)
      return false;
    if (announcesHeader(comments))
      return true;
    line = next;
  }
  return false;
}

Result<Coordinates> readFrostt(const InputFile &file, const FrosttOptions &options) {
  if (options.sizes && (options.sizes->empty() || options.sizes->size() > maximumOrder))
    return Error{"sizes of " + std::to_string(options.sizes->size()) + " dimensions were given",
                 "from 1 to " + std::to_string(maximumOrder), file.name(), 0};
  TextReader reader(file);
  FrosttHeader header(reader, options);
  if (Status fine = header.read(); !fine.ok())
    return fine;
  // Narrower integers are read as 32 bits, then converted.
  if (options.valueType == STRATA_U64)
    header.shape.value = ValueText::natural64;
  else if (options.valueType == STRATA_I64 || options.valueType == STRATA_U32)
    header.shape.value = ValueText::integer64;
  else if (options.valueType && isIntegerType(*options.valueType))
    header.shape.value = ValueText::integer32;
  Result<EntriesRead> read = readEntries(reader, header.shape, options.progress);
  if (!read)
    return read.takeStatus();
  if (options.valueType)
    if (Status converted = read->list.convertValues(*options.valueType); !converted.ok()) {
      converted.error().file = file.name();
      return converted;
    }
  return std::move(read->list);
}

Result<Coordinates> readFrostt(const std::string &path, const FrosttOptions &options) {
  Result<InputFile> file = InputFile::open(path);
  if (!file)
    return file.takeStatus();
  return readFrostt(*file, options);
}

} // namespace strata::runtime
