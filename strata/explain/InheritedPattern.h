// The result of a kernel may have the pattern of an operand.
#ifndef STRATA_EXPLAIN_INHERITEDPATTERN_H
#define STRATA_EXPLAIN_INHERITEDPATTERN_H

#include "strata/compile/ProgramKernels.h"

#include <optional>
#include <string>

namespace strata {

/// "that of B in its first 2 levels: ...", of a kernel whose result may take an operand's levels
/// instead of running its loops.
std::optional<std::string> describeInheritedPattern(const ProgramKernel &kernel);

} // namespace strata

#endif // STRATA_EXPLAIN_INHERITEDPATTERN_H
