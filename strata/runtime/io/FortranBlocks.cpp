// Lists of numbers in columns, block by block and in parallel, where every line is as its FORMAT
// says; what is not is left to FortranReader's readInteger and readReal.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/InternalError.h"
#include "strata/runtime/Parallel.h"
#include "strata/runtime/io/FortranFormat.h"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace strata::runtime {
namespace {

/// Whole lines.
struct Lines {
  const char *begin, *end;
  int64_t first = 0, count = 0; ///< their number in the block
};

std::vector<Lines> cutIntoLines(const char *at, const char *end, char lineEnd) {
  std::vector<Lines> chunks;
  while (at != end) {
    const char *cut = end;
    if (cut - at > textChunkBytes) {
      const char *from = at + textChunkBytes;
      const void *found = std::memchr(from, lineEnd, static_cast<size_t>(cut - from));
      cut = found ? static_cast<const char *>(found) + 1 : end;
    }
    chunks.push_back({at, cut});
    at = cut;
  }
  parallelFor(size_t{0}, chunks.size(), [&](size_t i) {
    Lines &chunk = chunks[i];
    chunk.count = std::count(chunk.begin, chunk.end, lineEnd) + (chunk.end[-1] != lineEnd);
  });
  int64_t first = 0;
  for (Lines &chunk : chunks) {
    chunk.first = first;
    first += chunk.count;
  }
  return chunks;
}

const char *skipBlanksUpTo(const char *p, const char *end) {
  while (p != end && isBlank(*p))
    ++p;
  return p;
}

/// A field that holds an integer and blanks before it.
bool readPlain(const char *p, const char *end, const FortranFormat &, int64_t &value) {
  p = skipBlanksUpTo(p, end);
  const bool negative = p != end && *p == '-';
  p += negative || (p != end && *p == '+');
  if (p == end || end - p > 18)
    return false;
  int64_t number = 0;
  for (; p != end; ++p) {
    if (!isDigit(*p))
      return false;
    number = number * 10 + (*p - '0');
  }
  value = negative ? -number : number;
  return true;
}

/// A field that holds a number with a point, and with an exponent if a scale is to be undone.
bool readPlain(const char *begin, const char *end, const FortranFormat &format, double &value) {
  const auto width = static_cast<size_t>(end - begin);
  if (!std::memchr(begin, '.', width))
    return false;
  auto isExponent = [](char c) { return (c | 0x20) == 'e' || (c | 0x20) == 'd'; };
  if (format.scale != 0 && std::none_of(begin, end, isExponent))
    return false;
  begin = skipBlanksUpTo(begin, end);
  const char *p = begin;
  if (readReal(p, value) == NumberFault::none && p == end)
    return true;
  // A `D`, or a number that goes on in the next field.
  char field[130];
  char *last = std::copy(begin, end, field);
  *last = 0;
  std::replace_if(field, last, [](char c) { return (c | 0x20) == 'd'; }, 'e');
  p = field;
  return readReal(p, value) == NumberFault::none && p == last;
}

} // namespace

template <typename T>
bool FortranReader::readPlainBlock(int64_t count, GrowingBuffer<T> &to,
                                   const std::function<bool(int64_t)> &accept) {
  const std::vector<Lines> chunks = cutIntoLines(reader.position(), reader.end(), reader.lineEnd());
  const int64_t before = to.count(), wanted = count - before;
  // A header may count up to 2^63 - 1 of them.
  const int64_t wantedLines = wanted / format.perLine + (wanted % format.perLine != 0);
  const int64_t lines = std::min(wantedLines, chunks.back().first + chunks.back().count);
  const int64_t numbers = std::min(wanted, lines * format.perLine);
  // A block of lines without the numbers that the header counts asks for no memory.
  if (numbers > (reader.end() - reader.position()) / format.width + format.perLine)
    return false;
  T *place = to.append(numbers);
  if (!place)
    return false;
  std::atomic<bool> odd = false;
  const char *rest = reader.position();
  parallelFor(size_t{0}, chunks.size(), [&](size_t i) {
    const char *at = chunks[i].begin;
    for (int64_t n = chunks[i].first; n < std::min(lines, chunks[i].first + chunks[i].count); ++n) {
      const char *next, *end = findEndOfLine(at, chunks[i].end, reader.lineEnd(), next);
      const int64_t first = n * format.perLine, here = std::min(format.perLine, numbers - first);
      if (odd || end - at < here * format.width) {
        odd = true;
        return;
      }
      for (int64_t f = 0; f < here; ++f, at += format.width)
        if (!readPlain(at, at + format.width, format, place[first + f])) {
          odd = true;
          return;
        }
      at = next;
      if (n + 1 == lines)
        rest = next;
    }
  });
  if (odd || !accept(numbers)) {
    to.drop(numbers);
    return false;
  }
  reader.advance(rest, reader.lineNumber() + lines);
  return true;
}

template <typename T>
Status FortranReader::readPlainBlocks(int64_t count, GrowingBuffer<T> &to,
                                      const std::function<bool(int64_t)> &accept) {
  if (line)
    return internalError("a list that was begun number by number is read in blocks");
  if (to.count() >= count)
    return {};
  return reader.workOnBlocks(
      [&] { return readPlainBlock(count, to, accept) && to.count() < count; });
}

template Status FortranReader::readPlainBlocks(int64_t, GrowingBuffer<int64_t> &,
                                               const std::function<bool(int64_t)> &);
template Status FortranReader::readPlainBlocks(int64_t, GrowingBuffer<double> &,
                                               const std::function<bool(int64_t)> &);

} // namespace strata::runtime
