// Processes that read or write one file together, each a part of its bytes.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_FILERANKS_H
#define STRATA_RUNTIME_IO_FILERANKS_H

#include "strata/runtime/io/TextReader.h"

#include <functional>
#include <span>
#include <vector>

namespace strata::runtime {

/// All of them call the same functions in the same order.
struct FileRanks {
  int32_t rank = 0, count = 1;
  /// Gives the words that all have brought, rank by rank; each brings the same number. Fails in all
  /// if one has failed.
  std::function<Result<std::vector<int64_t>>(std::span<const int64_t> own)> gather;
  /// Texts that are shorter are read by each, as that takes less time than messages do.
  int64_t leastBytes = int64_t{1} << 16;
};

/// Fails on all ranks unless they have the same file, as far as its size and its beginning tell.
Status compareFiles(const InputFile &file, const FileRanks &ranks);

/// The lines of a text that one rank reads.
struct TextPart {
  int64_t firstEntry; ///< how many entries stand before it
  int64_t allEntries; ///< of the whole text
};

/// Leaves in a reader, which stands at the first entry, the lines of its part of the rest. Nothing
/// if each is to read all of it: the text is short, or has no more than `few` entries, or is no
/// plain file.
Result<std::optional<TextPart>> takePart(TextReader &reader, char comment, int64_t few,
                                         const FileRanks &ranks);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_FILERANKS_H
