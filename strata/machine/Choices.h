// The speeds of a machine decide how kernels run.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_MACHINE_CHOICES_H
#define STRATA_MACHINE_CHOICES_H

#include "strata/machine/Machine.h"
#include "strata/runtime/Thresholds.h"

namespace strata::machine {

/// A step of a loop that kernels count (Thresholds::leastSteps).
constexpr double secondsOfStep = 0.25e-9;

/// How kernels run on a machine. Results do not depend on it, but for the order in which terms of
/// sums are added.
struct Choices {
  runtime::Thresholds thresholds; ///< by which kernels choose while they run
  /// Elements that are looked up are gathered by one instruction, not loaded one by one.
  bool gathers = false;
};

/// Where something has not been measured, the choice is the one that is seldom much slower than the
/// other. Ratios of speeds are rounded to half powers of two, so that two measurements of a machine
/// seldom disagree, and no threshold leaves the bounds within which it has been tried.
Choices choicesFor(const Machine &machine);

} // namespace strata::machine

#endif // STRATA_MACHINE_CHOICES_H
