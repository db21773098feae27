// Reading and writing a tensor in a file of any known format (FileFormats.h).
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_TENSORFILE_H
#define STRATA_RUNTIME_IO_TENSORFILE_H

#include "strata/runtime/storage/Coordinates.h"

#include <complex>
#include <functional>
#include <optional>

namespace strata::runtime {

struct FileRanks;
struct LevelArrays;
class SharedOutput;

/// Told the share of a file that was read or written, from 0 to 1, never decreasing; called on any
/// thread, but never twice at once.
using Progress = std::function<void(double)>;

/// Dense values of the caller: element (i, j) lies at i * strides[0] + j * strides[1].
struct DenseValues {
  std::vector<int64_t> sizes;
  std::vector<int64_t> strides; ///< in elements
  strata_type type;
  const void *data;
};

struct TensorFileOptions {
  /// The type of the values; absent: that which the file holds. Values that it cannot express are
  /// errors, but rounding to a floating-point type is none.
  std::optional<strata_type> valueType = {};
  /// Which tensor to read from a file that holds several: that of this order.
  std::optional<int> order = {};
  /// The sizes that the tensor is to have, where the file does not say them: at least the largest
  /// coordinates; -1 where these decide.
  std::optional<std::vector<int64_t>> sizes = {};
  /// The first index of each dimension in FROSTT files: 1, as they should have, or 0.
  int64_t base = 1;
  /// Is the first line of a FROSTT file COMET's header wherever it can be?
  bool comet = false;
  /// Checks also what readers need not rely on: the order and uniqueness that a format promises.
  bool checkPromises = false;
  Progress progress = {};
  /// Reads the names of rows and columns, too, where the file has them.
  bool names = false;
  /// Offered the arrays of a file that stores the entries level by level and nothing else about
  /// them, and say that the rest is zero. If it takes them, no list is made. Unlike a list they may
  /// be wrong in any way.
  std::function<bool(const LevelArrays &)> take = {};
  /// Who reads the file together; null: one alone. Each gets its part of a file that can be
  /// divided, and all of any other.
  const FileRanks *ranks = nullptr;
};

struct TensorFileContent {
  Coordinates list;
  bool taken = false;            ///< the file's arrays were taken as they are, and there is no list
  bool isPart = false;           ///< the list has what one of several ranks has read
  std::complex<double> fill = 0; ///< what is worth what the file does not store
  /// The file is an array: the list has an entry for each element, none of which was chosen. Sparse
  /// formats store those that do not equal their fill.
  bool isArray = false;
  std::string format = {};                   ///< its name; that of the table where it is left empty
  std::string header = {};                   ///< what the file says of itself, in its own words
  std::optional<int64_t> entriesInFile = {}; ///< as its header counts them
  /// For each dimension the names of its indices, in their order, or none; empty if no dimension
  /// has names, or they were not asked for.
  std::vector<std::vector<std::string>> names = {};
  /// What is doubtful in the file, and how it was taken; each names the file.
  std::vector<std::string> remarks = {};
};

/// Reads a file whose content, or else ending, shows its format; `-` and `-.mtx` are
/// standard input. What follows `::` selects what to read (FileSelection.h).
Result<TensorFileContent> readTensorFile(const std::string &path,
                                         const TensorFileOptions &options = {});

struct WriteFileOptions {
  int64_t base = 1; ///< the first index of each dimension in FROSTT files: 1 or 0
  Progress progress = {};
  /// What several ranks write to; each gives the entries that come behind those of the ranks before
  /// it. Null: one writes all.
  SharedOutput *shared = nullptr;
};

/// Writes by the ending, all or nothing; `-.mtx` is standard output.
Status writeTensorFile(const std::string &path, const Coordinates &list,
                       const WriteFileOptions &options = {});

/// Tells whether ranks can write lists under this name together (WriteFileOptions::shared).
bool canBeWrittenTogether(const std::string &path);

/// Writes a tensor that is worth `fill` where nothing is listed; few formats can say so.
Status writeTensorFile(const std::string &path, const Coordinates &list, std::complex<double> fill);
/// Can the format that is written under a name say what is worth what is not listed?
bool keepsFill(const std::string &path);

/// The same for a tensor with all its places; nothing if the format has no such form.
std::optional<Status> writeDenseTensorFile(const std::string &path, const DenseValues &values,
                                           const WriteFileOptions &options = {});

/// The same for a storage that is a stack of dense and sparse levels.
std::optional<Status> writeLevelsFile(const std::string &path, const LevelArrays &arrays);

/// The names of the tensors of a file that may have several, as they may follow `::`; none of any
/// other file.
Result<std::vector<std::string>> tensorsOfFile(const std::string &path);

/// The type in which a file holds its values, if that can be told without reading it all. Of a
/// stream nothing is lost: readTensorFile of the same path reads it from its beginning.
std::optional<strata_type> valueTypeOfFile(const std::string &path);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_TENSORFILE_H
