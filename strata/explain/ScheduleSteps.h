// The loops of a kernel before and after each command of its schedule.
#ifndef STRATA_EXPLAIN_SCHEDULESTEPS_H
#define STRATA_EXPLAIN_SCHEDULESTEPS_H

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace strata {

struct ScheduleStep {
  std::string command; ///< empty of the naive loops, and of those that follow when all have run
  std::string loops;   ///< a line for each loop and assignment
};

/// The naive loops of a module with one kernel that is still in ta, those after each command, and
/// those that are walked in the end. Fails where a pass or a command does, which was reported.
mlir::FailureOr<std::vector<ScheduleStep>> scheduleSteps(mlir::ModuleOp kernel);

} // namespace strata

#endif // STRATA_EXPLAIN_SCHEDULESTEPS_H
