// Names of formats with what may follow them: all their numbers, a limit; and the numbers of
// levels.
#ifndef STRATA_DIALECT_TA_FORMATNAMES_H
#define STRATA_DIALECT_TA_FORMATNAMES_H

#include "strata/dialect/ta/Ta.h"

namespace strata::ta {

/// The greatest number that a level's format can have: places below each parent.
inline constexpr int64_t greatestOfLevel = 1024;

/// formatName (Shorthands.h) with all numbers that the name takes: "BCSR:4x4" for BCSR. A limit may
/// follow it.
std::string numberedName(FormatAttr format);

/// A part of a sum as it stands between others, with its limit if that is not 0: a name or a format
/// in braces, "BCSR:4x4:60".
std::string partName(FormatAttr part, int64_t limit);

} // namespace strata::ta

#endif // STRATA_DIALECT_TA_FORMATNAMES_H
