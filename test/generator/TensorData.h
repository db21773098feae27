// Tensors as tests have them: sizes and a list of entries, in any order, with duplicates.
#ifndef STRATA_TEST_GENERATOR_TENSORDATA_H
#define STRATA_TEST_GENERATOR_TENSORDATA_H

#include "Random.h"
#include "strata/runtime/storage/Coordinates.h"

#include <complex>
#include <map>
#include <string>
#include <vector>

namespace strata::test {

using Coordinate = std::vector<int64_t>;

struct Entry {
  Coordinate at;
  std::complex<double> value;
};

struct TensorData {
  std::vector<int64_t> sizes;
  strata_type type = STRATA_F64;
  std::vector<Entry> entries;
};

/// How entries are drawn.
struct DrawData {
  double density = 0.3; ///< share of coordinates that are stored; at 1 all are
  int zeros = 0;        ///< percent of entries that are explicit zeros
  int duplicates = 0;   ///< percent of entries that come twice
  int special = 0;      ///< percent of entries that are infinite or NaN (real types)
  bool nonzero = false; ///< no zeros at all: for divisors
  bool shuffled = true; ///< in random order
};

TensorData drawData(Random &random, std::vector<int64_t> sizes, strata_type type,
                    const DrawData &how);

/// A value of a type: small, so that sums and products of a few are exact in most types.
std::complex<double> drawValue(Random &random, strata_type type);

runtime::Coordinates toCoordinates(const TensorData &data);

/// What the tensor holds: duplicates summed. With `zeros` also entries that are worth zero.
std::map<Coordinate, std::complex<double>> contentOf(const TensorData &data, bool zeros);
std::map<Coordinate, std::complex<double>> contentOf(const runtime::Coordinates &list);

inline bool isInteger(strata_type type) {
  return type == STRATA_I8 || type == STRATA_I16 || type == STRATA_I32 || type == STRATA_I64;
}

/// "f64", "complex<f64>", ...
std::string typeText(strata_type type);
/// A value as MLIR reads it: "-1.5", "3", "0x7FF0000000000000".
std::string numberText(double value, strata_type type);

} // namespace strata::test
#endif // STRATA_TEST_GENERATOR_TENSORDATA_H
