// Reading numbers from text that ends with a byte that is part of no number.
//
// Every function advances `p` only over what it has read, knows no locale, and reads at most the
// first byte that is not part of a number. Part of Strata, under the Apache License v2.0 with LLVM
// Exceptions.
#ifndef STRATA_RUNTIME_IO_NUMBERTEXT_H
#define STRATA_RUNTIME_IO_NUMBERTEXT_H

#include <cstdint>

namespace strata::runtime {

/// Why a number could not be read.
enum class NumberFault { none, notANumber, outOfRange };

inline bool isDigit(char c) { return static_cast<unsigned char>(c - '0') < 10; }
inline bool isBlank(char c) { return c == ' ' || c == '\t'; }

inline const char *skipBlanks(const char *p) {
  while (isBlank(*p))
    ++p;
  return p;
}

/// A number of more than 18 digits, from its first digit on.
NumberFault readLongNatural(const char *&p, uint64_t &value);

/// Digits without a sign, up to 2^64 - 1.
inline NumberFault readNatural(const char *&p, uint64_t &value) {
  const char *first = p;
  uint64_t number = 0;
  while (isDigit(*p))
    number = number * 10 + static_cast<uint64_t>(*p++ - '0');
  if (p == first)
    return NumberFault::notANumber;
  value = number;
  if (p - first > 18) [[unlikely]] {
    p = first;
    return readLongNatural(p, value);
  }
  return NumberFault::none;
}

/// Digits with an optional sign, from -2^63 to 2^63 - 1.
inline NumberFault readInteger(const char *&p, int64_t &value) {
  const bool negative = *p == '-';
  if (negative || *p == '+')
    ++p;
  uint64_t magnitude;
  if (NumberFault fault = readNatural(p, magnitude); fault != NumberFault::none) [[unlikely]]
    return fault;
  if (magnitude > (uint64_t{1} << 63) - !negative) [[unlikely]]
    return NumberFault::outOfRange;
  value = static_cast<int64_t>(negative ? -magnitude : magnitude);
  return NumberFault::none;
}

/// The cases that readReal leaves: many digits, large exponents, infinities, NaN. From the sign on.
NumberFault readOtherReal(const char *&p, double &value);

/// A decimal number with optional sign, point and exponent (`e` or `E`), `inf`, `infinity` or `nan`
/// in any case; correctly rounded. What is too small becomes 0 or subnormal; what is too large is
/// out of range.
inline NumberFault readReal(const char *&p, double &value) {
  // Exact powers of ten: with a mantissa below 2^53, one rounding gives the nearest double.
  static constexpr double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                      1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                      1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  const char *start = p, *s = p;
  const bool negative = *s == '-';
  if (negative || *s == '+')
    ++s;
  const char *digits = s;
  uint64_t mantissa = 0;
  while (isDigit(*s))
    mantissa = mantissa * 10 + static_cast<uint64_t>(*s++ - '0');
  int64_t count = s - digits, exponent = 0;
  if (*s == '.') {
    const char *fraction = ++s;
    while (isDigit(*s))
      mantissa = mantissa * 10 + static_cast<uint64_t>(*s++ - '0');
    exponent = fraction - s;
    count += s - fraction;
  }
  if (count == 0 || count > 19) [[unlikely]]
    return readOtherReal(p, value);
  if ((*s | 0x20) == 'e') {
    const char *t = s + 1;
    const bool small = *t == '-';
    if (small || *t == '+')
      ++t;
    int64_t written = 0;
    const char *first = t;
    while (isDigit(*t) && t - first < 6)
      written = written * 10 + (*t++ - '0');
    if (t == first || isDigit(*t)) [[unlikely]]
      return readOtherReal(p, value);
    exponent += small ? -written : written;
    s = t;
  }
  if (mantissa > (uint64_t{1} << 53) || exponent < -22 || exponent > 22) {
    p = start;
    return readOtherReal(p, value);
  }
  double result = static_cast<double>(mantissa);
  result = exponent < 0 ? result / powers[-exponent] : result * powers[exponent];
  value = negative ? -result : result;
  p = s;
  return NumberFault::none;
}

/// The rest of readWholeNumber and readIntegerAsReal, from the sign on.
NumberFault readOtherWholeNumber(const char *&p, int64_t &value);
NumberFault readLongIntegerAsReal(const char *&p, double &value);

/// An integer as readInteger takes it, or a decimal number that has no fraction and a magnitude of
/// at most 2^53 (`3.0`, `1e6`). A fraction is not a number here.
inline NumberFault readWholeNumber(const char *&p, int64_t &value) {
  const char *start = p;
  const NumberFault fault = readInteger(p, value);
  if (fault != NumberFault::none || *p == '.' || (*p | 0x20) == 'e') [[unlikely]] {
    p = start;
    return readOtherWholeNumber(p, value);
  }
  return fault;
}

/// The same from 0 to 2^64 - 1.
inline NumberFault readWholeNatural(const char *&p, uint64_t &value) {
  const char *start = p;
  const NumberFault fault = readNatural(p, value);
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
inline NumberFault readIntegerAsReal(const char *&p, double &value) {
  const char *start = p;
  int64_t integer = 0;
  const NumberFault fault = readInteger(p, integer);
  if (fault == NumberFault::outOfRange) [[unlikely]] {
    p = start;
    return readLongIntegerAsReal(p, value);
  }
  value = static_cast<double>(integer);
  return fault;
}

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_NUMBERTEXT_H
