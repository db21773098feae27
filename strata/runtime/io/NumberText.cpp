// The rare and the difficult cases of reading numbers.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/NumberText.h"

#include <charconv>
#include <cmath>
#include <fast_float/fast_float.h>

namespace strata::runtime {

NumberFault readLongNatural(const char *&p, uint64_t &value) {
  const char *end = p;
  while (isDigit(*end))
    ++end;
  const auto [stop, code] = std::from_chars(p, end, value);
  p = stop;
  return code == std::errc() ? NumberFault::none : NumberFault::outOfRange;
}

/// The end of the letters, digits, signs and points from `p` on.
static const char *numberEnd(const char *p) {
  while (isDigit(*p) || *p == '.' || *p == '-' || *p == '+' ||
         static_cast<unsigned char>((*p | 0x20) - 'a') < 26)
    ++p;
  return p;
}

/// Is the decimal number at `p` (no sign) below 1? Tells overflow from underflow.
static bool isBelowOne(const char *p, const char *end) {
  int64_t whole = 0, zeros = 0;
  bool point = false, significant = false;
  for (; p != end && (*p | 0x20) != 'e'; ++p) {
    if (*p == '.') {
      point = true;
    } else if (*p != '0' || significant) {
      significant = true;
      whole += !point;
    } else {
      zeros += point;
    }
  }
  int exponent = 0;
  if (p != end) {
    const char *digits = p + 1 + (p[1] == '+');
    if (std::from_chars(digits, end, exponent).ec != std::errc())
      return *digits == '-';
  }
  return exponent + whole - zeros <= 0;
}

bool nearestDouble(uint64_t mantissa, int64_t exponent, double &value) {
  using Format = fast_float::binary_format<double>;
  const fast_float::adjusted_mantissa nearest =
      fast_float::compute_float<Format>(exponent, mantissa);
  if (nearest.power2 < 0 || nearest.power2 >= Format::infinite_power())
    return false;
  fast_float::to_float(false, nearest, value);
  return true;
}

NumberFault readOtherReal(const char *&p, double &value) {
  const char *first = p;
  const bool negative = *first == '-';
  if (negative || *first == '+')
    ++first;
  if (*first == '-' || *first == '+')
    return NumberFault::notANumber;
  const char *end = numberEnd(first);
  double magnitude = 0;
  const auto [stop, code] = std::from_chars(first, end, magnitude);
  if (code == std::errc::invalid_argument)
    return NumberFault::notANumber;
  const bool spelled = (*first | 0x20) == 'i' || (*first | 0x20) == 'n';
  if (code == std::errc::result_out_of_range || (std::isinf(magnitude) && !spelled)) {
    if (!isBelowOne(first, stop))
      return NumberFault::outOfRange;
    magnitude = 0;
  }
  value = negative ? -magnitude : magnitude;
  p = stop;
  return NumberFault::none;
}

NumberFault readOtherWholeNumber(const char *&p, int64_t &value) {
  const char *start = p, *digits = p;
  if (*digits == '-' || *digits == '+')
    ++digits;
  while (isDigit(*digits))
    ++digits;
  if (*digits != '.' && (*digits | 0x20) != 'e')
    return readInteger(p, value);
  double real;
  p = start;
  if (NumberFault fault = readReal(p, real); fault != NumberFault::none)
    return fault;
  if (std::trunc(real) != real)
    return NumberFault::notANumber;
  if (std::abs(real) > 0x1p53)
    return NumberFault::outOfRange;
  value = static_cast<int64_t>(real);
  return NumberFault::none;
}

NumberFault readLongIntegerAsReal(const char *&p, double &value) {
  const char *first = p;
  const bool negative = *first == '-';
  if (negative || *first == '+')
    ++first;
  const char *end = first;
  while (isDigit(*end))
    ++end;
  double magnitude = 0;
  const auto [stop, code] = std::from_chars(first, end, magnitude);
  if (code != std::errc() || std::isinf(magnitude))
    return NumberFault::outOfRange;
  value = negative ? -magnitude : magnitude;
  p = stop;
  return NumberFault::none;
}

} // namespace strata::runtime
