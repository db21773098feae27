// Cutting texts into chunks of whole lines, and counting their lines and entries.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/TextChunks.h"
#include "strata/runtime/Parallel.h"

#include <algorithm>
#include <optional>

namespace strata::runtime {

int64_t LineMap::lineOf(int64_t entry) const {
  auto after = std::ranges::upper_bound(runs, entry, {}, &Run::entry);
  if (after == runs.begin())
    return 0;
  --after;
  return after->line + (entry - after->entry);
}

/// How many lines a text that is not empty has, if each of them is surely an entry: none begins
/// with a blank or ends at once, and no comment begins anywhere.
static std::optional<int64_t> countPlainLines(const char *at, const char *end, char lineEnd,
                                              char comment) {
  auto isBlankOrEnd = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
  int64_t lines = 0;
  constexpr int64_t few = 128; // what a byte can count
  const char *last = end - 1;
  if (isBlankOrEnd(*at) || *at == comment || *last == comment)
    return std::nullopt;
  while (at != last) {
    const int64_t count = std::min<int64_t>(few, last - at);
    uint8_t here = 0, other = 0;
    for (int64_t i = 0; i < count; ++i) {
      const bool ends = at[i] == lineEnd;
      here = static_cast<uint8_t>(here + ends);
      other |= static_cast<uint8_t>((at[i] == comment) | (ends & isBlankOrEnd(at[i + 1])));
    }
    if (other)
      return std::nullopt;
    lines += here;
    at += count;
  }
  return lines + 1; // that of the last byte, whether it is its end or not
}

/// Cuts whole lines into chunks whose entries are not counted yet.
static std::vector<TextChunk> cutLines(const char *begin, const char *end, char lineEnd) {
  std::vector<TextChunk> chunks;
  for (const char *at = begin; at != end;) {
    const char *cut = end;
    if (cut - at > textChunkBytes) {
      const char *from = at + textChunkBytes;
      const void *found = std::memchr(from, lineEnd, static_cast<size_t>(cut - from));
      if (found)
        cut = static_cast<const char *>(found) + 1;
    }
    chunks.push_back({at, cut, 0, 0, 0});
    at = cut;
  }
  return chunks;
}

/// Counts the entries of a chunk, and says in which of its lines they stand. Gives how many lines
/// it has.
static int64_t countChunk(TextChunk &chunk, char lineEnd, char comment, LineMap &lines) {
  if (std::optional<int64_t> plain = countPlainLines(chunk.begin, chunk.end, lineEnd, comment)) {
    chunk.entries = *plain;
    lines.add(0, 1);
    return *plain;
  }
  LineCursor cursor(chunk.begin, chunk.end, lineEnd, comment, 1);
  for (; cursor.next(); cursor.skip())
    lines.add(chunk.entries++, cursor.lineNumber());
  return cursor.lineNumber();
}

TextCounts countText(const char *begin, const char *end, char lineEnd, char comment) {
  std::vector<TextChunk> chunks = cutLines(begin, end, lineEnd);
  return parallelReduce(
      tbb::blocked_range<size_t>(0, chunks.size()), TextCounts{},
      [&](const tbb::blocked_range<size_t> &range, TextCounts counts) {
        for (size_t i = range.begin(); i < range.end(); ++i) {
          LineMap unused;
          counts.lines += countChunk(chunks[i], lineEnd, comment, unused);
          counts.entries += chunks[i].entries;
        }
        return counts;
      },
      [](TextCounts a, TextCounts b) {
        return TextCounts{a.lines + b.lines, a.entries + b.entries};
      });
}

std::vector<TextChunk> cutIntoChunks(TextReader &reader, char comment, int64_t firstEntry,
                                     LineMap &lines) {
  std::vector<TextChunk> chunks = cutLines(reader.position(), reader.end(), reader.lineEnd());
  std::vector<int64_t> lineCounts(chunks.size());
  std::vector<LineMap> maps(chunks.size());
  parallelFor(size_t{0}, chunks.size(), [&](size_t i) {
    lineCounts[i] = countChunk(chunks[i], reader.lineEnd(), comment, maps[i]);
  });
  int64_t line = reader.lineNumber(), entry = firstEntry;
  for (size_t i = 0; i < chunks.size(); ++i) {
    chunks[i].firstLine = line;
    chunks[i].firstEntry = entry;
    for (const LineMap::Run &run : maps[i].runs)
      lines.add(entry + run.entry, line - 1 + run.line);
    line += lineCounts[i];
    entry += chunks[i].entries;
  }
  reader.advance(reader.end(), line);
  return chunks;
}

} // namespace strata::runtime
