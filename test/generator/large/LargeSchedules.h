// Schedules to measure the compiler's choice by.
#ifndef STRATA_TEST_GENERATOR_LARGE_LARGESCHEDULES_H
#define STRATA_TEST_GENERATOR_LARGE_LARGESCHEDULES_H

#include "LargeCase.h"

namespace strata::test {

/// So many different schedules, of which some are not legal: loops in other orders, sums in rows of
/// their own, products that are stored first, operands in other formats.
std::vector<std::string> drawLargeSchedules(const LargeCase &c, uint64_t seed, size_t count);

/// The same, of all that schedules have for loops: parts of values and of entries, hints, ways to
/// assemble, to merge and to look up. Fewer are legal.
std::vector<std::string> drawAnySchedules(const LargeCase &c, uint64_t seed, size_t count);

} // namespace strata::test
#endif // STRATA_TEST_GENERATOR_LARGE_LARGESCHEDULES_H
