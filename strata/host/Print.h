// Tensors and numbers as text.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_HOST_PRINT_H
#define STRATA_HOST_PRINT_H

#include "strata/host/StoredFormat.h"
#include "strata/runtime/storage/Coordinates.h"

#include <complex>
#include <functional>
#include <optional>
#include <string>

namespace strata::host {

/// As `print` writes a number: ten digits; NaN has no sign.
std::string numberText(double number);
std::string numberText(std::complex<double> number);
/// A real number without an imaginary part.
std::string fillText(std::complex<double> fill);
/// Value `at` of a storage.
std::string valueText(const runtime::Storage &storage, int64_t at);

/// An element as a number.
std::complex<double> numberOf(std::span<const char> element, strata_type type);
/// A number as an element; nothing if it is none of the type's values. Real ones are rounded.
std::optional<std::vector<char>> elementOf(std::complex<double> number, strata_type type);

/// Strides of the dimensions where the format keeps every place in the order of whole dimensions.
std::optional<std::vector<int64_t>> denseStrides(const StoredFormat &format,
                                                 const std::vector<int64_t> &sizes);

/// Scalars, dense vectors and matrices by their values, others by their stored entries (the first
/// of them if there are many), which `list` gives. `storage` is null of a tensor in several.
runtime::Result<std::string>
tensorText(const std::string &name, const runtime::Storage *storage, const StoredFormat &format,
           const std::function<runtime::Result<runtime::Coordinates>()> &list);

} // namespace strata::host

#endif // STRATA_HOST_PRINT_H
