// Reads and compares scalars.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/Scalars.h"

#include "strata/runtime/storage/ValueTypes.h"

#include <algorithm>
#include <cmath>

namespace strata::host {

Scalar scalarOf(const runtime::Storage &storage) {
  const strata_buffer &values = storage.values();
  return runtime::withValueType(strata_type(values.type), [&]<typename T>(T *) -> Scalar {
    const T &value = *static_cast<const T *>(values.data);
    if constexpr (runtime::isComplexNumber<T>)
      return std::complex<double>(value);
    else if constexpr (std::is_same_v<T, uint64_t>)
      return value > uint64_t(INT64_MAX) ? Scalar(double(value)) : Scalar(int64_t(value));
    else if constexpr (std::is_integral_v<T>)
      return int64_t(value);
    else
      return double(value);
  });
}

template <typename T> static bool decide(Relation relation, const T &a, const T &b) {
  if constexpr (requires { a < b; }) {
    switch (relation) {
    case Relation::Less:
      return a < b;
    case Relation::LessOrEqual:
      return a <= b;
    case Relation::Greater:
      return a > b;
    case Relation::GreaterOrEqual:
      return a >= b;
    case Relation::Equal:
      return a == b;
    case Relation::NotEqual:
      return a != b;
    }
  }
  return (relation == Relation::Equal) == (a == b);
}

template <typename To> static To widened(const Scalar &scalar) {
  return std::visit(
      [](auto number) -> To {
        if constexpr (std::is_convertible_v<decltype(number), To>)
          return To(number);
        else
          return To();
      },
      scalar);
}

bool holds(Relation relation, const Scalar &left, const Scalar &right) {
  auto decideAs = [&]<typename To>(To *) {
    return decide(relation, widened<To>(left), widened<To>(right));
  };
  switch (std::max(left.index(), right.index())) {
  case 0:
    return decideAs(static_cast<int64_t *>(nullptr));
  case 1:
    return decideAs(static_cast<double *>(nullptr));
  default:
    return decideAs(static_cast<std::complex<double> *>(nullptr));
  }
}

bool isNan(const Scalar &value) {
  const auto *real = std::get_if<double>(&value);
  const auto *complex = std::get_if<std::complex<double>>(&value);
  return (real && std::isnan(*real)) ||
         (complex && (std::isnan(complex->real()) || std::isnan(complex->imag())));
}

} // namespace strata::host
