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

/// Booleans count as integers.
inline bool isInteger(strata_type type) { return runtime::isIntegerType(type); }
inline bool isComplex(strata_type type) { return runtime::isComplexType(type); }
/// Integers that are never negative.
inline bool isNatural(strata_type type) { return type >= STRATA_BOOL && type <= STRATA_U64; }
/// Real types of 16 bits.
inline bool isHalf(strata_type type) { return type == STRATA_F16 || type == STRATA_BF16; }

/// All element types.
inline constexpr strata_type allTypes[] = {STRATA_F64,  STRATA_F32, STRATA_F16, STRATA_BF16,
                                           STRATA_BOOL, STRATA_I8,  STRATA_I16, STRATA_I32,
                                           STRATA_I64,  STRATA_U8,  STRATA_U16, STRATA_U32,
                                           STRATA_U64,  STRATA_C64, STRATA_C128};

/// "f64", "ui8", "complex<f64>", ...: of a tensor's elements.
std::string typeText(strata_type type);
/// "f64", "i8", ...: of values inside statements, where integers have no sign.
std::string valueTypeText(strata_type type);
/// A value as MLIR reads it: "-1.5", "3", "0x7FF0000000000000".
std::string numberText(double value, strata_type type);

} // namespace strata::test
#endif // STRATA_TEST_GENERATOR_TENSORDATA_H
