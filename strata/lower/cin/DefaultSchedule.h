// The compiler's own choice for a kernel, as the schedule that a person could have written.
#ifndef STRATA_LOWER_CIN_DEFAULTSCHEDULE_H
#define STRATA_LOWER_CIN_DEFAULTSCHEDULE_H

#include "strata/dialect/cin/Cin.h"
#include "strata/lower/analysis/IndexStatement.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

namespace strata {

/// Names that are each taken once: what is taken already gets a number behind it.
class FreshNames {
public:
  std::string take(llvm::StringRef wanted);

private:
  llvm::StringSet<> taken;
};

/// What a naive nest was made of.
struct NaiveNest {
  llvm::DenseMap<mlir::Operation *, unsigned> variables;      ///< of loops, in the statement
  llvm::DenseMap<mlir::Operation *, ta::ReduceOp> reductions; ///< of temporaries
};

/// The commands that give the naive nest of a statement, in a kernel, the loops of a plan.
ta::ScheduleAttr defaultSchedule(mlir::func::FuncOp kernel, const IndexStatement &statement,
                                 const LoopPlan &plan, const NaiveNest &nest);

} // namespace strata

#endif // STRATA_LOWER_CIN_DEFAULTSCHEDULE_H
