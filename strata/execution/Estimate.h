// What a storage will need, before it is made.
#ifndef STRATA_EXECUTION_ESTIMATE_H
#define STRATA_EXECUTION_ESTIMATE_H

#include "strata/dialect/ta/Ta.h"
#include "strata/runtime/storage/Coordinates.h"

namespace strata {

/// How many values a storage of `format` holds for these entries: coordinates of its given levels,
/// sorted by them, without repetitions. Counts the places that full levels have below each coordinate
/// that is stored; INT64_MAX if they are more than that.
int64_t estimatePlaces(const runtime::Coordinates &levels, ta::FormatAttr format);

/// Refuses a storage of more than 16 MiB that is more than 20 times as large as the entries
/// themselves, unless every coordinate has a place by the format's own choice.
runtime::Status checkGrowth(const runtime::Coordinates &levels, ta::FormatAttr format);

} // namespace strata

#endif // STRATA_EXECUTION_ESTIMATE_H
