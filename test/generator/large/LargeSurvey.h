// The compiler's schedule of a drawn statement beside random legal ones, and what is predicted.
#ifndef STRATA_TEST_GENERATOR_LARGE_LARGESURVEY_H
#define STRATA_TEST_GENERATOR_LARGE_LARGESURVEY_H

#include "LargeCase.h"
#include "SurveyRecord.h"

namespace strata::machine {
struct Machine;
}

namespace strata::test {

struct SurveyLimits {
  size_t schedules = 50;
  double seconds = 10; ///< for one run of kernels
};

/// Measures, in a child, on one thread.
SurveyedStatement survey(const LargeCase &c, uint64_t seed, const SurveyLimits &limits,
                         const machine::Machine &machine);

} // namespace strata::test
#endif // STRATA_TEST_GENERATOR_LARGE_LARGESURVEY_H
