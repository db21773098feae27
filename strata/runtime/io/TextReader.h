// The text of a file in blocks of whole lines, so that a compressed file or a pipe never lies in
// memory as a whole.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_TEXTREADER_H
#define STRATA_RUNTIME_IO_TEXTREADER_H

#include "strata/runtime/io/Compression.h"
#include "strata/runtime/io/NumberText.h"

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace strata::runtime {

/// One line without its end. The byte at `end` is readable and part of no number.
struct TextLine {
  const char *begin, *end;
  int64_t number; ///< counted from 1
};

/// How much text one task reads, at least, where several read a block. Large enough that the
/// bookkeeping does not show, small enough to share out among many threads, and to be in a core's
/// cache when it is read after it was counted.
inline constexpr int64_t textChunkBytes = int64_t{1} << 18;

/// The words of a line, which blanks separate.
std::vector<std::string_view> wordsOf(const TextLine &line);

/// Reads a text from its beginning to its end. Every block ends at the end of a line (or, on
/// request, of a word), or with the text; behind the block lies a byte that is part of no number.
class TextReader {
public:
  /// Where blocks may end: files with lines of any length are cut at blanks.
  enum class Cut { lines, words };

  explicit TextReader(const InputFile &file, Cut cut = Cut::lines);
  TextReader(const TextReader &) = delete;

  const InputFile &file() const { return input; }
  /// What ends a line: '\n' (after an optional '\r'), or '\r' in a text whose first block has no
  /// '\n'. Known once a block was read.
  char lineEnd() const { return ending; }
  /// The rest of the block, and the number of its first line.
  const char *position() const { return at; }
  const char *end() const { return stop; }
  int64_t lineNumber() const { return line; }
  /// Says that the text before `position` was used, up to the start of line `lineNumber`.
  void advance(const char *position, int64_t lineNumber) {
    at = position;
    line = lineNumber;
  }
  /// Leaves what lies from `begin` to before `end` of a text in memory, whole lines, of which the
  /// first has this number.
  void narrow(const char *begin, const char *end, int64_t lineNumber);
  /// Moves on to the next block if this one is used up; false at the end of the text.
  Result<bool> more();
  /// Calls `work`, which uses the rest of the block up, while the next one is made.
  void workOnBlock(const std::function<void()> &work);
  /// Block by block, until `work` returns false or the text ends.
  Status workOnBlocks(const std::function<bool()> &work);
  /// The next line that is neither blank nor begins with `comment` (0: no comments); nothing at the
  /// end of the text. Valid until the next call.
  Result<std::optional<TextLine>> nextLine(char comment);
  /// The next line whatever it holds.
  Result<std::optional<TextLine>> nextLine();

  /// How much of what is to be read was read, from 0 to 1; 0 while that is unknown.
  double share() const;
  /// The number of the last line, at least 1, once all lines were used.
  int64_t lastLine() const { return line > 1 ? line - 1 : 1; }
  Error errorAt(int64_t number, Error::Code code, std::string message,
                std::string expected = {}) const {
    return input.errorAt(number, code, std::move(message), std::move(expected));
  }
  /// The same at the last line.
  Error errorAtEnd(Error::Code code, std::string message, std::string expected = {}) const {
    return errorAt(lastLine(), code, std::move(message), std::move(expected));
  }

private:
  struct Block {
    const char *begin = nullptr, *end = nullptr;
  };
  Status prepare();
  void prepareMapped();
  Status prepareStream();
  const char *cutBehind(const char *from, const char *to) const;
  const char *lastCut(const char *from, const char *to) const;
  void findLineEnd(const char *from, const char *to);
  Status tooLong(const char *text, int64_t size) const;

  const InputFile &input;
  Cut cut;
  ByteReader bytes;
  const char *at = nullptr, *stop = nullptr;
  int64_t line = 1;
  char ending = '\n';
  Block next;
  Status failure; ///< of making the next block
  bool prepared = false, ended = false;
  /// Of a stream: the block in use and the next; the text behind what the next block ends with.
  Buffer current, following;
  Block tail;
  Block all; ///< of a text in memory
};

/// The end of the line that begins at `from`, without `\r` and `\n`; `next` becomes the start of
/// the line after it.
const char *findEndOfLine(const char *from, const char *end, char lineEnd, const char *&next);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_TEXTREADER_H
