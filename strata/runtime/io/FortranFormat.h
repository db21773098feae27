// Numbers in columns, as a Fortran FORMAT such as `(16I5)` or `(1P,5D16.8)` lays them out.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_FORTRANFORMAT_H
#define STRATA_RUNTIME_IO_FORTRANFORMAT_H

#include "strata/runtime/io/NumberText.h"
#include "strata/runtime/io/TextReader.h"
#include "strata/runtime/storage/GrowingBuffer.h"

#include <functional>

namespace strata::runtime {

/// A format of one kind of number: how many fill a line, and the columns of each.
struct FortranFormat {
  int64_t perLine = 0, width = 0;
  int64_t decimals = 0; ///< digits behind the point where none is written
  int64_t scale = 0;    ///< of `kP`: a number without an exponent is divided by 10^k
  bool integer = false; ///< `I`, not `D`, `E`, `F` or `G`

  /// Nothing if the text is no such format.
  static std::optional<FortranFormat> parse(std::string_view text);
};

/// Reads the numbers of a list, which begins on a line of its own. Of a line where some columns
/// hold no number, but blanks or signs separate numbers, these are taken: some programs, such as
/// SciPy, write other columns than their format says.
class FortranReader {
public:
  FortranReader(TextReader &reader, const FortranFormat &format, std::string what)
      : reader(reader), format(format), what(std::move(what)) {}

  /// Reads what follows by blocks and in parallel, up to `count` numbers in all, while all lines
  /// are as the format says and `accept`, told how many numbers a block added, is content; an error
  /// only of the file itself. The numbers that are left are read one by one, which finds what is
  /// wrong.
  template <typename T>
  Status readPlainBlocks(int64_t count, GrowingBuffer<T> &to,
                         const std::function<bool(int64_t)> &accept);
  /// `index` counts the numbers in errors.
  Status readInteger(int64_t index, int64_t &value);
  /// The same of one that may be beyond 2^63 - 1: then `natural` is that, and else 0.
  Status readInteger(int64_t index, int64_t &value, uint64_t &natural);
  Status readReal(int64_t index, double &value);
  /// Fails if more numbers stand in a last line that was not read by columns; columns behind those
  /// of the last number may hold anything, as in published files they do.
  Status finish() const;
  /// An error at the field that was read last.
  Error refuse(int64_t index, std::string expected) const;

private:
  template <typename T>
  bool readPlainBlock(int64_t count, GrowingBuffer<T> &to,
                      const std::function<bool(int64_t)> &accept);
  Status nextField(int64_t index);
  void copyField();
  bool loosen();
  template <typename T> bool readLoose(T &value);

  TextReader &reader;
  const FortranFormat &format;
  std::string what;
  std::optional<TextLine> line;
  int64_t used = 0;            ///< fields of the line
  const char *loose = nullptr; ///< the rest of a line that is read without columns
  static constexpr int64_t widest = 128;
  char field[widest + 4] = {};                  ///< without blanks, ends with 0
  const char *begin = nullptr, *stop = nullptr; ///< the columns of the field
};

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_FORTRANFORMAT_H
