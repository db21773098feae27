// Reading and writing `.smtx` files.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/Smtx.h"

#include "strata/runtime/Counted.h"
#include "strata/runtime/io/CheckPointers.h"
#include "strata/runtime/io/EntryReader.h"
#include "strata/runtime/io/OutputFile.h"
#include "strata/runtime/io/WordReader.h"
#include "strata/runtime/storage/GrowingBuffer.h"

#include <algorithm>
#include <array>

namespace strata::runtime {
namespace {

constexpr char smtxComment = '%';
constexpr const char *sizeForm = "'rows, columns, entries'";

/// The numbers of a line `a, b, c`, with commas or without; nothing if it is none.
std::optional<std::array<int64_t, 3>> sizesIn(const char *p, const char *end) {
  std::array<int64_t, 3> sizes = {};
  for (size_t i = 0; i < sizes.size(); ++i) {
    p = std::find_if_not(p, end, isBlank);
    uint64_t number = 0;
    const char *first = p;
    for (; p != end && isDigit(*p); ++p) {
      if (number > INT64_MAX / 10)
        return std::nullopt;
      number = number * 10 + static_cast<uint64_t>(*p - '0');
    }
    if (p == first || number > INT64_MAX)
      return std::nullopt;
    sizes[i] = static_cast<int64_t>(number);
    p = std::find_if_not(p, end, isBlank);
    if (i < 2 && p != end && *p == ',')
      ++p;
  }
  return p == end ? std::optional(sizes) : std::nullopt;
}

/// One reading of a file.
class SmtxReading {
public:
  SmtxReading(const InputFile &file, const Progress &progress)
      : reader(file, TextReader::Cut::words), words(reader), progress(progress) {}

  Result<Coordinates> read() {
    if (Status header = readHeader(); !header.ok())
      return header;
    if (Status offsets = readOffsets(); !offsets.ok())
      return offsets;
    return withCoordinateType(coordinateTypeFor(std::array{rows, columns}),
                              [&]<typename C>(C *) { return readColumns<C>(); });
  }

private:
  Status readHeader() {
    Result<std::optional<TextLine>> line = reader.nextLine(smtxComment);
    if (!line)
      return line.takeStatus();
    if (!*line)
      return reader.errorAtEnd(Error::CutOff, "the file ends before the sizes", sizeForm);
    const auto sizes = sizesIn((*line)->begin, (*line)->end);
    if (!sizes)
      return reader.errorAt((*line)->number, Error::Header,
                            "a line " + quoteToken({(*line)->begin, (*line)->end}) +
                                " instead of the sizes",
                            sizeForm);
    rows = (*sizes)[0];
    columns = (*sizes)[1];
    entries = (*sizes)[2];
    sizeLine = (*line)->number;
    return {};
  }

  Status readOffsets() {
    for (int64_t row = 0; row <= rows; ++row) {
      Result<bool> present = words.next();
      if (!present)
        return present.takeStatus();
      if (!*present)
        return reader.errorAtEnd(
            Error::Count, "the file ends after " + std::to_string(row) + " offsets of rows",
            std::to_string(rows) + " + 1, as line " + std::to_string(sizeLine) + " says");
      int64_t offset = 0;
      if (Status fine =
              words.readNumber("the offset of row " + std::to_string(row), entries, offset);
          !fine.ok())
        return fine;
      if (offset < last || (row == 0 && offset != 0) || (row == rows && offset != entries))
        return words.errorHere(Error::Inconsistent,
                               "the offset of row " + std::to_string(row) + " is " +
                                   std::to_string(offset),
                               row == 0      ? "0"
                               : row == rows ? std::to_string(entries) + ", the number of entries"
                                             : "at least " + std::to_string(last));
      last = offset;
      offsets.push(offset);
    }
    return {};
  }

  template <typename C> Result<Coordinates> readColumns() {
    Result<Buffer> starts = offsets.take();
    if (!starts)
      return starts.takeStatus();
    const int64_t *start = starts->as<int64_t>();
    GrowingBuffer<C> rowOf(entries), columnOf(entries);
    if (Status fine = words.readPlainBlocks(entries, columns - 1, columnOf); !fine.ok())
      return fine;
    if (C *places = rowOf.append(columnOf.count()))
      for (int64_t row = 0; row < rows; ++row)
        std::fill(places + std::min(start[row], columnOf.count()),
                  places + std::min(start[row + 1], columnOf.count()), static_cast<C>(row));
    int64_t row = 0;
    for (int64_t e = columnOf.count(); e < entries; ++e) {
      Result<bool> present = words.next();
      if (!present)
        return present.takeStatus();
      if (!*present)
        return reader.errorAtEnd(
            Error::Count, "the file ends after " + counted(e, "column") + " of entries",
            std::to_string(entries) + ", as line " + std::to_string(sizeLine) + " says");
      int64_t column = 0;
      if (Status fine = words.readNumber("a column", columns - 1, column); !fine.ok())
        return fine;
      while (e >= start[row + 1])
        ++row;
      rowOf.push(static_cast<C>(row));
      columnOf.push(static_cast<C>(column));
      if (progress && e % (1 << 20) == 0)
        progress(reader.share());
    }
    Result<bool> present = words.next();
    if (!present)
      return present.takeStatus();
    if (*present)
      return words.errorHere(Error::Count,
                             "there are more than " + counted(entries, "column") + " of entries",
                             "the end, as line " + std::to_string(sizeLine) + " says");
    return assemble(rowOf.take(), columnOf.take());
  }

