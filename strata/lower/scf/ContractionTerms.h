// Loops whose values are contractions among other terms: C[...] = D[...] - A[...] * B[...] + ...
#ifndef STRATA_LOWER_SCF_CONTRACTIONTERMS_H
#define STRATA_LOWER_SCF_CONTRACTIONTERMS_H

#include "strata/lower/scf/ContractionNest.h"

namespace strata {

/// Copies of loops, each of which adds one of several terms to the same places; together, one after
/// the other, they do what the loops did. They stand before the loops, which are unchanged.
struct ContractionTerms {
  mlir::Operation *loops;          ///< as they were, with the loop over pieces around them
  mlir::Operation *rest = nullptr; ///< stores the terms that are no contractions
  mlir::Operation *fill = nullptr; ///< gives the result zeros, which the contraction does without
  llvm::SmallVector<mlir::Operation *> copies = {}; ///< one for each contraction
  std::vector<ContractionNest> nests = {};          ///< the contractions

  /// Nothing where a term that is summed is no contraction; nothing is changed then.
  static std::optional<ContractionTerms> match(mlir::scf::ForOp root);
};

} // namespace strata

#endif // STRATA_LOWER_SCF_CONTRACTIONTERMS_H
