// The words of schedules for what decides between two ways to compute a statement.
#ifndef STRATA_LOWER_TA_WAYS_H
#define STRATA_LOWER_TA_WAYS_H

#include "strata/lower/analysis/FilledProducts.h"
#include "strata/lower/analysis/HeldZeros.h"
#include "strata/lower/analysis/Resolutions.h"

namespace strata {

/// A condition that the run finds to hold or not when it knows the operands: `specialize(FewSteps)`
/// of a schedule, and the attribute of the branch that it becomes.
struct WayCondition {
  llvm::StringLiteral word, attribute;
  /// Who does not know the operands takes it to hold, for the result depends on that.
  bool isLikely = false;
};

/// The second argument where who does not know the operands takes it to hold, too.
inline constexpr llvm::StringLiteral likelyWord = "Likely";

inline constexpr WayCondition wayConditions[] = {
    {"FewSteps", fewStepsAttribute},
    {"FewTerms", fewTermsAttribute},
    {"FewReads", fewReadsAttribute},
    {"FewUses", fewUsesAttribute},
    {"FewEntries", fewEntriesAttribute, /*isLikely=*/true},
    {"AbsentZeros", heldZerosAttribute, /*isLikely=*/true},
};

} // namespace strata

#endif // STRATA_LOWER_TA_WAYS_H
