// Writes tensors as text.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/Print.h"

#include "strata/runtime/storage/ValueTypes.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

using strata::runtime::Coordinates;
using strata::runtime::Result;
using strata::runtime::Storage;

namespace strata::host {

std::string numberText(double number) {
  if (std::isnan(number))
    return "nan";
  char text[40];
  std::snprintf(text, sizeof(text), "%.10g", number);
  return text;
}

std::string numberText(std::complex<double> number) {
  bool negative = std::signbit(number.imag()) && !std::isnan(number.imag());
  return numberText(number.real()) + (negative ? " - " : " + ") +
         numberText(negative ? -number.imag() : number.imag()) + "i";
}

std::string fillText(std::complex<double> fill) {
  return fill.imag() == 0 ? numberText(fill.real()) : numberText(fill);
}

// One of many values.
static std::string valueText(const void *values, strata_type type, int64_t at) {
  return runtime::withValueType(type, [&]<typename T>(T *) -> std::string {
    const T &value = static_cast<const T *>(values)[at];
    if constexpr (runtime::isComplexNumber<T>)
      return numberText(std::complex<double>(value));
    else if constexpr (std::is_integral_v<T>)
      return std::to_string(value);
    else
      return numberText(double(value));
  });
}

std::string valueText(const Storage &storage, int64_t at) {
  const strata_buffer &values = storage.values();
  return valueText(values.data, strata_type(values.type), at);
}

std::complex<double> numberOf(std::span<const char> element, strata_type type) {
  return runtime::withValueType(type, [&]<typename T>(T *) -> std::complex<double> {
    T value;
    std::memcpy(static_cast<void *>(&value), element.data(), sizeof(T));
    if constexpr (runtime::isComplexNumber<T>)
      return std::complex<double>(value);
    else
      return double(value);
  });
}

std::optional<std::vector<char>> elementOf(std::complex<double> number, strata_type type) {
  return runtime::withValueType(type, [&]<typename T>(T *) -> std::optional<std::vector<char>> {
    T value{};
    if constexpr (runtime::isComplexNumber<T>) {
      value = T(decltype(value.real())(number.real()), decltype(value.real())(number.imag()));
    } else {
      if (number.imag() != 0)
        return std::nullopt;
      if constexpr (std::is_integral_v<T>) {
        // The bounds are powers of two, which doubles hold.
        const double least = double(std::numeric_limits<T>::min());
        const double most = std::ldexp(1, std::numeric_limits<T>::digits);
        const double whole = std::trunc(number.real());
        if (!(whole == number.real() && least <= whole && whole < most))
          return std::nullopt;
      }
      value = T(number.real());
    }
    const char *bytes = reinterpret_cast<const char *>(&value);
    return std::vector<char>(bytes, bytes + sizeof(T));
  });
}

std::optional<std::vector<int64_t>> denseStrides(const StoredFormat &format,
                                                 const std::vector<int64_t> &sizes) {
  if (!format.isArray())
    return std::nullopt;
  std::vector<int64_t> strides(sizes.size());
  int64_t stride = 1;
  for (size_t lvl = format.levels.size(); lvl-- > 0;) {
    auto dim = size_t(format.levels[lvl].coordinate.input());
    strides[dim] = stride;
    stride *= sizes[dim];
  }
  return strides;
}

// The columns that are shown of a matrix: all, or the first and the last; -1 for what is between.
static std::vector<int64_t> columnsShown(int64_t columns) {
  constexpr int64_t widest = 16;
  std::vector<int64_t> shown;
  for (int64_t j = 0; j < columns; ++j)
    if (columns <= widest || j < widest / 2 || j >= columns - widest / 2)
      shown.push_back(j);
    else if (j == widest / 2)
      shown.push_back(-1);
  return shown;
}

// A vector by lines, a matrix with its columns below each other.
static std::string rowsText(const Storage &storage, const std::vector<int64_t> &strides) {
  bool isMatrix = strides.size() > 1;
  int64_t rows = storage.sizes()[0], columns = isMatrix ? storage.sizes()[1] : 1;
  std::vector<int64_t> shown = columnsShown(columns);
  std::vector<std::string> texts;
  std::vector<size_t> widths(shown.size(), 0);
  for (int64_t i = 0; i < rows; ++i)
    for (size_t at = 0; at < shown.size(); ++at) {
      int64_t j = shown[at];
      texts.push_back(j < 0 ? "..."
                            : valueText(storage, i * strides[0] + (isMatrix ? j * strides[1] : 0)));
      widths[at] = std::max(widths[at], texts.back().size());
    }
  std::string text;
  for (int64_t i = 0; i < rows; ++i) {
    text += " ";
    for (size_t at = 0; at < shown.size(); ++at) {
      const std::string &value = texts[size_t(i) * shown.size() + at];
      size_t padding = isMatrix ? widths[at] - value.size() : 0;
      text += " " + std::string(padding, ' ') + value;
    }
    text += "\n";
  }
  return text;
}

// Vectors and rows of matrices, and entries, that are shown at most.
constexpr int64_t mostShown = 100;

// The entries alone, below the name.
static std::string entriesText(const std::string &name, const Coordinates &list,
                               const StoredFormat &format) {
  std::string text = name + " =\n";
  if (format.hasFill)
    text += "  elsewhere  " + fillText(numberOf(format.fill, format.element)) + "\n";
  for (int64_t entry = 0; entry < std::min(list.count(), mostShown); ++entry) {
    text += "  (";
    for (int dim = 0; dim < list.order(); ++dim)
      text += (dim ? ", " : "") + std::to_string(list.coordinate(dim, entry));
    text += ")  " + valueText(list.values().data(), list.valueType(), entry) + "\n";
  }
  if (list.count() > mostShown)
    text += "  ... " + std::to_string(list.count()) + " entries\n";
  return text;
}

Result<std::string> tensorText(const std::string &name, const Storage *storage,
                               const StoredFormat &format,
                               const std::function<Result<Coordinates>()> &list) {
  if (storage && storage->sizes().empty())
    return name + " = " + valueText(*storage, 0) + "\n";
  std::optional<std::vector<int64_t>> strides =
      storage ? denseStrides(format, storage->sizes()) : std::nullopt;
  if (strides && strides->size() <= 2 && storage->sizes()[0] <= mostShown)
    return name + " =\n" + rowsText(*storage, *strides);
  Result<Coordinates> entries = list();
  if (!entries)
    return entries.takeStatus();
  return entriesText(name, *entries, format);
}

} // namespace strata::host
