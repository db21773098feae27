// Conversions between the types of elements.
#include "strata/api/tapp/Elements.h"

#include "strata/runtime/storage/HalfFloat.h"

using strata::runtime::BFloat16;
using strata::runtime::Float16;

namespace strata::tapp {

size_t bytesOf(TAPP_datatype type) {
  switch (type) {
  case TAPP_F64:
  case TAPP_C32:
    return 8;
  case TAPP_C64:
    return 16;
  case TAPP_F16:
  case TAPP_BF16:
    return 2;
  default:
    return 4;
  }
}

bool isComplex(TAPP_datatype type) { return type == TAPP_C32 || type == TAPP_C64; }
bool isDouble(TAPP_datatype type) { return type == TAPP_F64 || type == TAPP_C64; }

TAPP_datatype computedType(bool complex, bool isDouble) {
  if (complex)
    return isDouble ? TAPP_C64 : TAPP_C32;
  return isDouble ? TAPP_F64 : TAPP_F32;
}

template <typename T> struct IsComplex : std::false_type {};
template <typename T> struct IsComplex<std::complex<T>> : std::true_type {};

template <typename To, typename From> static To converted(From value) {
  if constexpr (IsComplex<To>::value && IsComplex<From>::value)
    return To(static_cast<typename To::value_type>(value.real()),
              static_cast<typename To::value_type>(value.imag()));
  else if constexpr (IsComplex<To>::value)
    return To(static_cast<typename To::value_type>(value));
  else if constexpr (IsComplex<From>::value)
    return static_cast<To>(value.real());
  else
    return static_cast<To>(value);
}

template <typename T> static T conjugated(T value, bool conjugate) {
  if constexpr (IsComplex<T>::value)
    return conjugate ? std::conj(value) : value;
  return value;
}

template <typename From, typename T>
static void load(const void *from, int64_t stride, int64_t count, bool conjugate, T *to) {
  const From *elements = static_cast<const From *>(from);
  if (stride == 1) {
    for (int64_t at = 0; at < count; ++at)
      to[at] = converted<T>(conjugated(elements[at], conjugate));
    return;
  }
  for (int64_t at = 0; at < count; ++at)
    to[at] = converted<T>(conjugated(elements[at * stride], conjugate));
}

template <typename To, typename T>
static void store(const T *from, int64_t count, bool conjugate, void *to, int64_t stride) {
  To *elements = static_cast<To *>(to);
  if (stride == 1) {
    for (int64_t at = 0; at < count; ++at)
      elements[at] = converted<To>(conjugated(from[at], conjugate));
    return;
  }
  for (int64_t at = 0; at < count; ++at)
    elements[at * stride] = converted<To>(conjugated(from[at], conjugate));
}

template <typename T>
void loadRow(const void *from, TAPP_datatype type, int64_t stride, int64_t count, bool conjugate,
             T *to) {
  switch (type) {
  case TAPP_F64:
    return load<double>(from, stride, count, conjugate, to);
  case TAPP_C32:
    return load<std::complex<float>>(from, stride, count, conjugate, to);
  case TAPP_C64:
    return load<std::complex<double>>(from, stride, count, conjugate, to);
  case TAPP_F16:
    return load<Float16>(from, stride, count, conjugate, to);
  case TAPP_BF16:
    return load<BFloat16>(from, stride, count, conjugate, to);
  default:
    return load<float>(from, stride, count, conjugate, to);
  }
}

template <typename T>
void storeRow(const T *from, int64_t count, bool conjugate, void *to, TAPP_datatype type,
              int64_t stride) {
  switch (type) {
  case TAPP_F64:
    return store<double>(from, count, conjugate, to, stride);
  case TAPP_C32:
    return store<std::complex<float>>(from, count, conjugate, to, stride);
  case TAPP_C64:
    return store<std::complex<double>>(from, count, conjugate, to, stride);
  case TAPP_F16:
    return store<Float16>(from, count, conjugate, to, stride);
  case TAPP_BF16:
    return store<BFloat16>(from, count, conjugate, to, stride);
  default:
    return store<float>(from, count, conjugate, to, stride);
  }
}

#define STRATA_TAPP_ROWS(T)                                                                        \
  template void loadRow(const void *, TAPP_datatype, int64_t, int64_t, bool, T *);                 \
  template void storeRow(const T *, int64_t, bool, void *, TAPP_datatype, int64_t);
STRATA_TAPP_ROWS(float)
STRATA_TAPP_ROWS(double)
STRATA_TAPP_ROWS(std::complex<float>)
STRATA_TAPP_ROWS(std::complex<double>)

} // namespace strata::tapp
