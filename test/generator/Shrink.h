// Makes a failing case smaller: fewer operands, smaller sizes, simpler formats and expressions.
#ifndef STRATA_TEST_GENERATOR_SHRINK_H
#define STRATA_TEST_GENERATOR_SHRINK_H

#include "Case.h"

#include <functional>

namespace strata::test {

/// The smallest case found for which `fails` still holds, after at most `tries` calls.
Case shrink(Case failing, const std::function<bool(const Case &)> &fails, int tries);

} // namespace strata::test
#endif // STRATA_TEST_GENERATOR_SHRINK_H
