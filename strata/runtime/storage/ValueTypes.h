// The element types of values: the C++ type of each, and what kind of number it is.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_STORAGE_VALUETYPES_H
#define STRATA_RUNTIME_STORAGE_VALUETYPES_H

#include "strata/runtime/abi.h"
#include "strata/runtime/storage/HalfFloat.h"

#include <complex>
#include <cstddef>
#include <type_traits>

namespace strata::runtime {

/// Calls `body` with a null pointer to the type of the values.
template <typename Body> auto withValueType(strata_type type, Body body) {
  switch (type) {
  case STRATA_I8:
    return body(static_cast<int8_t *>(nullptr));
  case STRATA_I16:
    return body(static_cast<int16_t *>(nullptr));
  case STRATA_I32:
    return body(static_cast<int32_t *>(nullptr));
  case STRATA_I64:
    return body(static_cast<int64_t *>(nullptr));
  case STRATA_F32:
    return body(static_cast<float *>(nullptr));
  case STRATA_C128:
    return body(static_cast<std::complex<double> *>(nullptr));
  case STRATA_BOOL:
    return body(static_cast<bool *>(nullptr));
  case STRATA_U8:
    return body(static_cast<uint8_t *>(nullptr));
  case STRATA_U16:
    return body(static_cast<uint16_t *>(nullptr));
  case STRATA_U32:
    return body(static_cast<uint32_t *>(nullptr));
  case STRATA_U64:
    return body(static_cast<uint64_t *>(nullptr));
  case STRATA_F16:
    return body(static_cast<Float16 *>(nullptr));
  case STRATA_BF16:
    return body(static_cast<BFloat16 *>(nullptr));
  case STRATA_C64:
    return body(static_cast<std::complex<float> *>(nullptr));
  case STRATA_F64:
    break;
  }
  return body(static_cast<double *>(nullptr));
}

/// How many bytes a value has.
inline size_t valueBytes(strata_type type) {
  return withValueType(type, []<typename T>(T *) { return sizeof(T); });
}

/// The bytes of a value, for what moves values without reading them.
template <size_t width> struct ValueBytes {
  std::byte bytes[width];
};

/// Calls `body` with a null pointer to the ValueBytes of the values.
template <typename Body> auto withValueBytes(strata_type type, Body body) {
  switch (type) {
  case STRATA_BOOL:
  case STRATA_I8:
  case STRATA_U8:
    return body(static_cast<ValueBytes<1> *>(nullptr));
  case STRATA_I16:
  case STRATA_U16:
  case STRATA_F16:
  case STRATA_BF16:
    return body(static_cast<ValueBytes<2> *>(nullptr));
  case STRATA_I32:
  case STRATA_U32:
  case STRATA_F32:
    return body(static_cast<ValueBytes<4> *>(nullptr));
  case STRATA_C128:
    return body(static_cast<ValueBytes<16> *>(nullptr));
  case STRATA_I64:
  case STRATA_U64:
  case STRATA_F64:
  case STRATA_C64:
    break;
  }
  return body(static_cast<ValueBytes<8> *>(nullptr));
}

/// The strata_type that stores T.
template <typename T> constexpr strata_type typeOf() {
  if constexpr (std::is_same_v<T, bool>)
    return STRATA_BOOL;
  else if constexpr (std::is_same_v<T, int8_t>)
    return STRATA_I8;
  else if constexpr (std::is_same_v<T, int16_t>)
    return STRATA_I16;
  else if constexpr (std::is_same_v<T, int32_t>)
    return STRATA_I32;
  else if constexpr (std::is_same_v<T, int64_t>)
    return STRATA_I64;
  else if constexpr (std::is_same_v<T, uint8_t>)
    return STRATA_U8;
  else if constexpr (std::is_same_v<T, uint16_t>)
    return STRATA_U16;
  else if constexpr (std::is_same_v<T, uint32_t>)
    return STRATA_U32;
  else if constexpr (std::is_same_v<T, uint64_t>)
    return STRATA_U64;
  else if constexpr (std::is_same_v<T, Float16>)
    return STRATA_F16;
  else if constexpr (std::is_same_v<T, BFloat16>)
    return STRATA_BF16;
  else if constexpr (std::is_same_v<T, float>)
    return STRATA_F32;
  else if constexpr (std::is_same_v<T, double>)
    return STRATA_F64;
  else if constexpr (std::is_same_v<T, std::complex<float>>)
    return STRATA_C64;
  else {
    static_assert(std::is_same_v<T, std::complex<double>>, "not an element type");
    return STRATA_C128;
  }
}

template <typename T>
constexpr bool isComplexNumber =
    std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>;
template <typename T>
constexpr bool isRealNumber =
    std::is_floating_point_v<T> || std::is_same_v<T, Float16> || std::is_same_v<T, BFloat16>;

/// Booleans count as integers.
constexpr bool isIntegerType(strata_type type) {
  return type <= STRATA_I64 || (type >= STRATA_BOOL && type <= STRATA_U64);
}
constexpr bool isComplexType(strata_type type) { return type == STRATA_C64 || type == STRATA_C128; }

/// The type that sums and products of such values are made in, where rounding to their own at
/// every step would lose much: float for those of 16 bits.
template <typename T> using SumOf = std::conditional_t<isRealNumber<T> && sizeof(T) == 2, float, T>;

} // namespace strata::runtime
#endif // STRATA_RUNTIME_STORAGE_VALUETYPES_H
