// What a FORMAT says, and the numbers in its fields.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/FortranFormat.h"

#include "strata/runtime/Counted.h"
#include "strata/runtime/io/EntryReader.h"

#include <algorithm>
#include <cmath>

namespace strata::runtime {
namespace {

/// Walks over a format without its blanks, in upper case.
class FormatParser {
public:
  explicit FormatParser(std::string_view given) {
    for (char c : given)
      if (!isBlank(c) && c != '\r')
        text += c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
    at = text.c_str();
  }

  std::optional<FortranFormat> parse() {
    if (!group() || *at != 0 || format.width == 0)
      return std::nullopt;
    return format;
  }

private:
  bool take(char c) {
    if (*at != c)
      return false;
    ++at;
    return true;
  }
  /// A number of up to four digits; -1 if there is none.
  int64_t number() {
    int64_t value = -1;
    for (int digits = 0; digits < 4 && isDigit(*at); ++digits)
      value = std::max<int64_t>(value, 0) * 10 + (*at++ - '0');
    return value;
  }

  /// Groups in groups, as deep as no published file has them.
  bool group() {
    constexpr int64_t mostGroups = 16;
    if (++groups > mostGroups || !take('('))
      return false;
    if (!scale())
      return false;
    const int64_t repeat = number();
    if (*at == '(') {
      if (!group())
        return false;
    } else if (!descriptor()) {
      return false;
    }
    constexpr int64_t mostPerLine = 1 << 20;
    const int64_t times = repeat < 0 ? 1 : repeat;
    if (times == 0 || format.perLine > mostPerLine / times)
      return false;
    format.perLine *= times;
    return take(')');
  }

  /// `kP` and an optional comma.
  bool scale() {
    const char *start = at;
    const bool negative = take('-');
    if (!negative)
      take('+');
    const int64_t factor = number();
    if (factor < 0 || factor > 99 || !take('P')) {
      at = start;
      return isDigit(*at) || *at == '(' || (*at >= 'A' && *at <= 'Z');
    }
    take(',');
    format.scale = negative ? -factor : factor;
    return true;
  }

  bool descriptor() {
    const char letter = *at;
    format.integer = letter == 'I';
    if (!format.integer && letter != 'D' && letter != 'E' && letter != 'F' && letter != 'G')
      return false;
    ++at;
    if (letter == 'E' && (*at == 'S' || *at == 'N'))
      ++at;
    format.perLine = 1;
    format.width = number();
    if (format.width < 1 || format.width > 128)
      return false;
    if (take('.')) {
      format.decimals = number();
      if (format.decimals < 0 || format.decimals > 99)
        return false;
    }
    return !take('E') || number() > 0;
  }

