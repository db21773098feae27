// Reading numbers from text that ends with a byte that is part of no number.
//
// Every function advances `p` only over what it has read, knows no locale, and looks at no byte
// behind the first that is not part of a number, unless the caller says that all bytes before
// `readable` are there: then digits are read eight at a time (Lemire: Number Parsing at a Gigabyte
// per Second, 2021). Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_NUMBERTEXT_H
#define STRATA_RUNTIME_IO_NUMBERTEXT_H

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace strata::runtime {

/// Why a number could not be read.
enum class NumberFault { none, notANumber, outOfRange };

inline bool isDigit(char c) { return static_cast<unsigned char>(c - '0') < 10; }
inline bool isBlank(char c) { return c == ' ' || c == '\t'; }

inline char lowerCase(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

inline const char *skipBlanks(const char *p) {
  while (isBlank(*p))
    ++p;
  return p;
}

/// Returns the text without blanks at its ends, and without the carriage return of Windows.
inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const size_t first = text.find_first_not_of(blanks);
  return first == text.npos ? std::string_view()
                            : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// How many of eight characters, the first in the lowest byte, are digits before one that is none.
inline int countDigits(uint64_t characters) {
  // A byte keeps its highest bit, or gets it, if it is no digit. A carry changes later ones alone.
  const uint64_t digits = characters ^ 0x3030303030303030;
  const uint64_t others = (digits | (digits + 0x7676767676767676)) & 0x8080808080808080;
  return std::countr_zero(others) / 8;
}

/// The number that the first `count` of eight characters are the digits of; at least one is.
inline uint64_t numberOfDigits(uint64_t characters, int count) {
  // Zeros before them, then pairs of digits, pairs of pairs, and both halves.
  uint64_t digits = (characters ^ 0x3030303030303030) << 8 * (8 - count);
  digits = digits * 10 + (digits >> 8);
  return static_cast<uint32_t>(((digits & 0x000000ff000000ff) * 0x000f424000000064 +
                                (digits >> 16 & 0x000000ff000000ff) * 0x0000271000000001) >>
                               32);
}

/// Appends all digits from `p` on to a number, modulo 2^64; gives their end.
inline const char *appendDigits(const char *p, const char *readable, uint64_t &number) {
  static constexpr uint64_t powers[] = {1,      10,      100,      1000,     10000,
                                        100000, 1000000, 10000000, 100000000};
  if constexpr (std::endian::native == std::endian::little)
    while (readable && readable - p >= 8) {
      uint64_t characters;
      std::memcpy(&characters, p, sizeof characters);
      const int count = countDigits(characters);
      if (count == 0)
        return p;
      number = number * powers[count] + numberOfDigits(characters, count);
      p += count;
      if (count < 8)
        return p;
    }
  while (isDigit(*p))
    number = number * 10 + static_cast<uint64_t>(*p++ - '0');
  return p;
}

/// Leaves a rare case to a function: the text's place and the value stay in registers otherwise.
template <typename V>
NumberFault readBy(NumberFault (*read)(const char *&, V &), const char *from, const char *&p,
                   V &value) {
  V found{};
  const NumberFault fault = read(from, found);
  p = from;
  if (fault == NumberFault::none)
    value = found;
  return fault;
}

/// A number of more than 18 digits, from its first digit on.
NumberFault readLongNatural(const char *&p, uint64_t &value);

/// Digits without a sign, up to 2^64 - 1.
inline NumberFault readNatural(const char *&p, uint64_t &value, const char *readable = nullptr) {
  const char *first = p;
  uint64_t number = 0;
  p = appendDigits(p, readable, number);
  if (p == first)
    return NumberFault::notANumber;
  value = number;
  if (p - first > 18) [[unlikely]]
    return readBy(readLongNatural, first, p, value);
  return NumberFault::none;
}

/// Digits with an optional sign, from -2^63 to 2^63 - 1.
inline NumberFault readInteger(const char *&p, int64_t &value, const char *readable = nullptr) {
  const bool negative = *p == '-';
  p += negative | (*p == '+');
  uint64_t magnitude;
  if (NumberFault fault = readNatural(p, magnitude, readable); fault != NumberFault::none)
      [[unlikely]]
    return fault;
  if (magnitude > (uint64_t{1} << 63) - !negative) [[unlikely]]
    return NumberFault::outOfRange;
  value = static_cast<int64_t>(negative ? -magnitude : magnitude);
  return NumberFault::none;
}

/// The cases that readReal leaves: many digits, large exponents, infinities, NaN. From the sign on.
NumberFault readOtherReal(const char *&p, double &value);

/// The double that is nearest to a mantissa times a power of ten; false if it is not known, or
/// infinite.
bool nearestDouble(uint64_t mantissa, int64_t exponent, double &value);

/// A decimal number with optional sign, point and exponent (`e` or `E`), `inf`, `infinity` or `nan`
/// in any case; correctly rounded. What is too small becomes 0 or subnormal; what is too large is
/// out of range.
[[gnu::always_inline]] inline NumberFault readReal(const char *&p, double &value,
                                                   const char *readable = nullptr) {
  // Exact powers of ten: with a mantissa below 2^53, one rounding gives the nearest double.
  static constexpr double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                      1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                      1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  const char *s = p;
  const bool negative = *s == '-';
  s += negative | (*s == '+');
  const char *digits = s;
  uint64_t mantissa = 0;
  s = appendDigits(s, readable, mantissa);
  int64_t count = s - digits, exponent = 0;
  if (*s == '.') {
    const char *fraction = ++s;
    s = appendDigits(s, readable, mantissa);
    exponent = fraction - s;
    count += s - fraction;
  }
  if (count == 0 || count > 19) [[unlikely]]
    return readBy(readOtherReal, p, p, value);
  if ((*s | 0x20) == 'e') {
    const char *t = s + 1;
    const bool small = *t == '-';
    t += small | (*t == '+');
    int64_t written = 0;
    const char *first = t;
    while (isDigit(*t) && t - first < 6)
      written = written * 10 + (*t++ - '0');
    if (t == first || isDigit(*t)) [[unlikely]]
      return readBy(readOtherReal, p, p, value);
    exponent += small ? -written : written;
    s = t;
  }
  double result = static_cast<double>(mantissa);
  if (mantissa <= (uint64_t{1} << 53) && exponent >= -22 && exponent <= 22)
    result = exponent < 0 ? result / powers[-exponent] : result * powers[exponent];
  else if (!nearestDouble(mantissa, exponent, result)) [[unlikely]]
    return readBy(readOtherReal, p, p, value);
  value = negative ? -result : result;
  p = s;
  return NumberFault::none;
}

/// The rest of readWholeNumber and readIntegerAsReal, from the sign on.
NumberFault readOtherWholeNumber(const char *&p, int64_t &value);
NumberFault readLongIntegerAsReal(const char *&p, double &value);

/// An integer as readInteger takes it, or a decimal number that has no fraction and a magnitude of
/// at most 2^53 (`3.0`, `1e6`). A fraction is not a number here.
inline NumberFault readWholeNumber(const char *&p, int64_t &value, const char *readable = nullptr) {
  const char *start = p;
  const NumberFault fault = readInteger(p, value, readable);
  if (fault != NumberFault::none || *p == '.' || (*p | 0x20) == 'e') [[unlikely]]
    return readBy(readOtherWholeNumber, start, p, value);
  return fault;
}

/// The same from 0 to 2^64 - 1.
inline NumberFault readWholeNatural(const char *&p, uint64_t &value,
                                    const char *readable = nullptr) {
  const char *start = p;
  const NumberFault fault = readNatural(p, value, readable);
  if (fault == NumberFault::none && *p != '.' && (*p | 0x20) != 'e') [[likely]]
    return fault;
  if (fault == NumberFault::outOfRange)
    return fault;
  p = start;
  int64_t number = 0;
  if (NumberFault other = readOtherWholeNumber(p, number); other != NumberFault::none)
    return other;
  value = static_cast<uint64_t>(number);
  return number < 0 ? NumberFault::outOfRange : NumberFault::none;
}

/// Digits with an optional sign, of any length, as the nearest double.
inline NumberFault readIntegerAsReal(const char *&p, double &value,
                                     const char *readable = nullptr) {
  const char *start = p;
  int64_t integer = 0;
  const NumberFault fault = readInteger(p, integer, readable);
  if (fault == NumberFault::outOfRange) [[unlikely]]
    return readBy(readLongIntegerAsReal, start, p, value);
  value = static_cast<double>(integer);
  return fault;
}

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_NUMBERTEXT_H
