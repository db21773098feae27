// The entries of a tensor, by the index variables that reach them.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_HOST_REINDEX_H
#define STRATA_HOST_REINDEX_H

#include "strata/host/PlaceSolver.h"
#include "strata/runtime/dist/Placement.h"
#include "strata/runtime/storage/Coordinates.h"

namespace strata::host {

/// The list of the place's variables, each in [0, extent), for every entry of `list` and each way
/// in which they reach it. Takes time in the number of entries of both lists, if each coordinate of
/// the place says something of a variable.
runtime::Result<runtime::Coordinates> reindexed(const runtime::Coordinates &list,
                                                const Place &place,
                                                const std::vector<int64_t> &extents);

/// The entries of `whole` where the place reaches none, and those of `part`, a list of its
/// variables, at the places that they reach, which differ. Both have values of one type.
runtime::Result<runtime::Coordinates> overlaid(const runtime::Coordinates &part,
                                               const runtime::Coordinates &whole,
                                               const Place &place,
                                               const std::vector<int64_t> &extents);

/// For each element of `source`, whole numbers that are `fill` where it lists none, one entry,
/// worth 1, at (i, ..., element), with the dimension of `size` last. `name` is for messages.
runtime::Result<runtime::Coordinates> oneHot(const runtime::Coordinates &source, int64_t fill,
                                             int64_t size, const std::string &name);

/// For all values of variables in all dimensions of a box but the last one entry, worth 1, at (i,
/// ..., coordinate(i, ...)), where that is in the last one. Entries count from where the box
/// begins.
runtime::Result<runtime::Coordinates> inside(const Affine &coordinate,
                                             const runtime::dist::Box &box);

/// Fails if a statement over variables of these extents reaches outside a tensor of these sizes.
runtime::Status checkReach(std::span<const Affine> coordinates, std::span<const int64_t> extents,
                           std::span<const int64_t> sizes, const std::string &name);

/// Fails if it does not reach the last coordinate of each dimension that a variable alone runs
/// over, or nothing at all.
runtime::Status checkWhole(std::span<const Affine> coordinates, std::span<const int64_t> extents,
                           std::span<const int64_t> sizes, const std::string &name);

} // namespace strata::host

#endif // STRATA_HOST_REINDEX_H
