// Values of tensors without dimensions, for loops and branches.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_HOST_SCALARS_H
#define STRATA_HOST_SCALARS_H

#include "strata/runtime/storage/Storage.h"

#include <complex>
#include <variant>

namespace strata::host {

/// How two scalars compare.
enum class Relation : int64_t { Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual };

/// The value of a scalar; what 64 bits with a sign do not hold is a double.
using Scalar = std::variant<int64_t, double, std::complex<double>>;
Scalar scalarOf(const runtime::Storage &storage);

/// Integers are compared exactly, other mixtures as doubles. Against NaN only NotEqual holds.
/// Complex numbers are equal or not.
bool holds(Relation relation, const Scalar &left, const Scalar &right);

/// Whether the number, or a part of it, is NaN.
bool isNan(const Scalar &value);

} // namespace strata::host

#endif // STRATA_HOST_SCALARS_H
