// Draws schedules, legal and illegal.
#ifndef STRATA_TEST_GENERATOR_DRAWSCHEDULE_H
#define STRATA_TEST_GENERATOR_DRAWSCHEDULE_H

#include "Case.h"

namespace strata::test {

/// Gives a case of one statement a schedule; the same for a seed on every machine. Of most cases
/// the formats are made plain: others can be iterated in few orders of the loops.
void drawSchedule(Case &c, uint64_t seed);

} // namespace strata::test
#endif // STRATA_TEST_GENERATOR_DRAWSCHEDULE_H
