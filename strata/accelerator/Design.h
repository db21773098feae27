// The cycles, power and area of an accelerator.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_ACCELERATOR_DESIGN_H
#define STRATA_ACCELERATOR_DESIGN_H

#include "strata/accelerator/Schedule.h"

#include <map>

namespace strata::accelerator {

/// An accelerator as the model sees it. Figures are of one accelerator, of those that `count` says.
struct Design {
  Accelerator accelerator;
  Activity activity; ///< of one micro-kernel

  /// Square micrometres. Of wires, control and the interface to memory, nothing is known.
  double unitsArea = 0, registersArea = 0, scratchpadsArea = 0;
  /// Joules of one micro-kernel besides leakage: matrices are in the scratchpads before and after.
  double unitsEnergy = 0, registersEnergy = 0, scratchpadsEnergy = 0;
  double leakage = 0; ///< watts
  /// Joules with which an element of each matrix is written into its scratchpad, and read.
  std::array<double, 3> writeEnergy{}, readEnergy{};

  double seconds() const { return double(activity.cycles) / accelerator.hertz(); }
  double area() const { return unitsArea + registersArea + scratchpadsArea; }
  double switchingEnergy() const { return unitsEnergy + registersEnergy + scratchpadsEnergy; }
  /// Watts while micro-kernels follow each other.
  double power() const { return switchingEnergy() / seconds() + leakage; }
  /// Operations a second: a multiplication and an addition are two.
  double peak() const { return double(activity.multiplications + activity.additions) / seconds(); }
};

/// Makes designs of accelerators. Schedules are kept, for accelerators that differ in clock,
/// technology or number type alone.
class Designer {
public:
  /// faultOf() must have found nothing.
  runtime::Result<Design> design(const Accelerator &accelerator);

private:
  std::map<std::vector<int64_t>, Activity> known;
};

} // namespace strata::accelerator

#endif // STRATA_ACCELERATOR_DESIGN_H
