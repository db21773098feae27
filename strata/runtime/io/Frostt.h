// FROSTT files (`.tns`, http://frostt.io/tensors/file-formats.html): reading and writing.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_FROSTT_H
#define STRATA_RUNTIME_IO_FROSTT_H

#include "strata/runtime/io/EntryReader.h"
#include "strata/runtime/io/OutputFile.h"

namespace strata::runtime {

struct FrosttOptions {
  /// A plain file has entries only. An extended one begins with `# extended FROSTT format`, a line
  /// `rank entries` and a line with the sizes, as MLIR writes them.
  enum class Header { detect, none, extended };

  Header header = Header::detect;
  /// Is the first line of a plain file COMET's header, the sizes and the number of entries,
  /// wherever it can be? Else only where it can be nothing else.
  bool comet = false;
  /// The sizes of the dimensions of a file without a header, at least its largest indices; those
  /// that are `unknownSize`, or all if absent or for a tensor of another order, are these.
  std::optional<std::vector<int64_t>> sizes = {};
  int64_t base = 1; ///< the first index of each dimension: 1, or 0 in files that are not FROSTT's
  /// The type of the values; absent: f64, or i64 or u64 if all are integers and one is beyond those
  /// that f64 holds. Values that it cannot express are errors.
  std::optional<strata_type> valueType = {};
  Progress progress = {};
  /// Who reads the file together; null: one alone. A file with neither a header of COMET's nor
  /// values whose type they decide is divided.
  const FileRanks *ranks = nullptr;
};

struct FrosttContent {
  Coordinates list;
  std::string header = {};               ///< what precedes the entries: `COMET's header`
  std::vector<std::string> remarks = {}; ///< how what is doubtful was taken
  bool isPart = false;                   ///< the list has what one of several ranks has read
};

/// Reads a tensor: a line for each entry, indices from 1 on, then the value; `#` begins a comment
/// line. A single value is a tensor of order 0. The order of the file is kept, and so are
/// duplicates. The comment `# sizes 4 5 6`, which Strata writes where there are no entries, gives
/// the sizes.
Result<FrosttContent> readFrostt(const std::string &path, const FrosttOptions &options = {});
Result<FrosttContent> readFrostt(const InputFile &file, const FrosttOptions &options = {});

/// Does a comment at the beginning announce MLIR's header?
bool looksLikeExtendedFrostt(std::string_view head);

struct FrosttWriteOptions {
  bool extended = false; ///< with MLIR's header, which keeps sizes and empty tensors
  int64_t base = 1;      ///< the first index of each dimension
  Progress progress = {};
  SharedOutput *shared = nullptr; ///< as in WriteFileOptions
};

/// Writes a tensor, all or nothing. A plain file cannot hold sizes beyond the largest indices, but
/// for a comment with the sizes of a tensor without entries; neither holds complex values, which
/// are an error.
Status writeFrostt(const std::string &path, const Coordinates &list,
                   const FrosttWriteOptions &options = {});

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_FROSTT_H
