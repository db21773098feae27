// Cutting texts into chunks of whole lines, and counting their lines and entries.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/TextChunks.h"

#include <algorithm>
#include <tbb/parallel_for.h>

namespace strata::runtime {

/// Large enough that the bookkeeping does not show, small enough to share out among many threads,
/// and to be in a core's cache when it is read after it was counted.
constexpr int64_t chunkBytes = int64_t{1} << 18;

int64_t LineMap::lineOf(int64_t entry) const {
  auto after = std::ranges::upper_bound(runs, entry, {}, &Run::entry);
  assert(after != runs.begin() && "an entry of no chunk");
  --after;
  return after->line + (entry - after->entry);
}

std::vector<TextChunk> cutIntoChunks(TextReader &reader, char comment, int64_t firstEntry,
                                     LineMap &lines) {
  std::vector<TextChunk> chunks;
  for (const char *at = reader.position(); at != reader.end();) {
    const char *cut = reader.end();
    if (cut - at > chunkBytes) {
      const char *from = at + chunkBytes;
      const void *found = std::memchr(from, reader.lineEnd(), static_cast<size_t>(cut - from));
      if (found)
        cut = static_cast<const char *>(found) + 1;
    }
    chunks.push_back({at, cut, 0, 0, 0});
    at = cut;
  }
  std::vector<int64_t> lineCounts(chunks.size());
  std::vector<LineMap> maps(chunks.size());
  tbb::parallel_for(size_t{0}, chunks.size(), [&](size_t i) {
    TextChunk &chunk = chunks[i];
    LineCursor cursor(chunk.begin, chunk.end, reader.lineEnd(), comment, 1);
    for (; cursor.next(); cursor.skip())
      maps[i].add(chunk.entries++, cursor.lineNumber());
    lineCounts[i] = cursor.lineNumber();
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
