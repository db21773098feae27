// Statements of a program's text, and the commands that may say what the passes made of each.
#ifndef STRATA_TOOLS_STATEMENTCOMMANDS_H
#define STRATA_TOOLS_STATEMENTCOMMANDS_H

#include "strata/dialect/ta/Ta.h"
#include "strata/lower/ta/Ways.h"

#include "llvm/ADT/MapVector.h"

#include <optional>
#include <string>
#include <vector>

namespace strata::tool {

/// Line and column: statements begin at different ones.
using Place = std::pair<unsigned, unsigned>;

/// One way to compute a statement: what was made of it.
struct Way {
  llvm::SmallVector<ta::ComputeOp> made; ///< the last one gives its result
  llvm::SmallVector<ta::ConvertOp> conversions;
  mlir::Value overValues; ///< the result, if it is another one's storage with new values
  bool extracts = false, hasParts = false; ///< of operands: entries that are reached; storages
  bool hasLoops = false;
  std::string loops; ///< commands that lead to the loops of the scheduled operation

  /// The operation that a schedule is for: of several over parts of an operand, the first.
  ta::ComputeOp scheduled() const {
    ta::ComputeOp first = made.front();
    return hasParts && !first.getReason() ? first : made.back();
  }
};

/// A statement of the text, and what was made of it.
struct Statement {
  mlir::MLIRContext *context = nullptr;
  unsigned written = 0;           ///< how many operations it is before the passes
  unsigned sums = 0, selects = 0; ///< in these
  bool isScheduled = false, copies = false, updates = false;
  bool fills = false;                                ///< with a constant: then it has no schedule
  std::vector<std::pair<std::string, Place>> reads;  ///< what other statements make
  std::optional<std::pair<std::string, Place>> twin; ///< the first one that says the same
  llvm::SmallVector<Way> ways;             ///< one, or two; none if other statements compute it
  const WayCondition *condition = nullptr; ///< of two: what decides
  mlir::Operation *branch = nullptr;
  bool hasMoreWays = false;
  const Statement *consumer = nullptr; ///< that computes it where it reads it
  std::vector<std::string> comments;
  llvm::SmallVector<std::string> choices; ///< schedules that may say all, the likeliest one first
  unsigned choice = 0;                    ///< the one to try; behind the last: none

  bool isSaid() const { return choice < choices.size(); }
  bool hasLoops() const {
    return llvm::any_of(ways, [](const Way &way) { return way.hasLoops; });
  }
};

using Statements = llvm::MapVector<Place, Statement>;

/// Counts operations of a kind in a statement's body.
template <typename Op> unsigned countIn(ta::ComputeOp op) {
  unsigned count = 0;
  op.getBody().walk([&](Op) { ++count; });
  return count;
}

/// Finds what may say all about a statement. `transposes` says whether contractions are computed by
/// transposes and products of matrices.
void findChoices(Statement &statement, Statements &statements, bool transposes);

} // namespace strata::tool

#endif // STRATA_TOOLS_STATEMENTCOMMANDS_H
