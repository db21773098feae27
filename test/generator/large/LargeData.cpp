// Entries by a generator that is far faster than one that draws coordinates one by one.
#include "LargeCase.h"

#include "strata/runtime/storage/Words.h"

#include "llvm/ADT/STLExtras.h"

namespace strata::test {

namespace {

// SplitMix64 (Steele, Lea, Flood 2014).
class Stream {
public:
  explicit Stream(uint64_t seed) : state(seed) {}
  uint64_t next() {
    uint64_t z = state += 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }
  int64_t below(int64_t count) {
    return int64_t((unsigned __int128)(next()) * uint64_t(count) >> 64);
  }

private:
  uint64_t state;
};

// Sums of small halves are exact in most types. Nothing is zero.
double valueAt(Stream &stream, strata_type type) {
  auto magnitude = double(1 + stream.below(4));
  if (type == STRATA_BOOL)
    return 1;
  bool natural = type >= STRATA_BOOL && type <= STRATA_U64;
  double value = natural || stream.below(2) ? magnitude : -magnitude;
  return runtime::isIntegerType(type) ? value : value / 2;
}

// Which coordinates an entry has. Where every coordinate is stored, the last dimension is the
// fastest.
void place(std::vector<int64_t> &at, const LargeOperand &operand, int64_t number, int64_t crowded,
           Stream &stream) {
  if (operand.full) {
    for (size_t d = at.size(); d-- > 0; number /= operand.sizes[d])
      at[d] = number % operand.sizes[d];
    return;
  }
  for (size_t d = 0; d < at.size(); ++d)
    at[d] = stream.below(operand.sizes[d]);
  if (operand.skewed >= 0 && stream.below(10) < 9)
    at[size_t(operand.skewed)] = crowded;
}

// Makes each value 1, or -1 if it is negative.
void takeSigns(runtime::Coordinates &list) {
  runtime::withValueType(list.valueType(), [&]<typename V>(V *) {
    V *values = list.values().template as<V>();
    for (int64_t entry = 0; entry < list.count(); ++entry)
      if constexpr (runtime::isComplexNumber<V>)
        values[entry] = V(1);
      else
        values[entry] = static_cast<V>(double(values[entry]) < 0 ? -1 : 1);
  });
}

} // namespace

runtime::Result<runtime::Coordinates> entriesOf(const LargeOperand &operand) {
  Stream stream(operand.seed);
  auto made = runtime::Coordinates::create(operand.sizes, operand.type, operand.entries);
  if (!made)
    return made;
  std::vector<int64_t> at(operand.sizes.size());
  int64_t crowded = operand.skewed < 0 ? 0 : stream.below(operand.sizes[size_t(operand.skewed)]);
  runtime::withCoordinateType(made->coordinateType(), [&]<typename C>(C *) {
    std::vector<C *> columns;
    for (size_t d = 0; d < at.size(); ++d)
      columns.push_back(made->column(int(d)).template as<C>());
    runtime::withValueType(operand.type, [&]<typename V>(V *) {
      V *values = made->values().template as<V>();
      for (int64_t entry = 0; entry < operand.entries; ++entry) {
        place(at, operand, entry, crowded, stream);
        for (size_t d = 0; d < at.size(); ++d)
          columns[d][entry] = C(at[d]);
        double value = valueAt(stream, operand.type);
        if constexpr (runtime::isComplexNumber<V>)
          values[entry] = V(std::complex<double>(value, valueAt(stream, operand.type)));
        else
          values[entry] = static_cast<V>(value);
      }
    });
  });
  // What coincides is one entry, so that all formats hold the same.
  if (operand.entries > 0 && !operand.full)
    if (auto merged = made->sumDuplicates({}, runtime::Overflow::wraps); !merged)
      return merged.takeStatus();
  if (operand.units)
    takeSigns(*made);
  return made;
}

} // namespace strata::test
