// Changes of the element types of a coordinate list, which fail where a value would change.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/storage/Coordinates.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <span>
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

std::string spellValue(const Buffer &values, int64_t index) {
  return withValueType(values.type(),
                       [&]<typename V>(V *) { return spell(values.as<V>()[index]); });
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

/// The widest type of the kind of T: it has each value of T.
template <typename T>
using WidestOf = std::conditional_t<
    isComplexNumber<T>, std::complex<double>,
    std::conditional_t<isRealNumber<T>, double,
                       std::conditional_t<std::is_same_v<T, uint64_t>, uint64_t, int64_t>>>;

/// The values as those of the widest type of their kind.
template <typename From> void widen(const From *from, size_t count, WidestOf<From> *to) {
  for (size_t k = 0; k < count; ++k)
    express(from[k], to[k]);
}

/// The values as a To, which are stored where `to` is not null; gives how many there are before
/// the first that To does not have.
template <typename Widest, typename To> size_t narrow(std::span<const Widest> from, To *to) {
  for (size_t k = 0; k < from.size(); ++k) {
    To value;
    if (!express(from[k], value))
      return k;
    if (to)
      to[k] = value;
  }
  return from.size();
}

/// narrow() to the elements of an array of this type from `begin` on.
template <typename Widest>
size_t narrowTo(strata_type type, std::span<const Widest> from, Buffer *to, int64_t begin) {
  return withValueType(
      type, [&]<typename To>(To *) { return narrow(from, to ? to->as<To>() + begin : nullptr); });
}

/// The index of the first value that `type` does not have, or -1. The values before it are stored
/// in `to`, an array of that type, unless it is null. They take the way over the widest type of
/// their kind, a few at a time, so that there is no code for each pair of types.
int64_t convertAll(const Buffer &values, strata_type type, Buffer *to) {
  constexpr int64_t few = 512;
  return withValueType(values.type(), [&]<typename From>(From *) -> int64_t {
    std::array<WidestOf<From>, few> wide;
    for (int64_t begin = 0; begin < values.count(); begin += few) {
      const auto count = static_cast<size_t>(std::min(few, values.count() - begin));
      widen(values.as<From>() + begin, count, wide.data());
      const size_t done = narrowTo(type, std::span(std::as_const(wide)).first(count), to, begin);
      if (done < count)
        return begin + static_cast<int64_t>(done);
    }
    return -1;
  });
}

} // namespace

Status convertValues(Buffer &values, strata_type type) {
  if (type == values.type())
    return {};
  if (int64_t bad = convertAll(values, type, nullptr); bad >= 0)
    return Error{Error::ElementValue,
                 "the value " + spellValue(values, bad) + " of entry " + std::to_string(bad + 1) +
                     " does not fit the type " + typeName(type),
                 isComplexType(values.type()) && !isComplexType(type)
                     ? "the element type complex (Tensor<complex>, -t A:complex)"
                     : ""};
  Result<Buffer> fresh = Buffer::allocate(type, values.count(), values.allocator());
  if (!fresh)
    return fresh.takeStatus();
  convertAll(values, type, &*fresh);
  values = std::move(*fresh);
  return {};
}

int64_t firstInexpressible(const Buffer &values, strata_type type) {
  return convertAll(values, type, nullptr);
}

Status Coordinates::convertValues(strata_type type) {
  return runtime::convertValues(valueBuffer, type);
}

Status Coordinates::convertCoordinates(strata_type type) {
  if (type == width)
    return {};
  if (type == STRATA_I32 && coordinateTypeFor(extents) == STRATA_I64)
    return Error{Error::IndexWidth, "a dimension is too large for coordinates of type i32"};
  std::vector<Buffer> converted;
  for (Buffer &column : columns) {
    Result<Buffer> fresh = Buffer::allocate(type, entryCount, column.allocator());
    if (!fresh)
      return fresh.takeStatus();
    if (convertAll(column, type, &*fresh) >= 0)
      return Error{Error::IndexWidth,
                   std::string("a coordinate does not fit the type ") + typeName(type)};
    converted.push_back(std::move(*fresh));
  }
  columns = std::move(converted);
  width = type;
  return {};
}

} // namespace strata::runtime
