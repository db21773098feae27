// What is known of processors that nobody has measured.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_MACHINE_KNOWNPROCESSORS_H
#define STRATA_MACHINE_KNOWNPROCESSORS_H

#include "strata/machine/Machine.h"

namespace strata::machine {

/// A machine as it is to be expected, and which of its figures are those of its kind of processor.
struct ExpectedMachine {
  Machine machine; ///< not measured, but with all figures that its processor can have
  /// "Zen 4"; empty where the table does not have the processor: then all figures are those of a
  /// usual one.
  std::string kind = {};
  /// The kind's own figures, and 0 for those that are a usual processor's.
  Machine ofKind = {};
};

/// Gives a machine that the system has described (describeMachine()) the figures of its kind of
/// processor, which its family and its model tell, or who made it and which part it is (ARM64).
/// `widths`: which vectors it has, of 128, 256 and 512 bits.
ExpectedMachine expectedMachine(const Machine &described, const std::array<bool, 3> &widths);

/// The same of this machine.
ExpectedMachine expectedHere();

} // namespace strata::machine

#endif // STRATA_MACHINE_KNOWNPROCESSORS_H
