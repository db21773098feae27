// The matrices that are measured: a stencil, random ones, files.
#ifndef STRATA_BENCHMARK_PROBLEMS_H
#define STRATA_BENCHMARK_PROBLEMS_H

#include "strata/runtime/storage/Coordinates.h"

#include <string>

namespace strata::benchmark {

/// By its name: "stencil:34" (27 points on a grid of 34 x 34 x 34), "random:100000:20" (so many
/// rows, so many entries in a row on average), or a Matrix Market file. Sorted, duplicates summed.
runtime::Result<runtime::Coordinates> makeProblem(const std::string &name);

/// The same entries in a random order.
runtime::Result<runtime::Coordinates> shuffled(const runtime::Coordinates &list);

/// `count` numbers between -1 and 1, always the same.
std::vector<double> randomValues(int64_t count);

} // namespace strata::benchmark

#endif // STRATA_BENCHMARK_PROBLEMS_H
