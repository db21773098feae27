// Draws a statement over large tensors.
#ifndef STRATA_TEST_GENERATOR_LARGE_DRAWLARGE_H
#define STRATA_TEST_GENERATOR_LARGE_DRAWLARGE_H

#include "LargeCase.h"

namespace strata::test {

/// The same for a seed on every machine.
LargeCase drawLarge(uint64_t seed);

} // namespace strata::test
#endif // STRATA_TEST_GENERATOR_LARGE_DRAWLARGE_H
