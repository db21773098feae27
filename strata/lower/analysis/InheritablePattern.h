// The operand whose pattern the result of a statement can take.
#ifndef STRATA_LOWER_ANALYSIS_INHERITABLEPATTERN_H
#define STRATA_LOWER_ANALYSIS_INHERITABLEPATTERN_H

#include "strata/lower/analysis/IndexStatement.h"

namespace strata {

/// An operand below whose first levels everything is that the statement computes: these can be
/// copied as the result's, and the values at all of their positions computed at once.
struct InheritablePattern {
  mlir::Value source;
  const AccessPath *path; ///< how the statement accesses it
  unsigned shared;        ///< so many of its levels are those of the result
};

/// The operand of a kernel's statement; nothing where none has the result's pattern, and `why` says
/// what stands against it.
std::optional<InheritablePattern> inheritablePattern(const IndexStatement &statement,
                                                     std::string &why);

/// The label that a level of an access has for its coordinates, if it is one.
std::optional<unsigned> labelOf(const AccessPath &access, unsigned level);

/// The number of the command of a schedule that asks for the pattern of an operand,
/// `assemble(C, Inherit)`, if there is one.
std::optional<unsigned> commandToInherit(ta::ScheduleAttr schedule);

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_INHERITABLEPATTERN_H
