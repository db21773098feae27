// What a statement's schedule says of the order of its loops, without applying it.
#ifndef STRATA_LOWER_ANALYSIS_SCHEDULEDORDER_H
#define STRATA_LOWER_ANALYSIS_SCHEDULEDORDER_H

#include "strata/lower/analysis/IndexStatement.h"

namespace strata {

struct ScheduledOrder {
  llvm::SmallVector<unsigned> variables; ///< in the order in which their first loops run
  /// The loops are those over the statement's own variables, one after the other; else how accesses
  /// are walked is seen only when the loops are there.
  bool plain = true;
  /// Between the loops that a variable is divided into stands the loop over another.
  bool apart = false;
};

/// Names that no two variables share, as loops have them: what comes again gets a number behind it.
llvm::SmallVector<std::string> loopNames(const IndexStatement &statement);

/// Nothing where the statement has no schedule. Commands that will be refused are passed over.
std::optional<ScheduledOrder> scheduledOrder(const IndexStatement &statement);

/// What a command of a schedule says of a variable: that it has so many values.
struct AssumedExtent {
  unsigned variable;
  int64_t least, most;
  unsigned command; ///< its number
};

/// What the commands `assume` and `bound` say.
llvm::SmallVector<AssumedExtent> assumedExtents(const IndexStatement &statement);

/// The assembly that a schedule asks for, if it does.
std::optional<Assembly> scheduledAssembly(ta::ScheduleAttr schedule);

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_SCHEDULEDORDER_H
