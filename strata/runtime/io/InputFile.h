// The text of an input file, mapped into memory.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_INPUTFILE_H
#define STRATA_RUNTIME_IO_INPUTFILE_H

#include "strata/runtime/storage/Buffer.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace strata::runtime {

/// Text to read, with the name that errors show. The byte after the text is readable and 0, so that
/// scanners of numbers need no bounds check. A mapped file must not shrink while it is read.
class InputFile {
public:
  /// Maps a regular file, reads anything else (a pipe, a terminal) to its end. Fails if it cannot
  /// be opened or is compressed.
  static Result<InputFile> open(const std::string &path);
  /// Text in memory; fails if it is compressed.
  static Result<InputFile> fromText(std::string name, std::string text);

  InputFile(InputFile &&other) noexcept { swap(other); }
  InputFile &operator=(InputFile &&other) noexcept {
    swap(other);
    return *this;
  }
  ~InputFile();

  const std::string &name() const { return label; }
  const char *begin() const { return start ? start : content.data(); }
  const char *end() const { return start ? start + bytes : content.data() + content.size(); }
  /// The beginning, long enough to recognize a format by: all of a short file.
  std::string_view head() const {
    return {begin(), static_cast<size_t>(std::min<int64_t>(end() - begin(), 4096))};
  }
  /// What ends a line: '\n' (after an optional '\r'), or '\r' in a file that has no '\n'.
  char lineEnd() const { return ending; }

  /// An error at a line of this file (0: at none).
  Error errorAt(int64_t line, std::string message, std::string expected = {}) const {
    return {std::move(message), std::move(expected), label, line};
  }

private:
  InputFile() = default;
  void swap(InputFile &other);
  Status map(int descriptor, int64_t size);
  Status readAll(int descriptor);
  Status examine();

  std::string label;
  std::string content;         ///< a given text
  Buffer piped;                ///< or what a pipe held
  int64_t reserved = 0;        ///< or that many mapped bytes
  const char *start = nullptr; ///< of the latter two
  int64_t bytes = 0;
  char ending = '\n';
};

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_INPUTFILE_H
