// Generators of random tensors and of the 27-point stencil.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/storage/Generate.h"
#include "strata/runtime/Parallel.h"

#include <algorithm>
#include <cmath>

namespace strata::runtime {
namespace {

/// The number at a place of a stream: splitmix64, so that entries can be drawn in any order.
uint64_t draw(uint64_t seed, uint64_t place) {
  uint64_t z = seed * 0xd1342543de82ef95ULL + (place + 1) * 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

/// Uniform in [0, 1).
double unit(uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

/// Uniform in [0, size).
int64_t below(uint64_t bits, int64_t size) {
  return static_cast<int64_t>(
      (static_cast<unsigned __int128>(bits) * static_cast<uint64_t>(size)) >> 64);
}

template <typename V> V valueFrom(uint64_t seed, uint64_t place) {
  if constexpr (std::is_same_v<V, bool>) {
    return true;
  } else if constexpr (std::is_integral_v<V>) {
    return static_cast<V>(1 + below(draw(seed, place), 9));
  } else if constexpr (isComplexNumber<V>) {
    using Part = typename V::value_type;
    return {valueFrom<Part>(seed, 2 * place), valueFrom<Part>(seed, 2 * place + 1)};
  } else {
    const uint64_t bits = draw(seed, place);
    const double magnitude = std::max(unit(bits), 0x1p-20);
    return static_cast<V>(bits & 1 ? -magnitude : magnitude);
  }
}

void drawValues(Coordinates &list, uint64_t seed) {
  withValueType(list.valueType(), [&]<typename V>(V *) {
    V *values = list.values().as<V>();
    for (int64_t e = 0; e < list.count(); ++e)
      values[e] = valueFrom<V>(seed, static_cast<uint64_t>(e));
  });
}

/// Chooses `count` of all `total` places in order, each set equally likely (selection sampling).
void selectPlaces(Coordinates &list, int64_t count, int64_t total, uint64_t seed) {
  std::vector<int64_t> at(static_cast<size_t>(list.order()), 0);
  int64_t chosen = 0;
  for (int64_t place = 0; place < total && chosen < count; ++place) {
    if (below(draw(seed, static_cast<uint64_t>(place)), total - place) < count - chosen) {
      for (int d = 0; d < list.order(); ++d)
        withCoordinateType(list.coordinateType(), [&]<typename C>(C *) {
          list.column(d).as<C>()[chosen] = static_cast<C>(at[static_cast<size_t>(d)]);
        });
      ++chosen;
    }
    for (size_t d = at.size(); d-- > 0;) {
      if (++at[d] < list.sizes()[d])
        break;
      at[d] = 0;
    }
  }
}

/// Draws entries from `first` on; `place` is the position in the stream.
void drawEntries(Coordinates &list, int64_t first, uint64_t seed, uint64_t place) {
  for (int d = 0; d < list.order(); ++d)
    withCoordinateType(list.coordinateType(), [&]<typename C>(C *) {
      C *column = list.column(d).as<C>();
      const int64_t size = list.sizes()[static_cast<size_t>(d)];
      for (int64_t e = first; e < list.count(); ++e) {
        const uint64_t number =
            (place + static_cast<uint64_t>(e - first)) * static_cast<uint64_t>(list.order()) +
            static_cast<uint64_t>(d);
        column[e] = static_cast<C>(below(draw(seed, number), size));
      }
    });
}

/// Draws until `count` entries differ. Few repeat, as the tensor is sparse.
Status drawDistinct(Coordinates &list, int64_t count, uint64_t seed) {
  uint64_t place = 0;
  int64_t have = 0;
  while (have < count) {
    if (Status grown = list.resize(count); !grown.ok())
      return grown;
    drawEntries(list, have, seed, place);
    place += static_cast<uint64_t>(count - have);
    // Values are drawn later; here they only have to add up without failing.
    std::fill_n(static_cast<char *>(list.values().data()),
                count * strata_type_bytes(list.valueType()), char{0});
    Result<int64_t> repeated = list.sumDuplicates();
    if (!repeated)
      return repeated.takeStatus();
    have = list.count();
  }
  return {};
}

} // namespace

/// An integer without an exponent, if it has up to 18 digits.
static std::string inDigits(double number) {
  return number < 1e18 ? std::to_string(static_cast<int64_t>(number)) : "more than 10^18";
}

Result<Coordinates> generateRandom(const RandomTensor &what) {
  if (!(what.density >= 0 && what.density <= 1))
    return Error{Error::Size, "a density of " + std::to_string(what.density),
                 "a number from 0 to 1"};
  double total = 1; // which may be infinite
  bool isEmpty = what.density == 0;
  for (int64_t size : what.sizes) {
    if (size < 0)
      return Error{Error::Size, "a dimension of size " + std::to_string(size), "0 or more"};
    total *= static_cast<double>(size);
    isEmpty |= size == 0;
  }
  const double wanted = isEmpty ? 0 : std::round(what.density * total);
  if (wanted > 0x1p46)
    return Error{Error::MemoryLimit,
                 "a random tensor of " + inDigits(wanted) + " entries is too large",
                 "a smaller density"};
  const auto count = static_cast<int64_t>(wanted);
  Result<Coordinates> list = Coordinates::create(what.sizes, what.type, count);
  if (!list || count == 0)
    return list;
  if (total <= 16 * wanted) {
    selectPlaces(*list, count, static_cast<int64_t>(total), what.seed);
  } else if (Status drawn = drawDistinct(*list, count, what.seed); !drawn.ok()) {
    return drawn;
  }
  drawValues(*list, what.seed + 0x5bd1e995);
  return list;
}

Result<Coordinates> generateStencil27(int64_t n) {
  constexpr int64_t largest = 1000000;
  if (n < 1 || n > largest)
    return Error{Error::Size, "a grid of " + std::to_string(n) + " points a side",
                 "from 1 to " + std::to_string(largest)};
  // Along one side, point i and those before it have 3i + 2 neighbours including themselves.
  auto before = [n](int64_t i) { return i == 0 ? 0 : i == n ? 3 * n - 2 : 3 * i - 1; };
  const int64_t side = before(n), rows = n * n * n;
  int64_t count;
  if (__builtin_mul_overflow(side * side, side, &count))
    return Error{Error::MemoryLimit,
                 "a grid of " + std::to_string(n) + " points a side is too large"};
  Result<Coordinates> list = Coordinates::create({rows, rows}, STRATA_F64, count);
  if (!list)
    return list;
  withCoordinateType(list->coordinateType(), [&]<typename C>(C *) {
    C *rowOf = list->column(0).as<C>(), *columnOf = list->column(1).as<C>();
    double *values = list->values().as<double>();
    auto writeLine = [&](int64_t z, int64_t y) {
      const int64_t wide = before(z + 1) - before(z);
      int64_t e = before(z) * side * side + wide * before(y) * side;
      for (int64_t x = 0; x < n; ++x)
        for (int64_t w = std::max<int64_t>(z - 1, 0); w <= std::min(z + 1, n - 1); ++w)
          for (int64_t v = std::max<int64_t>(y - 1, 0); v <= std::min(y + 1, n - 1); ++v)
            for (int64_t u = std::max<int64_t>(x - 1, 0); u <= std::min(x + 1, n - 1); ++u, ++e) {
              rowOf[e] = static_cast<C>((z * n + y) * n + x);
              columnOf[e] = static_cast<C>((w * n + v) * n + u);
              values[e] = rowOf[e] == columnOf[e] ? 26.0 : -1.0;
            }
    };
    parallelFor(int64_t{0}, n, [&](int64_t z) {
      for (int64_t y = 0; y < n; ++y)
        writeLine(z, y);
    });
  });
  return list;
}

Result<Coordinates> generateCounts(int64_t count, int64_t first, int64_t step) {
  Result<Coordinates> list = Coordinates::create({count}, STRATA_I64, count);
  if (!list)
    return list;
  withCoordinateType(list->coordinateType(), [&]<typename C>(C *) {
    for (int64_t e = 0; e < count; ++e) {
      list->column(0).as<C>()[e] = static_cast<C>(e);
      list->values().as<int64_t>()[e] = first + step * e;
    }
  });
  return list;
}

Result<Coordinates> generateSelector(const std::vector<int64_t> &sizes,
                                     std::span<const int64_t> at) {
  const auto count = std::ranges::count_if(at, [](int64_t crd) { return crd >= 0; });
  Result<Coordinates> list = Coordinates::create(sizes, STRATA_I8, count);
  if (!list)
    return list;
  const size_t last = sizes.size() - 1;
  withCoordinateType(list->coordinateType(), [&]<typename C>(C *) {
    int64_t e = 0;
    for (int64_t place = 0; place < static_cast<int64_t>(at.size()); ++place) {
      if (at[static_cast<size_t>(place)] < 0)
        continue;
      int64_t rest = place;
      for (size_t d = last; d-- > 0; rest /= sizes[d])
        list->column(static_cast<int>(d)).as<C>()[e] = static_cast<C>(rest % sizes[d]);
      list->column(static_cast<int>(last)).as<C>()[e] =
          static_cast<C>(at[static_cast<size_t>(place)]);
      list->values().as<int8_t>()[e++] = 1;
    }
  });
  return list;
}

} // namespace strata::runtime
