// A block of entries, one a line, cut at line ends into chunks that are read in parallel.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_TEXTCHUNKS_H
#define STRATA_RUNTIME_IO_TEXTCHUNKS_H

#include "strata/runtime/io/TextReader.h"

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

  /// The current line.
  TextLine line() const {
    const char *next;
    return {start, findEndOfLine(start, end, lineEnd, next), number};
  }
  const char *lineBegin() const { return start; }
  /// Its number; at the end, that of the last line.
  int64_t lineNumber() const { return number; }

private:
  const char *at, *end, *start = nullptr;
  char lineEnd, comment;
  int64_t number;
};

/// The lines of entries, where entries and lines do not run in parallel: memory in proportion to
/// the blank lines and comments between them.
class LineMap {
public:
  void add(int64_t entry, int64_t line) {
    if (runs.empty() || line - runs.back().line != entry - runs.back().entry)
      runs.push_back({entry, line});
  }
  /// 0 for an entry before all that were added.
  int64_t lineOf(int64_t entry) const;

private:
  struct Run {
    int64_t entry, line;
  };
  friend std::vector<TextChunk> cutIntoChunks(TextReader &, char, int64_t, LineMap &);
  std::vector<Run> runs; ///< the first entry after each gap
};

/// How many lines and entries a text has.
struct TextCounts {
  int64_t lines = 0, entries = 0;
};

/// Counts those of whole lines, in parallel.
TextCounts countText(const char *begin, const char *end, char lineEnd, char comment);

/// Cuts the rest of a block and counts its entries, in parallel; `firstEntry` come before them. The
/// reader stands behind the block then.
std::vector<TextChunk> cutIntoChunks(TextReader &reader, char comment, int64_t firstEntry,
                                     LineMap &lines);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_TEXTCHUNKS_H
