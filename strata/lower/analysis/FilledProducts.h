// Products of a sparse tensor with dense ones, two at a time, whose temporaries are dense: a way to
// compute a statement beside the one that takes a step for each entry and all other labels.
#ifndef STRATA_LOWER_ANALYSIS_FILLEDPRODUCTS_H
#define STRATA_LOWER_ANALYSIS_FILLEDPRODUCTS_H

#include "llvm/ADT/StringRef.h"

namespace strata {

/// On a branch of the program (ta.if) whose second region computes such products, and whose first
/// computes the statement without them. Who knows the operands takes the second where that saves
/// most of the steps, its temporaries are not large, and no dense operand holds infinity or NaN: an
/// absent zero annihilates these, and one that a dense temporary holds does not. Who does not takes
/// the first, as the branch's condition says.
inline constexpr llvm::StringLiteral fewEntriesAttribute = "strata.few_entries";

/// Of the steps of the other way at most this share is left.
inline constexpr double mostStepsLeft = 0.25;
/// Where the other way takes fewer steps, calls of further kernels would take as long.
inline constexpr double fewestStepsToSave = 100'000;
/// A temporary has at most so many elements for each that the operands store and the result has.
inline constexpr double mostElementsHeld = 4;

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_FILLEDPRODUCTS_H
