// Draws statements with their data.
#ifndef STRATA_TEST_GENERATOR_DRAWCASE_H
#define STRATA_TEST_GENERATOR_DRAWCASE_H

#include "Case.h"

namespace strata::test {

/// The same case for a seed on every machine.
Case drawCase(uint64_t seed);

} // namespace strata::test
#endif // STRATA_TEST_GENERATOR_DRAWCASE_H
