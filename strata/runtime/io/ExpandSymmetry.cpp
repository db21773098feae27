// The mirror images of entries, and which entries have none.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/ExpandSymmetry.h"

namespace strata::runtime {
namespace {

template <typename V> bool fitsDiagonal(Symmetry symmetry, const V &value) {
  if constexpr (isComplexNumber<V>)
    if (symmetry == Symmetry::hermitian)
      return value.imag() == 0;
  return symmetry != Symmetry::skewSymmetric || value == V(0);
}

/// What the entry at the mirrored place holds; false if its type has no such value.
template <typename V> bool mirror(Symmetry symmetry, const V &value, V &image) {
  image = value;
  if (symmetry == Symmetry::skewSymmetric) {
    if constexpr (std::is_same_v<V, bool>)
      return !value;
    else if constexpr (std::is_integral_v<V>)
      return !__builtin_sub_overflow(V(0), value, &image);
    else
      image = -value;
  }
  if constexpr (isComplexNumber<V>)
    if (symmetry == Symmetry::hermitian)
      image = std::conj(value);
  return true;
}

/// The first entry that contradicts the symmetry, or -1.
template <typename C, typename V>
int64_t firstBad(const Coordinates &list, Symmetry symmetry, AsymmetryScope scope) {
  const C *rows = list.column(0).as<C>(), *columns = list.column(1).as<C>();
  const V *values = list.values().as<V>();
  for (int64_t e = 0; e < list.count(); ++e) {
    V image;
    if (rows[e] == columns[e]
            ? scope == AsymmetryScope::everywhere && !fitsDiagonal(symmetry, values[e])
            : !mirror(symmetry, values[e], image))
      return e;
  }
  return -1;
}

template <typename C, typename V>
void appendImages(Coordinates &list, Symmetry symmetry, int64_t stored) {
  C *rows = list.column(0).as<C>(), *columns = list.column(1).as<C>();
  V *values = list.values().as<V>();
  int64_t next = stored;
  for (int64_t e = 0; e < stored; ++e) {
    if (rows[e] == columns[e])
      continue;
    rows[next] = columns[e];
    columns[next] = rows[e];
    mirror(symmetry, values[e], values[next]);
    ++next;
  }
}

Asymmetry explain(const Coordinates &list, Symmetry symmetry, int64_t entry) {
  if (list.coordinate(0, entry) != list.coordinate(1, entry))
    return {entry,
            std::string("the negative of this entry does not fit the type ") +
                typeName(list.valueType()),
            ""};
  if (symmetry == Symmetry::hermitian)
    return {entry, "an entry on the diagonal has an imaginary part",
            "0, as the matrix is 'hermitian'"};
  return {entry, "an entry on the diagonal is not 0",
          "0 or no entry, as the matrix is 'skew-symmetric'"};
}

} // namespace

std::optional<Asymmetry> findAsymmetry(const Coordinates &list, Symmetry symmetry,
                                       AsymmetryScope scope) {
  if (symmetry == Symmetry::general)
    return std::nullopt;
  return withCoordinateType(list.coordinateType(), [&]<typename C>(C *) {
    return withValueType(list.valueType(), [&]<typename V>(V *) -> std::optional<Asymmetry> {
      if (int64_t bad = firstBad<C, V>(list, symmetry, scope); bad >= 0)
        return explain(list, symmetry, bad);
      return std::nullopt;
    });
  });
}

Status expandSymmetry(Coordinates &list, Symmetry symmetry) {
  if (symmetry == Symmetry::general)
    return {};
  return withCoordinateType(list.coordinateType(), [&]<typename C>(C *) {
    return withValueType(list.valueType(), [&]<typename V>(V *) -> Status {
      const int64_t stored = list.count();
      const C *rows = list.column(0).as<C>(), *columns = list.column(1).as<C>();
      int64_t images = 0;
      for (int64_t e = 0; e < stored; ++e)
        images += rows[e] != columns[e];
      if (Status grown = list.resize(stored + images); !grown.ok())
        return grown;
      appendImages<C, V>(list, symmetry, stored);
      return {};
    });
  });
}

} // namespace strata::runtime
