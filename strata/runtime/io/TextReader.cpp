// How blocks of text are cut from mapped files and filled from streams.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/TextReader.h"

#include "strata/runtime/Counted.h"
#include "strata/runtime/Parallel.h"

#include <algorithm>
#include <cstring>

namespace strata::runtime {
namespace {

/// Enough to keep several threads busy, little enough to stay in a cache.
constexpr int64_t blockBytes = int64_t{8} << 20;
/// The longest line, or word, of a stream.
constexpr int64_t longestLine = int64_t{64} << 20;

bool endsWord(char c) { return isBlank(c) || c == '\n' || c == '\r'; }

} // namespace

std::vector<std::string_view> wordsOf(const TextLine &line) {
  std::vector<std::string_view> words;
  for (const char *p = line.begin;;) {
    const char *first = std::find_if_not(p, line.end, isBlank);
    if (first == line.end)
      return words;
    p = std::find_if(first, line.end, isBlank);
    words.emplace_back(first, p);
  }
}

TextReader::TextReader(const InputFile &file, Cut cut) : input(file), cut(cut), bytes(file) {
  if (input.isInMemory())
    tail = all = {input.raw().data(), input.raw().data() + input.raw().size()};
}

void TextReader::narrow(const char *begin, const char *end, int64_t lineNumber) {
  tail = all = {begin, end};
  at = stop = begin;
  line = lineNumber;
}

double TextReader::share() const {
  if (!input.isInMemory())
    return bytes.share();
  return all.begin == all.end
             ? 0
             : static_cast<double>(at - all.begin) / static_cast<double>(all.end - all.begin);
}

Result<bool> TextReader::more() {
  if (at != stop)
    return true;
  if (!prepared && !ended)
    failure = prepare();
  prepared = false;
  if (!failure.ok()) {
    Error error = failure.error();
    if (error.line == 0)
      error.line = line;
    ended = true;
    return error;
  }
  if (next.begin == next.end)
    return false;
  std::swap(current, following);
  at = next.begin;
  stop = next.end;
  next = {};
  return true;
}

void TextReader::workOnBlock(const std::function<void()> &work) {
  if (prepared || ended || input.isInMemory())
    return work();
  parallelInvoke(work, [&] { failure = prepare(); });
  prepared = true;
}

Status TextReader::workOnBlocks(const std::function<bool()> &work) {
  for (bool goesOn = true; goesOn;) {
    Result<bool> present = more();
    if (!present)
      return present.takeStatus();
    if (!*present)
      return {};
    workOnBlock([&] { goesOn = work(); });
  }
  return {};
}

Status TextReader::prepare() {
  if (!input.isInMemory())
    return prepareStream();
  prepareMapped();
  return {};
}

void TextReader::findLineEnd(const char *from, const char *to) {
  const auto size = static_cast<size_t>(to - from);
  if (size > 0 && !std::memchr(from, '\n', size) && std::memchr(from, '\r', size))
    ending = '\r';
}

const char *TextReader::cutBehind(const char *from, const char *to) const {
  const auto *found = static_cast<const char *>(
      cut == Cut::lines ? std::memchr(from, ending, static_cast<size_t>(to - from)) : nullptr);
  if (cut == Cut::words)
    found = std::find_if(from, to, endsWord);
  return found && found != to ? found + 1 : to;
}

const char *TextReader::lastCut(const char *from, const char *to) const {
  if (cut == Cut::lines) {
    const void *found = memrchr(from, ending, static_cast<size_t>(to - from));
    return found ? static_cast<const char *>(found) + 1 : from;
  }
  while (to != from && !endsWord(to[-1]))
    --to;
  return to;
}

void TextReader::prepareMapped() {
  if (line == 1 && tail.begin == input.raw().data())
    findLineEnd(tail.begin, std::min(tail.end, tail.begin + blockBytes));
  next = tail;
  if (tail.end - tail.begin > blockBytes)
    next.end = cutBehind(tail.begin + blockBytes, tail.end);
  tail.begin = next.end;
}

Status TextReader::tooLong(const char *text, int64_t size) const {
  if (std::memchr(text, 0, static_cast<size_t>(size)))
    return Error{Error::FileKind, "a byte of zero in a line without an end", "text", input.name(),
                 0};
  if (size < longestLine)
    return {};
  return Error{Error::FileKind,
               std::string(cut == Cut::lines ? "a line" : "a word") + " of more than " +
                   counted(longestLine, "byte"),
               "text", input.name(), 0};
}

Status TextReader::prepareStream() {
  const bool first = !tail.begin;
  const int64_t kept = tail.end - tail.begin;
  if (following.capacity() == 0)
    following = Buffer(STRATA_I8);
  int64_t size = kept;
  for (int64_t room = std::max(blockBytes, 2 * kept);; room *= 2) {
    // One byte is left for the zero behind the text.
    if (following.capacity() < room + 1)
      if (Status grown = following.resize(room + 1); !grown.ok())
        return grown;
    char *text = static_cast<char *>(following.data());
    if (size == kept && kept > 0)
      std::memcpy(text, tail.begin, static_cast<size_t>(kept));
    Result<int64_t> got = bytes.fill(text + size, room - size);
    if (!got)
      return got.takeStatus();
    ended = *got < room - size;
    size += *got;
    text[size] = 0;
    if (first)
      findLineEnd(text, text + size);
    const char *end = ended ? text + size : lastCut(text, text + size);
    if (end != text || ended) {
      next = {text, end};
      tail = {end, text + size};
      return {};
    }
    if (Status fine = tooLong(text, size); !fine.ok())
      return fine;
  }
}

const char *findEndOfLine(const char *from, const char *end, char lineEnd, const char *&next) {
  const auto *found =
      static_cast<const char *>(std::memchr(from, lineEnd, static_cast<size_t>(end - from)));
  next = found ? found + 1 : end;
  const char *stop = found ? found : end;
  return stop != from && stop[-1] == '\r' && lineEnd == '\n' ? stop - 1 : stop;
}

Result<std::optional<TextLine>> TextReader::nextLine() {
  Result<bool> present = more();
  if (!present)
    return present.takeStatus();
  if (!*present)
    return std::optional<TextLine>();
  const char *begin = at, *next = nullptr;
  const char *end = findEndOfLine(begin, stop, ending, next);
  const int64_t number = line;
  advance(next, line + 1);
  return std::optional<TextLine>(TextLine{begin, end, number});
}

Result<std::optional<TextLine>> TextReader::nextLine(char comment) {
  for (;;) {
    Result<std::optional<TextLine>> found = nextLine();
    if (!found || !*found)
      return found;
    const char *p = std::find_if_not((*found)->begin, (*found)->end, isBlank);
    if (p != (*found)->end && (comment == 0 || *p != comment))
      return found;
  }
}

} // namespace strata::runtime
