// Schedules as the language writes them, as attributes of the ta dialect.
#ifndef STRATA_FRONTEND_TASCHEDULES_H
#define STRATA_FRONTEND_TASCHEDULES_H

#include "strata/dialect/ta/Ta.h"
#include "strata/frontend/Ast.h"

namespace strata::frontend {

/// The commands in order, with their names and arguments as they are written.
ta::ScheduleAttr emitSchedule(mlir::MLIRContext *context, const ast::Schedule &schedule);

} // namespace strata::frontend

#endif // STRATA_FRONTEND_TASCHEDULES_H
