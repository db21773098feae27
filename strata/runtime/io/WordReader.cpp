// How words are found across the blocks of a text.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/WordReader.h"

#include "strata/runtime/io/EntryReader.h"

namespace strata::runtime {

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
  return errorHere(what + " is " + quoted(begin, stop),
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
