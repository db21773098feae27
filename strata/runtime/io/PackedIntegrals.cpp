// Expanding packed integrals: the element of each quadruple of orbitals is looked up.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/PackedIntegrals.h"

#include "strata/runtime/Counted.h"
#include "strata/runtime/Parallel.h"

#include <array>
#include <cmath>

namespace strata::runtime {
namespace {

constexpr int64_t pairs(int64_t n) { return n * (n + 1) / 2; }

/// Returns the number n for which n (n + 1) / 2 is this one; nothing if there is none.
std::optional<int64_t> triangularRoot(int64_t number) {
  if (number > int64_t{1} << 52)
    return std::nullopt;
  auto n = static_cast<int64_t>((std::sqrt(8.0 * static_cast<double>(number) + 1.0) - 1.0) / 2.0);
  while (pairs(n) < number)
    ++n;
  return pairs(n) == number ? std::optional(n) : std::nullopt;
}

/// Returns the place of a pair, in any order.
constexpr int64_t pairOf(int64_t i, int64_t j) { return i >= j ? pairs(i) + j : pairs(j) + i; }

/// Finds where each element of an array stands in its list, row by row.
std::vector<int64_t> entriesByPlace(const Coordinates &list) {
  std::vector<int64_t> entries(static_cast<size_t>(list.count()));
  for (int64_t e = 0; e < list.count(); ++e) {
    int64_t place = 0;
    for (int d = 0; d < list.order(); ++d)
      place = place * list.sizes()[static_cast<size_t>(d)] + list.coordinate(d, e);
    entries[static_cast<size_t>(place)] = e;
  }
  return entries;
}

Error wrongShape(const Coordinates &list, int symmetry) {
  const std::string sizes = sizesText(list.sizes());
  return {Error::Symmetry,
          "an array of " + (sizes.empty() ? "no dimension" : sizes) + " holds no integrals with " +
              std::to_string(symmetry) + "-fold symmetry",
          symmetry == 8 ? "p (p + 1) / 2 elements, where p = n (n + 1) / 2"
                        : "p x p elements, where p = n (n + 1) / 2"};
}

/// Writes the coordinates and the values of the quadruples that begin with (i, j).
template <typename V>
void expandPair(const Coordinates &packed, const std::vector<int64_t> &entries, int symmetry,
                int64_t n, int64_t first, Coordinates &all) {
  const int64_t i = first / n, j = first % n, ij = pairOf(i, j);
  const V *from = packed.values().as<V>();
  V *to = all.values().as<V>();
  std::array<int32_t *, 4> columns;
  for (int d = 0; d < 4; ++d)
    columns[static_cast<size_t>(d)] = all.column(d).as<int32_t>();
  for (int64_t second = 0; second < n * n; ++second) {
    const int64_t kl = pairOf(second / n, second % n), e = first * n * n + second;
    const int64_t place = symmetry == 8 ? pairOf(ij, kl) : ij * pairs(n) + kl;
    const int64_t indices[] = {i, j, second / n, second % n};
    for (size_t d = 0; d < 4; ++d)
      columns[d][e] = static_cast<int32_t>(indices[d]);
    to[e] = from[entries[static_cast<size_t>(place)]];
  }
}

} // namespace

Result<Coordinates> expandPacked(Coordinates packed, int symmetry) {
  if (symmetry == 8)
    for (int d = packed.order() - 1; d >= 0 && packed.order() > 1; --d)
      if (packed.sizes()[static_cast<size_t>(d)] == 1)
        if (Status dropped = packed.dropDimension(d); !dropped.ok())
          return dropped;
  const std::vector<int64_t> &sizes = packed.sizes();
  std::optional<int64_t> p, n;
  if (symmetry == 8 && sizes.size() == 1)
    p = triangularRoot(sizes[0]);
  else if (symmetry == 4 && sizes.size() == 2 && sizes[0] == sizes[1])
    p = sizes[0];
  if (p)
    n = triangularRoot(*p);
  if (!n || packed.count() != (symmetry == 8 ? pairs(*p) : *p * *p))
    return wrongShape(packed, symmetry);
  Result<Coordinates> all =
      Coordinates::create({*n, *n, *n, *n}, STRATA_I32, packed.valueType(), *n * *n * *n * *n);
  if (!all)
    return all;
  const std::vector<int64_t> entries = entriesByPlace(packed);
  withValueType(packed.valueType(), [&]<typename V>(V *) {
    parallelFor(int64_t{0}, *n * *n,
                [&](int64_t first) { expandPair<V>(packed, entries, symmetry, *n, first, *all); });
  });
  return all;
}

} // namespace strata::runtime
