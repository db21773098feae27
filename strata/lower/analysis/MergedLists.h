// Operands that are lists of coordinates, which loops over several variables can merge entry by
// entry: several COO tensors over the same variables (iterator fusion of 004 section 4.5, for more
// than one operand).
#ifndef STRATA_LOWER_ANALYSIS_MERGEDLISTS_H
#define STRATA_LOWER_ANALYSIS_MERGEDLISTS_H

#include "strata/lower/analysis/LoopNest.h"

namespace strata {

/// Does walking the access give each tuple of `variables` that is stored once, in lexicographic
/// order, by one loop over positions? A level that lists the first variable's coordinates, again
/// for each entry, and below it levels with one child each.
bool listsTuples(const AccessPath &path, llvm::ArrayRef<unsigned> variables);

/// Lists over the variables of loops, beside operands that can be located there.
struct MergedLists {
  llvm::SmallVector<cin::ForallOp> loops; ///< bound by one walk
  llvm::SmallVector<unsigned> lists;      ///< accesses by number
  bool asks = false;                      ///< what is located may not be there
};

/// What the first loops of a chain can merge of the accesses inside them; nothing if there are not
/// two lists, or an operand is neither a list nor located.
std::optional<MergedLists> findMergedLists(const LoopNest &nest,
                                           llvm::ArrayRef<cin::ForallOp> chain);

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_MERGEDLISTS_H
