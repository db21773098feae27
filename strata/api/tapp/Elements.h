// Rows of elements of any of TAPP's types, converted to those that are computed with.
#ifndef STRATA_API_TAPP_ELEMENTS_H
#define STRATA_API_TAPP_ELEMENTS_H

#include "strata/api/tapp/tapp.h"

#include <complex>
#include <cstddef>

namespace strata::tapp {

size_t bytesOf(TAPP_datatype type);
bool isComplex(TAPP_datatype type);
bool isDouble(TAPP_datatype type);
/// Float, double, or a complex number of these.
TAPP_datatype computedType(bool complex, bool isDouble);

/// The address of an element, so many elements from another.
inline const void *elementAt(const void *first, TAPP_datatype type, int64_t offset) {
  return static_cast<const char *>(first) + offset * static_cast<int64_t>(bytesOf(type));
}
inline void *elementAt(void *first, TAPP_datatype type, int64_t offset) {
  return static_cast<char *>(first) + offset * static_cast<int64_t>(bytesOf(type));
}

/// Calls `function` with a value of the C++ type of a type that is computed with.
template <typename Function> auto withComputed(TAPP_datatype type, Function &&function) {
  switch (type) {
  case TAPP_F64:
    return function(double());
  case TAPP_C32:
    return function(std::complex<float>());
  case TAPP_C64:
    return function(std::complex<double>());
  default:
    return function(float());
  }
}

/// Reads `count` elements that are `stride` apart; of complex ones where T is real, the real parts.
template <typename T>
void loadRow(const void *from, TAPP_datatype type, int64_t stride, int64_t count, bool conjugate,
             T *to);
/// Writes them; where `type` is real, the real parts.
template <typename T>
void storeRow(const T *from, int64_t count, bool conjugate, void *to, TAPP_datatype type,
              int64_t stride);

} // namespace strata::tapp

#endif // STRATA_API_TAPP_ELEMENTS_H
