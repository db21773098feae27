// Cutting texts into chunks of whole lines, and counting their lines and entries.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/TextChunks.h"

#include <algorithm>
#include <tbb/parallel_for.h>

namespace strata::runtime {

/// Large enough that the bookkeeping does not show, small enough to share out among many threads.
constexpr int64_t chunkBytes = int64_t{1} << 20;

std::vector<TextChunk> cutIntoChunks(const InputFile &file, const char *begin, int64_t firstLine,
                                     char comment) {
  std::vector<TextChunk> chunks;
  std::vector<int64_t> lines;
  for (const char *at = begin; at != file.end();) {
    const char *cut = file.end();
    if (file.end() - at > chunkBytes) {
      const char *from = at + chunkBytes;
      const void *found = std::memchr(from, file.lineEnd(), static_cast<size_t>(file.end() - from));
      if (found)
        cut = static_cast<const char *>(found) + 1;
    }
    chunks.push_back({at, cut, 0, 0, 0});
    at = cut;
  }
  lines.resize(chunks.size());
  tbb::parallel_for(size_t{0}, chunks.size(), [&](size_t i) {
    TextChunk &chunk = chunks[i];
    LineCursor cursor(chunk.begin, chunk.end, file.lineEnd(), comment, 1);
    for (; cursor.next(); cursor.skip())
      ++chunk.entries;
    lines[i] = cursor.lineNumber();
  });
  int64_t line = firstLine, entry = 0;
  for (size_t i = 0; i < chunks.size(); ++i) {
    chunks[i].firstLine = line;
    chunks[i].firstEntry = entry;
    line += lines[i];
    entry += chunks[i].entries;
  }
  return chunks;
}

int64_t lineOfEntry(const InputFile &file, const std::vector<TextChunk> &chunks, int64_t entry,
                    char comment) {
  auto after = std::ranges::upper_bound(chunks, entry, {}, &TextChunk::firstEntry);
  assert(after != chunks.begin() && "an entry of no chunk");
  const TextChunk &chunk = *--after;
  LineCursor cursor(chunk.begin, chunk.end, file.lineEnd(), comment, chunk.firstLine);
  for (int64_t e = chunk.firstEntry; cursor.next() && e < entry; ++e)
    cursor.skip();
  return cursor.lineNumber();
}

int64_t lastLine(const InputFile &file) {
  const int64_t ends = std::count(file.begin(), file.end(), file.lineEnd());
  const bool open = file.begin() != file.end() && file.end()[-1] != file.lineEnd();
  return std::max<int64_t>(1, ends + open);
}

} // namespace strata::runtime
