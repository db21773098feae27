// Matrix Market files (https://math.nist.gov/MatrixMarket/formats.html): reading and writing.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_MATRIXMARKET_H
#define STRATA_RUNTIME_IO_MATRIXMARKET_H

#include "strata/runtime/io/EntryReader.h"
#include "strata/runtime/io/ExpandSymmetry.h"
#include "strata/runtime/io/InputFile.h"
#include "strata/runtime/io/OutputFile.h"

#include <span>
#include <string_view>

namespace strata::runtime {

/// What the banner and the size line of a Matrix Market file say.
struct MatrixMarketFacts {
  enum class Object { matrix, vector, tensor };
  enum class Layout { coordinate, array };
  enum class Field { real, integer, natural, complex, pattern };

  Object object = Object::matrix;
  Layout layout = Layout::coordinate;
  Field field = Field::real;
  Symmetry symmetry = Symmetry::general;
  std::vector<int64_t> sizes = {};
  int64_t storedCount = 0; ///< entries in the file, before symmetric ones are added
};

struct MatrixMarketOptions {
  /// The type of the values. Absent: that of the field (naturalType). Values that it cannot express
  /// are errors.
  std::optional<strata_type> valueType = {};
  /// Adds the mirror images of entries outside the diagonal. If false, the stored entries alone are
  /// returned, and the facts say what they stand for.
  bool expandSymmetry = true;
  /// Refuses what is else read: entries above the diagonal of a symmetric matrix, a diagonal that a
  /// skew-symmetric or hermitian one cannot have, and a real matrix that is called hermitian.
  bool checkPromises = false;
  Progress progress = {};
  /// Who reads the file together; null: one alone. Coordinates are divided, unless promises are
  /// checked.
  const FileRanks *ranks = nullptr;
};

struct MatrixMarketContent {
  Coordinates list; ///< in the order of the file, then the mirror images; duplicates stay
  MatrixMarketFacts facts;
  std::string remark = {}; ///< what is doubtful, and how it was taken
  bool isPart = false;     ///< the list has what one of several ranks has read
};

/// Reads a matrix, vector (of order 1) or tensor. Beside the format as published: indented lines,
/// blank and comment lines anywhere, `double` for `real`, entries in either triangle of a symmetric
/// matrix, and a banner with one `%` are accepted. Arrays give all their entries, zeros too.
Result<MatrixMarketContent> readMatrixMarket(const std::string &path,
                                             const MatrixMarketOptions &options = {});
Result<MatrixMarketContent> readMatrixMarket(const InputFile &file,
                                             const MatrixMarketOptions &options = {});

struct MatrixMarketWriteOptions {
  /// A matrix (of a tensor of order 1, an n x 1 matrix, of order 0, a 1 x 1 matrix), or a tensor
  /// (of order 0, one of size 1).
  MatrixMarketFacts::Object object = MatrixMarketFacts::Object::matrix;
  /// Only the places, as field 'pattern'; so are booleans written that are all true.
  bool pattern = false;
  /// Lines that follow the banner; may have several, without the `%`.
  std::string comment = {};
  Progress progress = {};
  SharedOutput *shared = nullptr; ///< as in WriteFileOptions; of a list
};

/// Writes a list in coordinate form, all or nothing.
Status writeMatrixMarket(const std::string &path, const Coordinates &list,
                         const MatrixMarketWriteOptions &options = {});

/// Writes dense values in array form, the first dimension fastest, all or nothing.
Status writeMatrixMarketArray(const std::string &path, const DenseValues &values,
                              const MatrixMarketWriteOptions &options = {});

/// Does this text begin like a Matrix Market file? Like one whose object is a tensor?
bool looksLikeMatrixMarket(std::string_view head);
bool looksLikeTensorMarket(std::string_view head);

/// The type of the values of a field: f64, i64, u64, c128; bool for a pattern.
strata_type naturalType(MatrixMarketFacts::Field field);

/// `matrix coordinate real symmetric`: as in a banner.
std::string describe(const MatrixMarketFacts &facts);

/// The banner and the size line.
struct MatrixMarketHeader {
  MatrixMarketFacts facts;
  int64_t sizeLine; ///< the number of that line
  /// How many entries there must be; if that exceeds 63 bits, 2^63 - 1.
  int64_t entryCount;
};
/// Leaves the reader at the first entry.
Result<MatrixMarketHeader> readMatrixMarketHeader(TextReader &reader);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_MATRIXMARKET_H
