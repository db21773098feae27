// Dropping entries of a coordinate list whose values equal a fill (EqualsFill.h).
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_STORAGE_DROPFILLS_H
#define STRATA_RUNTIME_STORAGE_DROPFILLS_H

#include "strata/runtime/storage/Coordinates.h"

#include <span>

namespace strata::runtime {

/// Drops the entries whose values equal the fill, which is given as the bytes of a value.
Status dropFills(Coordinates &list, std::span<const char> fill);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_STORAGE_DROPFILLS_H
