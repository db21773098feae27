// Changes of the element types of a coordinate list, which fail where a value would change.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/storage/Coordinates.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace strata::runtime {
namespace {

template <typename V> std::string spell(V value) {
  if constexpr (std::is_same_v<V, std::complex<double>>) {
    return "(" + spell(value.real()) + ", " + spell(value.imag()) + ")";
  } else {
    char text[40];
    return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
  }
}

/// The value as a To; false if To has no such value.
template <typename To, typename From> bool express(From from, To &to) {
  if constexpr (std::is_same_v<From, std::complex<double>>) {
    if constexpr (std::is_same_v<To, From>)
      return to = from, true;
    else
      return from.imag() == 0 && express(from.real(), to);
  } else if constexpr (std::is_same_v<To, std::complex<double>>) {
    return to = static_cast<double>(from), true;
  } else if constexpr (std::is_floating_point_v<To>) {
    to = static_cast<To>(from);
    return std::isfinite(to) || !std::isfinite(static_cast<double>(from));
  } else if constexpr (std::is_floating_point_v<From>) {
    // -2^31 and -2^63 are exact; their negatives are the first values that are too large.
    constexpr From least = static_cast<From>(std::numeric_limits<To>::min());
    if (!(from >= least && from < -least) || std::trunc(from) != from)
      return false;
    return to = static_cast<To>(from), true;
  } else {
    to = static_cast<To>(from);
    return static_cast<From>(to) == from;
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

template <typename From, typename To> int64_t firstInexpressible(const From *from, int64_t count) {
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
  int64_t bad = firstInexpressible<From, To>(buffer.as<From>(), count);
  if (bad >= 0)
    return Error{.message = "the value " + spell(buffer.as<From>()[bad]) + " of entry " +
                            std::to_string(bad + 1) + " does not fit the type " + typeName(target),
                 .expected = std::is_same_v<From, std::complex<double>>
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

Status Coordinates::convertValues(strata_type type) {
  if (type == valueType())
    return {};
  return withValueType(valueType(), [&]<typename From>(From *) {
    return withValueType(
        type, [&]<typename To>(To *) -> Status { return convertBuffer<From, To>(valueBuffer); });
  });
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
