// In which order entries come that are walked as an operand stores them.
#ifndef STRATA_LOWER_ANALYSIS_ENTRYORDER_H
#define STRATA_LOWER_ANALYSIS_ENTRYORDER_H

#include "strata/lower/analysis/AccessPath.h"

namespace strata {

/// Do the entries of an operand, as they are stored, come to each parent of a level of the result
/// in the order of its children? (Level 0: in the order of the result.)
bool comeInOrder(const AccessPath &from, const AccessPath &result, unsigned level);

/// Do they come to the result's first `levels` levels in the order of these?
bool parentsComeInOrder(const AccessPath &from, const AccessPath &result, unsigned levels);

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_ENTRYORDER_H
