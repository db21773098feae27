// From storages in any format to lists of coordinates: a kernel walks the levels as they lie,
// whatever the map, and the map is inverted entry by entry.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_HOST_UNPACK_H
#define STRATA_HOST_UNPACK_H

#include "strata/host/Kernel.h"
#include "strata/host/StoredFormat.h"
#include "strata/runtime/storage/Coordinates.h"

namespace strata::host {

/// Gives the kernel that copies a storage in level space, whose sizes are `extents`, to a list in
/// no order.
struct ListKernel {
  Kernel kernel;
  strata_type coordinates = STRATA_I64; ///< the width of the list's
  bool leavesFills = false; ///< lists values equal to the fill, which are to be left out
};
using MakeListKernel =
    std::function<runtime::Result<ListKernel>(const std::vector<int64_t> &extents)>;

/// The entries that the kernel lists, repetitions included: as they lie. The kernel is asked for if
/// one is needed, which a tensor of order 0 does not; of that a value equal to the fill is left
/// out.
runtime::Result<runtime::Coordinates>
unpack(const runtime::Storage &storage, const StoredFormat &format, const MakeListKernel &kernel);

/// Sorts a list, with the narrowest coordinates, and adds up what repeats.
runtime::Status settle(runtime::Coordinates &list);

} // namespace strata::host

#endif // STRATA_HOST_UNPACK_H
