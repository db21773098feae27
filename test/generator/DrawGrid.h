// Draws machines, and which of their cells have what of a case's tensors.
#ifndef STRATA_TEST_GENERATOR_DRAWGRID_H
#define STRATA_TEST_GENERATOR_DRAWGRID_H

#include "Case.h"

namespace strata::test {

/// Gives a case cells, tensors in pieces, and some cases a schedule that says what cells compute;
/// the same for a seed on every machine.
void drawGrid(Case &c, uint64_t seed);

} // namespace strata::test
#endif // STRATA_TEST_GENERATOR_DRAWGRID_H
