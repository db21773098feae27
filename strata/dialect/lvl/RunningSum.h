// The attribute of loops whose sums go on where those of the round before ended.
#ifndef STRATA_DIALECT_LVL_RUNNINGSUM_H
#define STRATA_DIALECT_LVL_RUNNINGSUM_H

#include "llvm/ADT/StringRef.h"

namespace strata::lvl {

/// On a loop of lvl, a unit attribute: in each round of the loop around it, it takes the values
/// that come after those of the round before, whose sum it carries on.
constexpr llvm::StringLiteral goesOnAttribute = "strata.goes_on";

} // namespace strata::lvl

#endif // STRATA_DIALECT_LVL_RUNNINGSUM_H
