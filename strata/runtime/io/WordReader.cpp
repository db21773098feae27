// How words are found across the blocks of a text.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/WordReader.h"

#include "strata/runtime/Parallel.h"
#include "strata/runtime/io/EntryReader.h"

#include <algorithm>
#include <atomic>

namespace strata::runtime {
namespace {

bool separates(char c) { return isBlank(c) || c == '\n' || c == '\r'; }

/// Whole words.
struct Words {
  const char *begin, *end;
  int64_t first = 0, count = 0; ///< their number in the block
};

std::vector<Words> cutIntoWords(const char *at, const char *end) {
  std::vector<Words> chunks;
  while (at != end) {
    const char *cut =
        end - at > textChunkBytes ? std::find_if(at + textChunkBytes, end, separates) : end;
    chunks.push_back({at, cut});
    at = cut;
  }
  parallelFor(size_t{0}, chunks.size(), [&](size_t i) {
    bool inside = false;
    for (const char *p = chunks[i].begin; p != chunks[i].end; ++p) {
      const bool here = !separates(*p);
      chunks[i].count += here && !inside;
      inside = here;
    }
  });
  int64_t first = 0;
  for (Words &chunk : chunks) {
    chunk.first = first;
    first += chunk.count;
  }
  return chunks;
}

/// The numbers of words, up to `count` of them; behind the last one, or null if one is none.
template <typename T>
const char *readNumbers(const Words &words, int64_t count, int64_t largest, T *to) {
  const char *p = words.begin;
  for (int64_t n = 0; n < count; ++n) {
    p = std::find_if_not(p, words.end, separates);
    uint64_t value;
    if (readNatural(p, value) != NumberFault::none || value > static_cast<uint64_t>(largest) ||
        (p != words.end && !separates(*p)))
      return nullptr;
    to[n] = static_cast<T>(value);
  }
  return p;
}

} // namespace

template <typename T>
bool WordReader::readPlainBlock(int64_t count, int64_t largest, GrowingBuffer<T> &to) {
  const char *begin = reader.position(), *rest = begin;
  const std::vector<Words> chunks = cutIntoWords(begin, reader.end());
  const int64_t there = chunks.back().first + chunks.back().count,
                numbers = std::min(there, count - to.count());
  T *place = to.append(numbers);
  if (!place)
    return false;
  std::atomic<bool> odd = false;
  parallelFor(size_t{0}, chunks.size(), [&](size_t i) {
    const int64_t here = std::min(chunks[i].count, numbers - chunks[i].first);
    if (odd || here <= 0)
      return;
    const char *behind = readNumbers(chunks[i], here, largest, place + chunks[i].first);
    if (!behind)
      odd = true;
    else if (chunks[i].first + here == numbers)
      rest = behind;
  });
  if (odd) {
    to.drop(numbers);
    return false;
  }
  if (numbers == there)
    rest = reader.end();
  reader.advance(rest, reader.lineNumber() + std::count(begin, rest, reader.lineEnd()));
  return true;
}

template <typename T>
Status WordReader::readPlainBlocks(int64_t count, int64_t largest, GrowingBuffer<T> &to) {
  if (largest < 0 || to.count() >= count)
    return {};
  return reader.workOnBlocks(
      [&] { return readPlainBlock(count, largest, to) && to.count() < count; });
}

template Status WordReader::readPlainBlocks(int64_t, int64_t, GrowingBuffer<int32_t> &);
template Status WordReader::readPlainBlocks(int64_t, int64_t, GrowingBuffer<int64_t> &);

Result<bool> WordReader::next() {
  for (;;) {
    Result<bool> present = reader.more();
    if (!present || !*present)
      return present;
    const char *p = reader.position();
    int64_t line = reader.lineNumber();
    for (; p != reader.end(); ++p) {
      if (*p == reader.lineEnd())
        ++line;
      else if (!isBlank(*p) && *p != '\r')
        break;
    }
    reader.advance(p, line);
    if (p != reader.end())
      return true;
  }
}

Status WordReader::refuse(const std::string &what, int64_t largest) const {
  const char *begin = reader.position(), *stop = begin;
  while (stop != reader.end() && !isBlank(*stop) && *stop != '\r' && *stop != '\n')
    ++stop;
  return errorHere(Error::EntryIndex, what + " is " + quoteToken({begin, stop}),
                   largest < 0 ? "none, as there is no place for it"
                               : "an integer from 0 to " + std::to_string(largest));
}

Status WordReader::readNumber(const std::string &what, int64_t largest, int64_t &number) {
  const char *p = reader.position();
  uint64_t value;
  if (largest < 0 || readNatural(p, value) != NumberFault::none ||
      value > static_cast<uint64_t>(largest))
    return refuse(what, largest);
  if (p != reader.end() && !isBlank(*p) && *p != '\r' && *p != '\n')
    return refuse(what, largest);
  number = static_cast<int64_t>(value);
  reader.advance(p, reader.lineNumber());
  return {};
}

} // namespace strata::runtime
