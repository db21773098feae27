// Slots that loops number as they reach entries: the first of each row has slot 0, the next slot 1.
//
// A slot is no function of the dimensions. Where all loops over what is counted (the row) stand
// around those over the rest, and the coordinates that are numbered come in order, the number is
// one scalar that begins at zero with each row. How many slots there will be must be known before:
// a kernel whose result has such slots gets that as its last argument (Assumptions::Slots).
#ifndef STRATA_LOWER_ANALYSIS_SLOTNUMBERING_H
#define STRATA_LOWER_ANALYSIS_SLOTNUMBERING_H

#include "strata/lower/analysis/AccessPath.h"
#include <optional>

namespace strata {

struct SlotNumbering {
  unsigned level;                       ///< of the slot
  llvm::SmallVector<unsigned> counted;  ///< dimensions of which each place has slots of its own
  unsigned numbered;                    ///< the dimension whose coordinates are numbered
  std::optional<int64_t> rowsPerParent; ///< slots are appended, below so many rows together
  bool countsRows = false; ///< the rows of each slot are counted before they are stored
};

/// How the slots of a format can be numbered in loops: it has one level of them, which counts and
/// numbers plain dimensions, has a place for each number or appends below a block of rows, and
/// below which are only levels with places, or rows of which each slot has a number of its own.
std::optional<SlotNumbering> slotNumbering(ta::FormatAttr format);

/// The same of a statement's result, by the index variables that stand for the dimensions.
struct VariableNumbering {
  unsigned level;
  llvm::SmallVector<unsigned> counted;
  unsigned numbered;
  std::optional<int64_t> rowsPerParent;

  bool counts(unsigned variable) const { return llvm::is_contained(counted, variable); }
};
std::optional<VariableNumbering> slotNumbering(const AccessPath &result);

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_SLOTNUMBERING_H
