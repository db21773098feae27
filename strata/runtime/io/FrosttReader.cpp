// Reading FROSTT files: the optional header, the order of the tensor, then the entries.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/Frostt.h"

#include <algorithm>
#include <string_view>

namespace strata::runtime {
namespace {

constexpr char comment = '#';

/// Does a comment line before the entries announce MLIR's header?
bool announcesHeader(const InputFile &file) {
  constexpr std::string_view mark = "extended frostt format";
  auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; };
  const char *line = file.begin();
  while (line != file.end()) {
    const char *stop = std::find(line, file.end(), file.lineEnd());
    const char *p = skipBlanks(line);
    const bool blank = p == stop || (*p == '\r' && p + 1 == stop);
    if (!blank && *p != comment)
      return false;
    if (std::search(p, stop, mark.begin(), mark.end(), same) != stop)
      return true;
    line = stop == file.end() ? stop : stop + 1;
  }
  return false;
}

int64_t countTokens(const char *p, const InputFile &file) {
  int64_t count = 0;
  auto atEnd = [&] { return p == file.end() || *p == file.lineEnd() || *p == '\r'; };
  for (p = skipBlanks(p); !atEnd(); p = skipBlanks(p), ++count)
    while (!atEnd() && !isBlank(*p))
      ++p;
  return count;
}

/// Reads a tensor's header and first line, which settle what the entries look like.
class FrosttHeader {
public:
  FrosttHeader(const InputFile &file, const FrosttOptions &options)
      : begin(file.begin()), file(file), options(options),
        cursor(file.begin(), file.end(), file.lineEnd(), comment, 1) {}

  Status read() {
    const bool extended =
        options.header == FrosttOptions::Header::extended ||
        (options.header == FrosttOptions::Header::detect && announcesHeader(file));
    if (extended) {
      if (Status header = readHeader(); !header.ok())
        return header;
    } else if (Status order = findOrder(); !order.ok()) {
      return order;
    }
    if (!options.sizes)
      return {};
    if (options.sizes->size() != static_cast<size_t>(shape.order))
      return file.errorAt(cursor.lineNumber(),
                          "a tensor of " + std::to_string(shape.order) + " dimensions",
                          std::to_string(options.sizes->size()) + ", as many as sizes were given");
    shape.sizes = *options.sizes;
    return {};
  }

  EntryShape shape = {.order = 0, .value = ValueText::real, .comment = comment};
  const char *begin; ///< of the entries
  int64_t firstLine = 1;

private:
  /// The next line's integers; `what` names them in errors.
  Result<std::vector<int64_t>> readIntegers(int64_t count, const std::string &what) {
    if (!cursor.next())
      return file.errorAt(lastLine(file), "the file ends before " + what);
    const int64_t found = countTokens(cursor.line(), file);
    if (found != count)
      return file.errorAt(cursor.lineNumber(),
                          "a line of " + std::to_string(found) + " numbers instead of " + what,
                          std::to_string(count));
    std::vector<int64_t> numbers;
    const char *p = cursor.line();
    for (int64_t i = 0; i < count; ++i) {
      p = skipBlanks(p);
      const char *token = p;
      int64_t number = 0;
      const NumberFault fault = readInteger(p, number);
      if (fault == NumberFault::none && number >= 0 &&
          (isBlank(*p) || *p == '\r' || *p == file.lineEnd() || p == file.end())) {
        numbers.push_back(number);
        continue;
      }
      const char *stop = std::find_if(token, file.end(), [&](char c) {
        return isBlank(c) || c == '\r' || c == file.lineEnd();
      });
      return file.errorAt(cursor.lineNumber(),
                          quoted(token, stop) + " as one of " + what +
                              (fault == NumberFault::outOfRange ? " does not fit 64 bits" : ""),
                          "an integer from 0 on");
    }
    cursor.skip();
    return numbers;
  }

  Status readHeader() {
    Result<std::vector<int64_t>> first = readIntegers(2, "the rank and the number of entries");
    if (!first)
      return first.takeStatus();
    const int64_t line = cursor.lineNumber(), rank = (*first)[0];
    if (rank < 1 || rank > maximumOrder)
      return file.errorAt(line, "a rank of " + std::to_string(rank),
                          "from 1 to " + std::to_string(maximumOrder));
    Result<std::vector<int64_t>> sizes = readIntegers(rank, "the sizes");
    if (!sizes)
      return sizes.takeStatus();
    shape.order = static_cast<int>(rank);
    shape.sizes = std::move(*sizes);
    shape.count = (*first)[1];
    shape.countSource = "the header in line " + std::to_string(line) + " says";
    begin = cursor.position();
    firstLine = cursor.lineNumber() + 1;
    return {};
  }

  Status findOrder() {
    if (!cursor.next()) {
      if (!options.sizes)
        return file.errorAt(lastLine(file), "the file has no entry, which leaves the order open",
                            "an entry, an extended header, or given sizes");
      shape.order = static_cast<int>(options.sizes->size());
      return {};
    }
    const int64_t tokens = countTokens(cursor.line(), file);
    if (tokens < 2)
      return file.errorAt(cursor.lineNumber(), "a line with a single word",
                          "at least one index and a value");
    if (tokens > maximumOrder + 1)
      return file.errorAt(cursor.lineNumber(), "a line of " + std::to_string(tokens) + " words",
                          "at most " + std::to_string(maximumOrder) + " indices and a value");
    shape.order = static_cast<int>(tokens - 1);
    return {};
  }

  const InputFile &file;
  const FrosttOptions &options;
  LineCursor cursor;
};

} // namespace

Result<Coordinates> readFrostt(const InputFile &file, const FrosttOptions &options) {
  if (options.sizes && (options.sizes->empty() || options.sizes->size() > maximumOrder))
    return Error{"sizes of " + std::to_string(options.sizes->size()) + " dimensions were given",
                 "from 1 to " + std::to_string(maximumOrder), file.name(), 0};
  FrosttHeader header(file, options);
  if (Status fine = header.read(); !fine.ok())
    return fine;
  if (options.valueType == STRATA_I32)
    header.shape.value = ValueText::integer32;
  else if (options.valueType == STRATA_I64)
    header.shape.value = ValueText::integer64;
  Result<EntriesRead> read =
      readEntries(file, header.begin, header.firstLine, header.shape, options.progress);
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
