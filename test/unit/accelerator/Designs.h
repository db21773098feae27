// Designs for tests.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_TEST_UNIT_ACCELERATOR_DESIGNS_H
#define STRATA_TEST_UNIT_ACCELERATOR_DESIGNS_H

#include "strata/accelerator/Design.h"

/// The design of an accelerator, an empty one if it cannot be made.
inline strata::accelerator::Design designOf(const strata::accelerator::Accelerator &accelerator) {
  strata::accelerator::Designer designer;
  auto design = designer.design(accelerator);
  return design ? *design : strata::accelerator::Design{};
}

#endif // STRATA_TEST_UNIT_ACCELERATOR_DESIGNS_H
