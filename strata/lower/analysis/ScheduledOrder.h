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
  /// The first loops of all variables run around all others, which run over their parts.
  bool partsInside = true;
  /// The variables that are cut, and into parts of how many values; 0 where that is not known.
  llvm::SmallVector<VariableBlocks> parts = {};
};

/// Names that no two variables share, as loops have them: what comes again gets a number behind it.
llvm::SmallVector<std::string> loopNames(const IndexStatement &statement);

/// Nothing where the statement has no schedule. Commands that will be refused are passed over.
std::optional<ScheduledOrder> scheduledOrder(const IndexStatement &statement);

/// The commands that tile(i, j, io, jo, ii, ji, 32, 64) stands for; none if its arguments are
/// wrong.
llvm::SmallVector<ta::CommandAttr> commandsOfTile(ta::CommandAttr tile);

/// How many values a label may have.
struct ExtentBounds {
  int64_t least, most;
};

/// The bounds that a command sets, `assume(k, 32)` or `bound(k, kb, 32, MaxExact)`. Nothing if it
/// is another, or wrong.
std::optional<ExtentBounds> boundsSetBy(ta::CommandAttr command);

/// The bounds that command number `command` of a schedule sets to a variable.
struct AssumedExtent {
  unsigned variable;
  ExtentBounds bounds;
  unsigned command;
};

llvm::SmallVector<AssumedExtent> assumedExtents(const IndexStatement &statement);

/// True where a command of the schedule sets such bounds.
bool assumesExtents(ta::ScheduleAttr schedule);

/// The assembly that a schedule asks for, if it does.
std::optional<Assembly> scheduledAssembly(ta::ScheduleAttr schedule);

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_SCHEDULEDORDER_H
