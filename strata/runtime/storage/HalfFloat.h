// The two floating-point types of 16 bits, as they lie in memory. They hold values; whoever
// computes with them does so in float.
//
//   float16    1 sign, 5 bits of exponent, 10 of fraction: up to 65504, about three digits
//   bfloat16   1 sign, 8 bits of exponent, 7 of fraction: float's range, about two digits
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_STORAGE_HALFFLOAT_H
#define STRATA_RUNTIME_STORAGE_HALFFLOAT_H

#include <bit>
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
    // Exponent and fraction move to float's places; then only the bias differs, which a product
    // with a power of two makes up for, of subnormal numbers as well.
    constexpr int shift = 23 - fractionBits;
    constexpr uint32_t infinity = 0x7f800000;
    constexpr float scale = std::bit_cast<float>(static_cast<uint32_t>(254 - bias) << 23);
    const uint32_t magnitude = static_cast<uint32_t>(bits & 0x7fff) << shift;
    const bool isFinite = (bits >> fractionBits & exponentMask) != exponentMask;
    const float value = isFinite ? std::bit_cast<float>(magnitude) * scale
                                 : std::bit_cast<float>(magnitude | infinity);
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

  static uint16_t round(double value) {
    constexpr int shift = 52 - fractionBits, doubleBias = 1023;
    const auto all = std::bit_cast<uint64_t>(value);
    const auto sign = static_cast<uint16_t>(all >> 48 & 0x8000);
    const uint64_t magnitude = all & ~(uint64_t{1} << 63);
    const int exponent = static_cast<int>(magnitude >> 52) - doubleBias;
    if (std::isnan(value))
      return static_cast<uint16_t>(sign | exponentMask << fractionBits | 1 << (fractionBits - 1));
    if (exponent > bias)
      return static_cast<uint16_t>(sign | exponentMask << fractionBits);
    if (exponent < 1 - bias) { // subnormal: whole multiples of the last place
      constexpr double places =
          std::bit_cast<double>(static_cast<uint64_t>(doubleBias + bias - 1 + fractionBits) << 52);
      return static_cast<uint16_t>(sign |
                                   static_cast<int>(std::nearbyint(std::abs(value) * places)));
    }
    // To the nearest, of two such ones the even one; a carry moves into the exponent by itself.
    const uint64_t isOdd = magnitude >> shift & 1;
    const uint64_t rounded = (magnitude + (uint64_t{1} << (shift - 1)) - 1 + isOdd) >> shift;
    constexpr uint64_t lessBias = static_cast<uint64_t>(doubleBias - bias) << fractionBits;
    return static_cast<uint16_t>(sign | (rounded - lessBias));
  }

  uint16_t bits = 0;
};

using Float16 = HalfFloat<10>;
using BFloat16 = HalfFloat<7>;

} // namespace strata::runtime
#endif // STRATA_RUNTIME_STORAGE_HALFFLOAT_H
