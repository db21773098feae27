// Which part of a statement's work a kernel does: all of it, or one of the two phases in which a
// library may want it (TACO's assemble and compute).
#ifndef STRATA_LOWER_ANALYSIS_PHASE_H
#define STRATA_LOWER_ANALYSIS_PHASE_H

#include "strata/dialect/ta/Ta.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace strata {

enum class Phase {
  All,
  Assemble, ///< the result's pattern; its values are the fill
  Pattern,  ///< the same without values: there is to be room for them before they are computed
  Compute,  ///< the values of a result whose pattern is there
};

/// As the kernel's attribute `strata.phase` says: none, "assemble", "pattern" or "compute".
Phase phaseOf(mlir::func::FuncOp kernel);
inline bool makesPattern(Phase phase) {
  return phase == Phase::Assemble || phase == Phase::Pattern;
}
void setPhase(mlir::func::FuncOp kernel, Phase phase);

/// Why a result of that format cannot be made in phases: its pattern follows from its values, or
/// coordinates cannot be found in it. Empty if it can.
std::string phaseFault(ta::FormatAttr format);

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_PHASE_H
