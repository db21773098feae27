// Compares the files of ranks, and divides texts at line ends.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/FileRanks.h"

#include "strata/runtime/Counted.h"
#include "strata/runtime/io/TextChunks.h"

#include <algorithm>
#include <array>

namespace strata::runtime {

static int64_t numberOf(std::string_view text) {
  uint64_t number = 0xcbf29ce484222325;
  for (const char c : text)
    number = (number ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return static_cast<int64_t>(number);
}

Status compareFiles(const InputFile &file, const FileRanks &ranks) {
  constexpr size_t words = 3;
  const auto bytes = static_cast<int64_t>(file.raw().size());
  const std::array<int64_t, words> own = {file.isMapped(), bytes, numberOf(file.head())};
  Result<std::vector<int64_t>> all = ranks.gather(own);
  if (!all)
    return all.takeStatus();
  for (size_t other = 1; other < static_cast<size_t>(ranks.count); ++other) {
    const int64_t *here = all->data(), *there = here + other * words;
    if (std::equal(here, here + words, there))
      continue;
    const std::string rank = std::to_string(other);
    if (here[1] != there[1])
      return Error{Error::RanksDiffer,
                   "the file has " + counted(here[1], "byte") + " on rank 0, and " +
                       counted(there[1], "byte") + " on rank " + rank,
                   "the same file on all ranks", file.name(), 0};
    return Error{Error::RanksDiffer, "the file begins otherwise on rank 0 than on rank " + rank,
                 "the same file on all ranks", file.name(), 0};
  }
  return {};
}

Result<std::optional<TextPart>> takePart(TextReader &reader, char comment, int64_t few,
                                         const FileRanks &ranks) {
  if (!reader.file().isInMemory())
    return std::optional<TextPart>();
  const std::string_view text = reader.file().raw();
  const char *begin = reader.position() ? reader.position() : text.data();
  const char *end = text.data() + text.size();
  const auto rank = static_cast<size_t>(ranks.rank);
  if (end - begin < std::max<int64_t>(ranks.leastBytes, ranks.count))
    return std::optional<TextPart>();
  auto cutAt = [&](int64_t number) {
    if (number == 0 || number == ranks.count)
      return number == 0 ? begin : end;
    // A line belongs to the part that its first byte lies in.
    const char *next, *from = begin + (end - begin) / ranks.count * number - 1;
    findEndOfLine(from, end, reader.lineEnd(), next);
    return next;
  };
  const char *own = cutAt(ranks.rank), *behind = cutAt(ranks.rank + 1);
  const TextCounts counts = countText(own, behind, reader.lineEnd(), comment);
  Result<std::vector<int64_t>> all = ranks.gather(std::array{counts.lines, counts.entries});
  if (!all)
    return all.takeStatus();
  TextPart part{0, 0};
  int64_t line = reader.lineNumber();
  for (size_t other = 0; other < static_cast<size_t>(ranks.count); ++other) {
    if (other == rank)
      part.firstEntry = part.allEntries;
    if (other < rank)
      line += (*all)[2 * other];
    part.allEntries += (*all)[2 * other + 1];
  }
  if (part.allEntries <= few)
    return std::optional<TextPart>();
  reader.narrow(own, behind, line);
  return std::optional(part);
}

} // namespace strata::runtime