  std::string text;
  const char *at;
  int64_t groups = 0; ///< begun so far
  FortranFormat format;
};

/// `1.5D+03`, `1.5+03` and `1.5E 03` (without its blank) become `1.5E+03`; the end of the text.
char *normalizeExponent(char *begin, char *end) {
  for (char *p = begin; p != end; ++p) {
    if ((*p | 0x20) == 'd' || (*p | 0x20) == 'q') {
      *p = 'E';
    } else if ((*p == '+' || *p == '-') && p != begin && (isDigit(p[-1]) || p[-1] == '.')) {
      std::copy_backward(p, end, end + 1);
      *p = 'E';
      *++end = 0;
      return end;
    }
  }
  return end;
}

} // namespace

std::optional<FortranFormat> FortranFormat::parse(std::string_view text) {
  return FormatParser(text).parse();
}

Error FortranReader::refuse(int64_t index, std::string expected) const {
  const int64_t column = begin - line->begin + 1;
  return reader.errorAt(line->number, Error::Entry,
                        what + " " + std::to_string(index) + " is " + quoteToken({begin, stop}) +
                            " in columns " + std::to_string(column) + " to " +
                            std::to_string(loose ? stop - line->begin : column + format.width - 1),
                        std::move(expected));
}

Status FortranReader::nextField(int64_t index) {
  const bool usedUp =
      loose ? std::find_if_not(loose, line->end, isBlank) == line->end : used == format.perLine;
  if (!line || usedUp) {
    Result<std::optional<TextLine>> found = reader.nextLine();
    if (!found)
      return found.takeStatus();
    if (!*found)
      return reader.errorAtEnd(Error::CutOff,
                               "the file ends before " + what + " " + std::to_string(index),
                               "a number of " + counted(format.width, "column"));
    line = *found;
    used = 0;
    loose = nullptr;
  }
  if (loose)
    return {};
  begin = std::min(line->begin + used++ * format.width, line->end);
  stop = std::min(begin + format.width, line->end);
  copyField();
  return {};
}

/// Blanks inside a number may only stand in its exponent: `1.5E 03`. Elsewhere the columns are not
/// those of one number, and the blank stays, which makes the field none.
void FortranReader::copyField() {
  char *end = field;
  const char *last = stop;
  while (last != begin && isBlank(last[-1]))
    --last;
  for (const char *p = begin; p != last; ++p) {
    const char before = end == field ? 'E' : static_cast<char>(end[-1] & ~0x20);
    if (!isBlank(*p) || (before != 'E' && before != 'D'))
      *end++ = *p;
  }
  *end = 0;
}

Status FortranReader::finish() const {
  if (!loose)
    return {};
  const char *p = std::find_if_not(loose, line->end, isBlank);
  if (p == line->end)
    return {};
  return reader.errorAt(line->number, Error::Count,
                        "more behind the last " + what + ": " + quoteToken({p, line->end}),
                        "the end of the line");
}

/// Can the line be read without columns? Then goes to the number that is due.
bool FortranReader::loosen() {
  const char *due = nullptr, *p = line->begin;
  for (int64_t count = 0;; ++count) {
    p = std::find_if_not(p, line->end, isBlank);
    if (count + 1 == used)
      due = p;
    if (p == line->end)
      break;
    double number;
    if (runtime::readReal(p, number) != NumberFault::none ||
        (p != line->end && !isBlank(*p) && *p != '-' && *p != '+'))
      return false;
  }
  if (!due || due == line->end)
    return false;
  loose = due;
  return true;
}

template <typename T> bool FortranReader::readLoose(T &value) {
  loose = std::find_if_not(loose, line->end, isBlank);
  begin = loose;
  NumberFault fault;
  if constexpr (std::is_unsigned_v<T>)
    fault = runtime::readNatural(loose, value);
  else if constexpr (std::is_integral_v<T>)
    fault = runtime::readInteger(loose, value);
  else
    fault = runtime::readReal(loose, value);
  stop = loose;
  return fault == NumberFault::none;
}

Status FortranReader::readInteger(int64_t index, int64_t &value) {
  if (Status found = nextField(index); !found.ok())
    return found;
  const char *p = field;
  if (!loose && runtime::readInteger(p, value) == NumberFault::none && !*p)
    return {};
  if ((loose || loosen()) && readLoose(value))
    return {};
  return refuse(index, field[0] ? "an integer" : "a number");
}

Status FortranReader::readInteger(int64_t index, int64_t &value, uint64_t &natural) {
  natural = 0;
  if (Status found = nextField(index); !found.ok())
    return found;
  const char *p = field, *q = field;
  if (!loose && runtime::readInteger(p, value) == NumberFault::none && !*p)
    return {};
  if (!loose && runtime::readNatural(q, natural) == NumberFault::none && !*q)
    return {};
  if (loose || loosen()) {
    const char *const from = loose;
    natural = 0;
    if (readLoose(value))
      return {};
    loose = from;
    if (readLoose(natural))
      return {};
  }
  return refuse(index, field[0] ? "an integer" : "a number");
}

Status FortranReader::readReal(int64_t index, double &value) {
  if (Status found = nextField(index); !found.ok())
    return found;
  char *end = field + std::char_traits<char>::length(field);
  const bool empty = end == field;
  end = normalizeExponent(field, end);
  const char *p = field;
  if (loose || runtime::readReal(p, value) != NumberFault::none || p != end) {
    if ((loose || loosen()) && readLoose(value))
      return {};
    return refuse(index, empty ? "a number" : "a decimal number");
  }
  const bool exponent = std::any_of(field, end, [](char c) { return (c | 0x20) == 'e'; });
  const bool point = std::find(field, end, '.') != end;
  if (!isDigit(end[-1]) && end[-1] != '.') // infinite, or not a number
    return {};
  const int64_t shift = (point ? 0 : format.decimals) + (exponent ? 0 : format.scale);
  if (shift != 0)
    value /= std::pow(10.0, static_cast<double>(shift));
  return {};
}

} // namespace strata::runtime
