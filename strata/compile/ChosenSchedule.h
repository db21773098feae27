// The schedule that a kernel runs by, whoever chose it.
#ifndef STRATA_COMPILE_CHOSENSCHEDULE_H
#define STRATA_COMPILE_CHOSENSCHEDULE_H

#include "strata/dialect/ta/Ta.h"

#include "mlir/IR/BuiltinOps.h"

namespace strata {

/// Lowers a module with one kernel from ta to lvl, in place, and gives the commands that lead from
/// the naive loops of its statement to those that run: the statement's own schedule or the
/// compiler's choice, and which loops run in threads. Fails where a pass does, which was reported.
mlir::FailureOr<ta::ScheduleAttr> lowerWithSchedule(mlir::ModuleOp kernel);

/// Tells whether loops of the schedule are contracted.
bool contracts(ta::ScheduleAttr schedule);

} // namespace strata

#endif // STRATA_COMPILE_CHOSENSCHEDULE_H
