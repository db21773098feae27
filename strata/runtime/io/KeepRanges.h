// The part of a list of coordinates that lies in ranges of indices.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_KEEPRANGES_H
#define STRATA_RUNTIME_IO_KEEPRANGES_H

#include "strata/runtime/io/FileSelection.h"
#include "strata/runtime/storage/Coordinates.h"

namespace strata::runtime {

/// Keeps the entries that lie in ranges of the first dimensions, counted from where these begin.
/// Ends beyond a dimension mean its end.
Result<Coordinates> keepRanges(Coordinates list, std::span<const IndexRange> ranges);

/// Says that ranges of more dimensions are selected than the tensor has.
Error tooManyRanges(size_t ranges, size_t order);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_KEEPRANGES_H
