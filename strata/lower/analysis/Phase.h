// Which results can be made in phases: the pattern first, then the values.
#ifndef STRATA_LOWER_ANALYSIS_PHASE_H
#define STRATA_LOWER_ANALYSIS_PHASE_H

#include "strata/dialect/ta/Ta.h"

namespace strata {

/// Why a result of that format cannot be made in phases: its pattern follows from its values, or
/// coordinates cannot be found in it. Empty if it can.
std::string phaseFault(ta::FormatAttr format);

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_PHASE_H
