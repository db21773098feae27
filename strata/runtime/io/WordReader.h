// Whole numbers one after the other, on lines of any length.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_WORDREADER_H
#define STRATA_RUNTIME_IO_WORDREADER_H

#include "strata/runtime/io/TextReader.h"
#include "strata/runtime/storage/GrowingBuffer.h"

namespace strata::runtime {

/// Reads numbers between blanks and line ends from a reader that cuts at words.
class WordReader {
public:
  explicit WordReader(TextReader &reader) : reader(reader) {}

  /// Moves to the next word; false at the end of the text.
  Result<bool> next();
  /// Reads what follows by blocks and in parallel, up to `count` numbers in all, while all words
  /// are numbers from 0 to `largest`; an error only of the file itself. The words that are left are
  /// read one by one, which finds what is wrong.
  template <typename T>
  Status readPlainBlocks(int64_t count, int64_t largest, GrowingBuffer<T> &to);
  /// Reads the word as a number from 0 to `largest`; `what` names it in errors.
  Status readNumber(const std::string &what, int64_t largest, int64_t &number);
  Error errorHere(Error::Code code, std::string message, std::string expected = {}) const {
    return reader.errorAt(reader.lineNumber(), code, std::move(message), std::move(expected));
  }

private:
  template <typename T> bool readPlainBlock(int64_t count, int64_t largest, GrowingBuffer<T> &to);
  Status refuse(const std::string &what, int64_t largest) const;

  TextReader &reader;
};

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_WORDREADER_H
