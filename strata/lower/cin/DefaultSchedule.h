// The compiler's own choice for a kernel, as the schedule that a person could have written.
#ifndef STRATA_LOWER_CIN_DEFAULTSCHEDULE_H
#define STRATA_LOWER_CIN_DEFAULTSCHEDULE_H

#include "strata/dialect/cin/Cin.h"
#include "strata/lower/analysis/IndexStatement.h"

#include "llvm/ADT/DenseMap.h"

namespace strata {

/// What a naive nest was made of.
struct NaiveNest {
  llvm::DenseMap<mlir::Operation *, unsigned> variables;      ///< of loops, in the statement
  llvm::DenseMap<mlir::Operation *, ta::ReduceOp> reductions; ///< of temporaries
};

/// The commands for the naive nest of a statement, in a kernel: those that give it the loops of a
/// plan, or the statement's own schedule, completed by how the plan assembles the result. What
/// blocks of rows read and write again and again stays in a cache of `firstCache` bytes.
ta::ScheduleAttr kernelSchedule(mlir::func::FuncOp kernel, const IndexStatement &statement,
                                const LoopPlan &plan, const NaiveNest &nest, int64_t firstCache);

} // namespace strata

#endif // STRATA_LOWER_CIN_DEFAULTSCHEDULE_H
