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
  /// The sizes of the dimensions; absent: those of the header, or the largest indices.
  std::optional<std::vector<int64_t>> sizes = {};
  /// The type of the values; absent: f64. Values that it cannot express are errors.
  std::optional<strata_type> valueType = {};
  Progress progress = {};
};

/// Reads a tensor: a line for each entry, indices from 1 on, then the value; `#` begins a comment
/// line. The order of the file is kept, and so are duplicates.
Result<Coordinates> readFrostt(const std::string &path, const FrosttOptions &options = {});
Result<Coordinates> readFrostt(const InputFile &file, const FrosttOptions &options = {});

/// Does a comment at the beginning announce MLIR's header?
bool looksLikeExtendedFrostt(std::string_view head);

struct FrosttWriteOptions {
  bool extended = false; ///< with MLIR's header, which keeps sizes and empty tensors
  Progress progress = {};
};

/// Writes a tensor, all or nothing. A plain file cannot hold a tensor without entries, sizes beyond
/// the largest indices, or complex values; the last is an error.
Status writeFrostt(const std::string &path, const Coordinates &list,
                   const FrosttWriteOptions &options = {});

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_FROSTT_H
