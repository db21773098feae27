// Values within the bound on rounding, and patterns.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/reference/Compare.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace strata::reference {

using runtime::Error;
using runtime::Result;

static bool agree(ElementType type, const Expected::Entry &expected, const Number &actual,
                  const Tolerance &tolerance) {
  if (equal(type, expected.value, actual))
    return true;
  // An error that is not zero makes also integers inexact: those converted from real numbers.
  if (type.isInteger()) {
    double distance =
        std::abs(static_cast<double>(expected.value.integer) - static_cast<double>(actual.integer));
    return distance <= expected.error;
  }
  if (!isFinite(type, expected.value) || !isFinite(type, actual))
    return false;
  double tiny = type.width == 64                 ? std::numeric_limits<double>::min()
                : type.width == 32 || type.brain ? std::numeric_limits<float>::min()
                                                 : 0x1p-24;
  double allowed = std::max(tolerance.errorBounds * expected.error,
                            tolerance.relative * std::abs(expected.value.value));
  return std::abs(expected.value.value - actual.value) <= allowed + tiny;
}

namespace {
class Comparer {
public:
  Comparer(const Expected &expected, const Tensor &actual, const CompareOptions &options)
      : expected(expected), actual(actual), options(options) {}

  Comparison run();

private:
  void check(std::span<const int64_t> coordinate, const Expected::Entry &entry, int64_t found);
  void checkUnexpected();

  const Expected &expected;
  const Tensor &actual;
  const CompareOptions &options;
  Comparison result;
};
} // namespace

static std::string describe(ElementType type, const Number &number, bool stored) {
  return stored ? text(type, number) : "nothing stored (" + text(type, number) + ")";
}

void Comparer::check(std::span<const int64_t> coordinate, const Expected::Entry &entry,
                     int64_t found) {
  Number value = found < 0 ? expected.fill : actual.value(found);
  bool stored = found >= 0, wrong = !agree(expected.type, entry, value, options.tolerance);
  ++result.compared;
  switch (options.pattern) {
  case Pattern::ignored:
    break;
  case Pattern::covers:
    wrong |= entry.stored && !stored;
    break;
  case Pattern::exact:
    wrong |= entry.stored != stored;
    break;
  }
  if (!wrong)
    return;
  ++result.differing;
  std::string line = "at " + text(coordinate) + ": expected " +
                     describe(expected.type, entry.value, entry.stored) + ", found " +
                     describe(expected.type, value, stored);
  result.differences.push_back(
      {{coordinate.begin(), coordinate.end()}, entry.value, value, entry.stored, stored, line});
}

// Stored entries where the reference expects nothing, or the fill of a full result.
void Comparer::checkUnexpected() {
  TupleTable known(expected.sizes.size());
  for (size_t entry = 0; entry < expected.entries.size(); ++entry)
    known.insert(expected.coordinate(entry));
  Expected::Entry nothing{expected.fill, 0, expected.full};
  std::vector<int64_t> coordinate(expected.sizes.size());
  for (int64_t entry = 0; entry < actual.count(); ++entry) {
    for (unsigned d = 0; d < actual.order(); ++d)
      coordinate[d] = actual.coordinate(d, entry);
    if (known.find(coordinate) < 0)
      check(coordinate, nothing, entry);
  }
}

Comparison Comparer::run() {
  for (size_t entry = 0; entry < expected.entries.size(); ++entry) {
    std::span<const int64_t> coordinate = expected.coordinate(entry);
    check(coordinate, expected.entries[entry], actual.find(coordinate));
  }
  if (expected.complete)
    checkUnexpected();
  // What neither of them lists is the fill in both.
  if (expected.complete && expected.full)
    result.compared = countCoordinates(expected.sizes);
  std::ranges::sort(result.differences, {}, &Difference::coordinate);
  if (result.differences.size() > options.maxDifferences)
    result.differences.resize(options.maxDifferences);
  return std::move(result);
}

Result<Comparison> compare(const Expected &expected, const Tensor &actual,
                           const CompareOptions &options) {
  if (actual.sizes() != expected.sizes)
    return Error{Error::Extent, "the result has the sizes " + text(actual.sizes()),
                 text(expected.sizes)};
  if (actual.type() != expected.type)
    return Error{Error::ElementType, "the result has elements of another type than the statement"};
  return Comparer(expected, actual, options).run();
}

Result<Comparison> compare(const Expected &expected, const runtime::Coordinates &actual,
                           const CompareOptions &options) {
  Result<Tensor> tensor = Tensor::copyOf(actual);
  if (!tensor)
    return tensor.takeStatus();
  return compare(expected, *tensor, options);
}

std::string Comparison::text() const {
  std::string result;
  for (const Difference &difference : differences)
    result += difference.text + "\n";
  if (auto listed = static_cast<int64_t>(differences.size()); listed < differing)
    result += "and " + std::to_string(differing - listed) + " more\n";
  return result;
}

} // namespace strata::reference
