// When merges gallop that are told neither to nor not to.
#ifndef STRATA_DIALECT_LVL_GALLOP_H
#define STRATA_DIALECT_LVL_GALLOP_H

#include <cstdint>

namespace strata::lvl {

/// A search costs some merging steps: it pays where an operand stores more than so many times as
/// many coordinates as the shortest.
constexpr int64_t lengthsToGallop = 32;

} // namespace strata::lvl

#endif // STRATA_DIALECT_LVL_GALLOP_H
