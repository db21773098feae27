// The type that entries at the same place are added up in.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_STORAGE_TOTALOF_H
#define STRATA_RUNTIME_STORAGE_TOTALOF_H

#include "strata/runtime/storage/ValueTypes.h"

namespace strata::runtime {

/// That of sums (SumOf), but double for real numbers of 32 bits, and for complex ones of two of
/// these: adding millions of terms in 32 bits loses what is small against their sum.
template <typename T>
using TotalOf = std::conditional_t<
    std::is_same_v<T, float>, double,
    std::conditional_t<std::is_same_v<T, std::complex<float>>, std::complex<double>, SumOf<T>>>;

} // namespace strata::runtime
#endif // STRATA_RUNTIME_STORAGE_TOTALOF_H
