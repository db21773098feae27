// Lists one behind the other along a dimension.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_HOST_CONCATENATE_H
#define STRATA_HOST_CONCATENATE_H

#include "strata/runtime/storage/Coordinates.h"

#include <memory>
#include <span>

namespace strata::host {

/// The entries of all `lists`, those of each behind those of the one before along `dimension`, as
/// values of `type`. Fails where the lists' sizes in another dimension differ, and where a value is
/// none of `type`. `lists` are not empty. Takes time in the number of entries.
runtime::Result<runtime::Coordinates>
concatenated(std::span<const std::shared_ptr<const runtime::Coordinates>> lists, int dimension,
             strata_type type);

} // namespace strata::host

#endif // STRATA_HOST_CONCATENATE_H
