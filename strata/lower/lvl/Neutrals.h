// Constants that may stand for what is absent, so that one body serves all cases of a union.
#ifndef STRATA_LOWER_LVL_NEUTRALS_H
#define STRATA_LOWER_LVL_NEUTRALS_H

#include "strata/lower/cin/MergeLattice.h"

namespace strata {

/// One constant for each of `groups` (sets of accesses that are present together): where some
/// groups are absent but not all, what `assign` computes from these constants is, bit for bit, what
/// it computes once the absent accesses have been folded away. In `A + B` that is -0.0 for both,
/// which changes nothing that it is added to; in `max(A, B)` the fills. None where there are no
/// such constants, as for a product, or more groups than it is worth trying.
std::optional<llvm::SmallVector<mlir::TypedAttr>>
findNeutrals(cin::AssignOp assign, const Absence &absence,
             llvm::ArrayRef<llvm::SmallVector<mlir::Operation *>> groups);

} // namespace strata

#endif // STRATA_LOWER_LVL_NEUTRALS_H
