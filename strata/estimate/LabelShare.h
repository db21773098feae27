// How many places comparisons of labels leave to a statement.
#ifndef STRATA_ESTIMATE_LABELSHARE_H
#define STRATA_ESTIMATE_LABELSHARE_H

#include "strata/lower/analysis/LabelConditions.h"

namespace strata {

/// Returns the share of the places of the variables at which those conditions hold that are about
/// variables `known` alone. Of the variables but one, values are taken that lie evenly; of the last
/// one all that there are.
double shareOfPlaces(const LabelConditions &labels,
                     llvm::function_ref<int64_t(mlir::Value extent)> extentOf,
                     llvm::function_ref<bool(mlir::Value variable)> known);

} // namespace strata

#endif // STRATA_ESTIMATE_LABELSHARE_H
