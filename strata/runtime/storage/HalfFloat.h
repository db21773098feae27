// The two floating-point types of 16 bits, as they lie in memory. They hold values; whoever
// computes with them does so in float.
//
//   float16    1 sign, 5 bits of exponent, 10 of fraction: up to 65504, about three digits
//   bfloat16   1 sign, 8 bits of exponent, 7 of fraction: float's range, about two digits
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_STORAGE_HALFFLOAT_H
#define STRATA_RUNTIME_STORAGE_HALFFLOAT_H

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>

namespace strata::runtime {

/// A binary floating-point number of 16 bits with `fractionBits` of fraction.
template <int fractionBits> class HalfFloat {
public:
  HalfFloat() = default;
  /// The nearest number, to even where two are; what is too large becomes infinite.
  explicit HalfFloat(double value) : bits(round(value)) {}
  explicit HalfFloat(float value) : HalfFloat(static_cast<double>(value)) {}
  template <std::integral T> explicit HalfFloat(T value) : HalfFloat(static_cast<double>(value)) {}

  operator float() const {
    const int exponent = bits >> fractionBits & exponentMask;
    const auto fraction = static_cast<float>(bits & fractionMask);
    float value;
    if (exponent == exponentMask)
      value = fraction == 0 ? INFINITY : NAN;
    else if (exponent == 0)
      value = std::ldexp(fraction, 1 - bias - fractionBits);
    else
      value = std::ldexp(fraction + (1 << fractionBits), exponent - bias - fractionBits);
    return bits & 0x8000 ? -value : value;
  }

  /// Sums are rounded at every step; those that should not be are made in float.
  HalfFloat &operator+=(HalfFloat other) {
    return *this = HalfFloat(static_cast<float>(*this) + static_cast<float>(other));
  }
  HalfFloat operator-() const {
    HalfFloat result = *this;
    result.bits ^= 0x8000;
    return result;
  }

private:
  static constexpr int exponentBits = 15 - fractionBits;
  static constexpr int exponentMask = (1 << exponentBits) - 1, bias = exponentMask >> 1;
  static constexpr int fractionMask = (1 << fractionBits) - 1;

  static uint16_t round(double value) {
    const auto sign = static_cast<uint16_t>(std::signbit(value) ? 0x8000 : 0);
    const double magnitude = std::abs(value);
    if (std::isnan(value))
      return static_cast<uint16_t>(sign | exponentMask << fractionBits | 1 << (fractionBits - 1));
    if (magnitude == 0)
      return sign;
    // Whole multiples of the last place: nearbyint rounds as asked, and a carry moves into the
    // exponent by itself.
    const int exponent = std::max(std::ilogb(magnitude), 1 - bias);
    if (exponent > bias)
      return static_cast<uint16_t>(sign | exponentMask << fractionBits);
    const auto units =
        static_cast<int>(std::nearbyint(std::ldexp(magnitude, fractionBits - exponent)));
    const int rest = units - (1 << fractionBits); // negative: subnormal
    const int field = rest < 0 ? units : ((exponent + bias) << fractionBits) + rest;
    return static_cast<uint16_t>(sign | field);
  }

  uint16_t bits = 0;
};

using Float16 = HalfFloat<10>;
using BFloat16 = HalfFloat<7>;

} // namespace strata::runtime
#endif // STRATA_RUNTIME_STORAGE_HALFFLOAT_H
