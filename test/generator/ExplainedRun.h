// Whether what is explained of a program is what ran.
#ifndef STRATA_TEST_GENERATOR_EXPLAINEDRUN_H
#define STRATA_TEST_GENERATOR_EXPLAINEDRUN_H

#include "strata/explain/Explanation.h"
#include "strata/run/Reports.h"

namespace strata::test {

/// The first statement of tensors that were there before that ran by another schedule than is
/// explained; empty if there is none. Of others the explanation knows estimates alone. Of a
/// statement that is there several times, in branches of which one runs, one explanation is enough.
std::string differenceFromRun(const Explanation &explanation, llvm::ArrayRef<StepReport> steps);

} // namespace strata::test

#endif // STRATA_TEST_GENERATOR_EXPLAINEDRUN_H
