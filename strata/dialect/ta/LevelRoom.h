// How many coordinates the levels of a format have room for.
#ifndef STRATA_DIALECT_TA_LEVELROOM_H
#define STRATA_DIALECT_TA_LEVELROOM_H

#include "strata/dialect/ta/Ta.h"
#include <optional>

namespace strata::ta {

/// Returns the most different coordinates that a level can hold below one coordinate of those
/// above, where a tensor may have more. Nothing where the level holds all that there can be, or
/// where a slot above it numbers what it holds.
///
/// Levels with some places (padded, structured) have so many; a level with one child for each
/// position of its parent (singleton) has one, if the parent's coordinates are unique.
std::optional<int64_t> roomOf(FormatAttr format, unsigned lvl);

/// Tells whether some level has such a bound. A tensor is then stored in the format only after a
/// look at its entries.
bool mayLackRoom(FormatAttr format);

/// Returns the last level of the tuples of coordinates that begin at `lvl`: the levels down to
/// there have a child for each position of it.
unsigned endOfTuple(FormatAttr format, unsigned lvl);

/// Tells whether an entry may be stored more than once. So it is where a level repeats coordinates
/// and no level below it, of which each position has one child, tells them apart.
bool repeatsEntries(FormatAttr format);

/// Tells whether the level has a place for every coordinate below every parent, and for nothing
/// else: it stores no coordinates, and none of its places is empty.
bool hasPlacesOnly(FormatAttr format, unsigned lvl);

} // namespace strata::ta

#endif // STRATA_DIALECT_TA_LEVELROOM_H
