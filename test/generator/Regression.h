// A case as a file of test/regression/: a program and its data in one.
#ifndef STRATA_TEST_GENERATOR_REGRESSION_H
#define STRATA_TEST_GENERATOR_REGRESSION_H

#include "Case.h"

namespace strata::test {

/// `remark` says where the case comes from.
std::string regressionText(const Case &c, const std::string &remark);

} // namespace strata::test
#endif // STRATA_TEST_GENERATOR_REGRESSION_H
