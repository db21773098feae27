// A file that several ranks write together, each its part of the text.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_SHAREDOUTPUT_H
#define STRATA_RUNTIME_IO_SHAREDOUTPUT_H

#include "strata/runtime/io/FileRanks.h"
#include "strata/runtime/io/OutputFile.h"

namespace strata::runtime {

/// Appears complete or not at all, as an OutputFile does: the first rank creates it and gives it
/// its name, and all write to it at once, each where its part lies.
class SharedOutput {
public:
  /// Nothing if one rank must write: into a stream, what is compressed, or where not all ranks see
  /// the file that the first one creates, as on nodes with folders of their own.
  static Result<std::optional<SharedOutput>> create(const std::string &path,
                                                    const FileRanks &ranks);

  /// The sums of numbers that ranks bring, each as many.
  Result<std::vector<int64_t>> sum(std::span<const int64_t> own) const;
  /// Writes a header, which all ranks give alike, and the texts of the things of this rank behind
  /// those of the ranks before it; then the file appears. Memory is in proportion to the rank's
  /// text.
  Status write(std::string_view header, int64_t items, const ItemText &format);

private:
  SharedOutput(OutputFile file, const FileRanks &ranks) : file(std::move(file)), ranks(&ranks) {}

  OutputFile file;
  const FileRanks *ranks;
};

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_SHAREDOUTPUT_H