  Result<Coordinates> assemble(Result<Buffer> rowOf, Result<Buffer> columnOf) {
    if (!rowOf)
      return rowOf.takeStatus();
    if (!columnOf)
      return columnOf.takeStatus();
    Result<Buffer> ones = Buffer::allocate(STRATA_BOOL, entries);
    if (!ones)
      return ones.takeStatus();
    std::fill_n(ones->as<bool>(), entries, true);
    std::vector<Buffer> places;
    places.push_back(std::move(*rowOf));
    places.push_back(std::move(*columnOf));
    return Coordinates::assemble({rows, columns}, std::move(places), std::move(*ones));
  }

  TextReader reader;
  WordReader words;
  const Progress &progress;
  GrowingBuffer<int64_t> offsets;
  int64_t rows = 0, columns = 0, entries = 0, sizeLine = 0, last = 0;
};

template <typename V> int64_t firstOtherThanOne(const Coordinates &list) {
  const V *values = list.values().as<V>();
  return std::find_if(values, values + list.count(), [](const V &v) { return v != V(1); }) - values;
}

} // namespace

bool looksLikeSmtx(std::string_view head) {
  const char *line = head.data(), *end = line + head.size();
  while (line != end) {
    const char *next;
    const char *stop = findEndOfLine(line, end, '\n', next);
    const char *p = std::find_if_not(line, stop, isBlank);
    if (p != stop && *p != smtxComment)
      return next != stop && std::find(p, stop, ',') != stop && sizesIn(p, stop).has_value();
    line = next;
  }
  return false;
}

Result<Coordinates> readSmtx(const InputFile &file, const TensorFileOptions &options) {
  Result<Coordinates> list = SmtxReading(file, options.progress).read();
  if (list && options.valueType)
    if (Status converted = list->convertValues(*options.valueType); !converted.ok())
      return converted;
  return list;
}

Status writeSmtx(const std::string &path, const Coordinates &given, const Progress &progress) {
  if (given.order() != 2)
    return Error{Error::NotInSuchFiles,
                 "a tensor of order " + std::to_string(given.order()) + " is not a matrix",
                 "order 2 for an .smtx file", path, 0};
  if (Status fits = checkPointers(path, given, given.sizes()[0], "row"); !fits.ok())
    return fits;
  const int64_t other = withValueType(given.valueType(),
                                      [&]<typename V>(V *) { return firstOtherThanOne<V>(given); });
  if (other != given.count())
    return Error{Error::NotInSuchFiles,
                 "an .smtx file holds no values, and that at row " +
                     std::to_string(given.coordinate(0, other) + 1) + ", column " +
                     std::to_string(given.coordinate(1, other) + 1) + " is not 1",
                 "values that are all 1", path, 0};
  Result<Coordinates> list = given.clone();
  if (!list)
    return list.takeStatus();
  if (Status sorted = list->sort(); !sorted.ok())
    return sorted;
  const int64_t rows = list->sizes()[0], count = list->count();
  Result<OutputFile> file = OutputFile::create(path);
  if (!file)
    return file.takeStatus();
  if (Status written = file->write(std::to_string(rows) + ", " + std::to_string(list->sizes()[1]) +
                                   ", " + std::to_string(count) + "\n");
      !written.ok())
    return written;
  return withCoordinateType(list->coordinateType(), [&]<typename C>(C *) -> Status {
    const C *rowOf = list->column(0).as<C>(), *columnOf = list->column(1).as<C>();
    auto separate = [](std::string &text, int64_t at, int64_t last) {
      text += at == last ? '\n' : ' ';
    };
    auto offsets = [&](std::string &text, int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        appendNumber(text, int64_t{std::lower_bound(rowOf, rowOf + count, row) - rowOf});
        separate(text, row, rows);
      }
    };
    auto columns = [&](std::string &text, int64_t begin, int64_t end) {
      for (int64_t e = begin; e < end; ++e) {
        appendNumber(text, int64_t{columnOf[e]});
        separate(text, e, count - 1);
      }
    };
    if (Status written = file->writeItems(rows + 1, offsets, {}); !written.ok())
      return written;
    if (Status written = file->writeItems(count, columns, progress); !written.ok())
      return written;
    return file->commit();
  });
}

} // namespace strata::runtime
