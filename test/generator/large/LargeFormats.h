// Formats for tensors of many entries: those that can hold them without far more memory.
#ifndef STRATA_TEST_GENERATOR_LARGE_LARGEFORMATS_H
#define STRATA_TEST_GENERATOR_LARGE_LARGEFORMATS_H

#include "generator/Random.h"
#include "strata/runtime/storage/Coordinates.h"

#include "mlir/IR/BuiltinTypes.h"

#include <string>
#include <vector>

namespace strata::test {

/// A format for so many entries, as the language writes it: named ones, and levels drawn one by one
/// over any map.
std::string drawLargeFormat(Random &random, const std::vector<int64_t> &sizes, int64_t entries,
                            strata_type type);

/// What a person would take: CSR, rows of entries where there are few rows, a tree of more
/// dimensions; dense where a tenth of the places is filled.
std::string plainLargeFormat(const std::vector<int64_t> &sizes, double entries);

/// How a tensor of the type is stored, as the language writes it.
std::string formatText(mlir::RankedTensorType type);

} // namespace strata::test
#endif // STRATA_TEST_GENERATOR_LARGE_LARGEFORMATS_H
