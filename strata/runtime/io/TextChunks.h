// A text of entries, one a line, cut at line ends into chunks that are read in parallel.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_TEXTCHUNKS_H
#define STRATA_RUNTIME_IO_TEXTCHUNKS_H

#include "strata/runtime/io/InputFile.h"
#include "strata/runtime/io/NumberText.h"

#include <cstring>
#include <vector>

namespace strata::runtime {

/// Whole lines, with what precedes them. An entry is a line that is neither blank nor a comment.
struct TextChunk {
  const char *begin, *end;
  int64_t firstLine;  ///< counted from 1 over the whole file
  int64_t firstEntry; ///< counted from 0 from the first chunk on
  int64_t entries;
};

/// The lines of a text one by one.
class LineCursor {
public:
  LineCursor(const char *begin, const char *end, char lineEnd, char comment, int64_t firstLine)
      : at(begin), end(end), lineEnd(lineEnd), comment(comment), number(firstLine - 1) {}

  /// Moves to the next line that is neither blank nor a comment; false if there is none.
  bool next() {
    while (at != end) {
      ++number;
      start = at;
      const char *p = skipBlanks(at);
      if (finish(p))
        continue;
      if (*p != comment) [[likely]]
        return true;
      skip();
    }
    return false;
  }
  /// Moves behind the current line.
  void skip() {
    const auto *found =
        static_cast<const char *>(std::memchr(start, lineEnd, static_cast<size_t>(end - start)));
    at = found ? found + 1 : end;
  }
  /// Moves behind the current line if only blanks follow `p`; false if there is more.
  bool finish(const char *p) {
    p = skipBlanks(p);
    if (*p == '\r' && lineEnd == '\n')
      ++p;
    if (p == end) {
      at = end;
      return true;
    }
    if (*p != lineEnd)
      return false;
    at = p + 1;
    return true;
  }

  const char *line() const { return start; }
  int64_t lineNumber() const { return number; }
  /// Where the line after the current one begins, once that one is skipped or finished.
  const char *position() const { return at; }

private:
  const char *at, *end, *start = nullptr;
  char lineEnd, comment;
  int64_t number;
};

/// Cuts the text from `begin` (the start of line `firstLine`) to the end of the file, and counts
/// the entries; in parallel.
std::vector<TextChunk> cutIntoChunks(const InputFile &file, const char *begin, int64_t firstLine,
                                     char comment);

/// The line of an entry, counted over all chunks.
int64_t lineOfEntry(const InputFile &file, const std::vector<TextChunk> &chunks, int64_t entry,
                    char comment);

/// The number of the last line of a file, at least 1.
int64_t lastLine(const InputFile &file);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_TEXTCHUNKS_H
