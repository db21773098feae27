// Operands that are lists of coordinates, which loops over several variables can merge entry by
// entry: several COO tensors over the same variables (iterator fusion of 004 section 4.5, for more
// than one operand).
#ifndef STRATA_LOWER_ANALYSIS_MERGEDLISTS_H
#define STRATA_LOWER_ANALYSIS_MERGEDLISTS_H

#include "strata/lower/analysis/IndexStatement.h"

namespace strata {

/// Does walking the access give each tuple of `variables` that is stored once, in lexicographic
/// order, by one loop over positions? A level that lists the first variable's coordinates, again
/// for each entry, and below it levels with one child each.
bool listsTuples(const AccessPath &path, llvm::ArrayRef<unsigned> variables);

/// Lists over the first variables of an order, beside operands that can be located there.
struct MergedLists {
  unsigned variables = 0; ///< so many are bound by one loop
  llvm::SmallVector<mlir::Operation *> lists;
  bool asks = false; ///< what is located may not be there
};

/// What loops over `order`, inside those over the variables that are `bound`, can merge of these
/// accesses; nothing if there are not two lists, or an operand is neither a list nor located.
/// `outer` is the order of the loops around.
std::optional<MergedLists> findMergedLists(const IndexStatement &statement,
                                           llvm::ArrayRef<mlir::Operation *> accesses,
                                           llvm::ArrayRef<unsigned> outer,
                                           llvm::ArrayRef<unsigned> order);

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_MERGEDLISTS_H
