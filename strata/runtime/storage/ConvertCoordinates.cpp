// Changes of the element types of a coordinate list, which fail where a value would change.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/storage/Coordinates.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

namespace strata::runtime {
namespace {

template <typename V> std::string spell(V value) {
  if constexpr (isComplexNumber<V>) {
    return "(" + spell(value.real()) + ", " + spell(value.imag()) + ")";
  } else if constexpr (std::is_same_v<V, bool>) {
    return value ? "1" : "0";
  } else if constexpr (isRealNumber<V> && sizeof(V) == 2) {
    return spell(static_cast<float>(value));
  } else {
    char text[40];
    return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
  }
}

/// The value as a To; false if To has no such value.
template <typename To, typename From> bool express(From from, To &to) {
  if constexpr (isComplexNumber<From> && isComplexNumber<To>) {
    typename To::value_type real, imaginary = 0;
    bool fits = express(from.real(), real) && express(from.imag(), imaginary);
    to = {real, imaginary};
    return fits;
  } else if constexpr (isComplexNumber<From>) {
    return from.imag() == 0 && express(from.real(), to);
  } else if constexpr (isComplexNumber<To>) {
    typename To::value_type real;
    bool fits = express(from, real);
    to = real;
    return fits;
  } else if constexpr (isRealNumber<To>) {
    to = static_cast<To>(static_cast<SumOf<From>>(from));
    return std::isfinite(static_cast<double>(to)) || !std::isfinite(static_cast<double>(from));
  } else if constexpr (std::is_same_v<To, bool>) {
    to = from != From(0);
    return from == From(0) || from == From(1);
  } else if constexpr (isRealNumber<From>) {
    // The ends of the range are powers of two or 0: exact.
    const double value = static_cast<double>(from);
    const double least = static_cast<double>(std::numeric_limits<To>::min());
    const double beyond = std::ldexp(1.0, std::numeric_limits<To>::digits);
    if (!(value >= least && value < beyond) || std::trunc(value) != value)
      return false;
    return to = static_cast<To>(value), true;
  } else if constexpr (std::is_same_v<From, bool>) {
    return to = static_cast<To>(from), true;
  } else {
    to = static_cast<To>(from);
    return std::in_range<To>(from);
  }
}

/// Converts in place while reading runs ahead of writing (`to` no wider than `from`, or another
/// array); the index of the first value that cannot be expressed, or -1.
template <typename From, typename To> int64_t convertAll(const From *from, int64_t count, To *to) {
  for (int64_t i = 0; i < count; ++i) {
    To value;
    if (!express<To>(from[i], value))
      return i;
    to[i] = value;
  }
  return -1;
}

template <typename From, typename To> int64_t firstUnlike(const From *from, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    To value;
    if (!express<To>(from[i], value))
      return i;
  }
  return -1;
}

template <typename From, typename To> Status convertBuffer(Buffer &buffer) {
  constexpr strata_type target = typeOf<To>();
  const int64_t count = buffer.count();
  int64_t bad = firstUnlike<From, To>(buffer.as<From>(), count);
  if (bad >= 0)
    return Error{.message = "the value " + spell(buffer.as<From>()[bad]) + " of entry " +
                            std::to_string(bad + 1) + " does not fit the type " + typeName(target),
                 .expected = isComplexNumber<From> && !isComplexNumber<To>
                                 ? "the element type complex (Tensor<complex>, -t A:complex)"
                                 : ""};
  Result<Buffer> fresh = Buffer::allocate(target, count, buffer.allocator());
  if (!fresh)
    return fresh.takeStatus();
  convertAll(buffer.as<From>(), count, fresh->template as<To>());
  buffer = std::move(*fresh);
  return {};
}

} // namespace

Status convertValues(Buffer &values, strata_type type) {
  if (type == values.type())
    return {};
  return withValueType(values.type(), [&]<typename From>(From *) {
    return withValueType(
        type, [&]<typename To>(To *) -> Status { return convertBuffer<From, To>(values); });
  });
}

int64_t firstInexpressible(const Buffer &values, strata_type type) {
  return withValueType(values.type(), [&]<typename From>(From *) {
    return withValueType(type, [&]<typename To>(To *) {
      return firstUnlike<From, To>(values.as<From>(), values.count());
    });
  });
}

Status Coordinates::convertValues(strata_type type) {
  return runtime::convertValues(valueBuffer, type);
}

Status Coordinates::convertCoordinates(strata_type type) {
  if (type == width)
    return {};
  if (type == STRATA_I32 && coordinateTypeFor(extents) == STRATA_I64)
    return Error{.message = "a dimension is too large for coordinates of type i32"};
  std::vector<Buffer> converted;
  for (Buffer &column : columns) {
    Result<Buffer> fresh = Buffer::allocate(type, entryCount, column.allocator());
    if (!fresh)
      return fresh.takeStatus();
    if (type == STRATA_I32)
      convertAll(column.as<int64_t>(), entryCount, fresh->as<int32_t>());
    else
      convertAll(column.as<int32_t>(), entryCount, fresh->as<int64_t>());
    converted.push_back(std::move(*fresh));
  }
  columns = std::move(converted);
  width = type;
  return {};
}

} // namespace strata::runtime
