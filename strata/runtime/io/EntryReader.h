// Reading lines `coordinate … coordinate value`, which Matrix Market and FROSTT files share.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_ENTRYREADER_H
#define STRATA_RUNTIME_IO_ENTRYREADER_H

#include "strata/runtime/io/FileRanks.h"
#include "strata/runtime/io/TensorFile.h"
#include "strata/runtime/io/TextChunks.h"

#include <algorithm>

namespace strata::runtime {

/// How the value of an entry is written, and what it is read as.
enum class ValueText {
  none,            ///< nothing: the value is true
  real,            ///< a decimal number, read as f64
  integer,         ///< an integer, read as f64
  strictInteger32, ///< an integer, read as i32
  strictInteger64, ///< an integer, read as i64
  integer32,       ///< a decimal number without a fraction, read as i32
  integer64,       ///< a decimal number without a fraction, read as i64
  natural64,       ///< a decimal number without a fraction or a sign, read as u64
  complex          ///< two decimal numbers, read as c128
};

/// Of a dimension whose size is found out from the coordinates.
constexpr int64_t unknownSize = -1;

/// What the lines of a file look like.
struct EntryShape {
  int order;
  std::vector<int64_t> sizes = {}; ///< as many as the order, which may be unknown
  ValueText value;
  char comment;
  std::optional<strata_type> wanted = {}; ///< the type that values are to have in the end
  int64_t base = 1;                       ///< the first coordinate of each dimension: 1 or 0
  std::string baseHint = {};              ///< what to do with a file that counts from 0
  std::optional<int64_t> count = {};      ///< how many entries there must be
  std::string countSource = {};           ///< who says so: `the size line says`
  std::string why = {}; ///< why a value looks as it must: `in a file of field 'pattern'`

  /// Is a size to be found out?
  bool finds() const { return std::ranges::find(sizes, unknownSize) != sizes.end(); }
};

/// Files with as few entries are read by each of several ranks: what they say in their first line
/// may follow from all others.
constexpr int64_t fewEntries = 16;

/// The most dimensions that a file's tensor may have.
constexpr int64_t maximumOrder = 64;

struct EntriesRead {
  Coordinates list; ///< of order 0 if the shape is
  LineMap lines;    ///< where the entries stand
  /// If these are the entries of a part alone: which part.
  std::optional<TextPart> part = {};
};

/// Reads all entries from the reader's position to the end of the file. Memory is in proportion to
/// the file, whatever its header promises; of a compressed file or a stream, to the entries. The
/// error is the first in the file. Several ranks (null: one) get a part each, unless the file is
/// none that can be divided, and the error of the first that has one is the first in the file; then
/// the sizes are those of the whole.
Result<EntriesRead> readEntries(TextReader &reader, const EntryShape &shape,
                                const Progress &progress, const FileRanks *ranks = nullptr);

/// Changes the type of the values that were read, as Coordinates::convertValues does; an error
/// names the line. The list begins with entry `first` of the file.
Status convertEntries(Coordinates &list, strata_type type, const LineMap &lines, int64_t first = 0);

/// A shown token of a file: quoted, shortened, without control characters.
std::string quoteToken(std::string_view token);

/// Coordinates are named `row`, `column` in matrices and `index 1`, `index 2`, … elsewhere.
std::string coordinateName(int order, int dimension);

/// Why a line is no entry; nothing if it is one (its coordinates may be up to 2^63 - 1 if the sizes
/// are unknown).
std::optional<Error> explainEntry(const InputFile &file, const TextLine &line,
                                  const EntryShape &shape);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_ENTRYREADER_H
