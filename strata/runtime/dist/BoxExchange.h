// Moves arrays between the boxes in which processes have parts of them: tiles to rows, rows to
// tiles, to a chunk of a row of tiles, or to all of them.
//
// Who has which box is arithmetic that all processes do alike, so nobody asks for anything, and
// numbers travel without coordinates.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_DIST_BOXEXCHANGE_H
#define STRATA_RUNTIME_DIST_BOXEXCHANGE_H

#include "strata/runtime/dist/Placement.h"
#include "strata/runtime/dist/World.h"

namespace strata::runtime::dist {

/// A part of an array, and the process that has it or gets it.
struct BoxOfRank {
  Box box;
  int32_t rank;
};

/// Where a box lies in memory.
struct BoxArray {
  char *data;                   ///< of the place with the lowest coordinates
  std::vector<int64_t> strides; ///< in bytes, from a coordinate of a dimension to the next
};

/// What lies in both boxes; it has no place if nothing does.
Box common(const Box &one, const Box &other);
bool isEmpty(const Box &box);

/// Fills the targets in from the homes, which cover them: boxes that are equal, or have no place in
/// common. All processes give the same boxes, and each the arrays of its own ones, in their order.
/// `world` is null of a process that is alone.
Status exchangeBoxes(World *world, std::span<const BoxOfRank> homes,
                     std::span<const BoxOfRank> targets, std::span<const BoxArray> own,
                     std::span<const BoxArray> made, int64_t elementBytes,
                     std::string_view operation);

} // namespace strata::runtime::dist
#endif // STRATA_RUNTIME_DIST_BOXEXCHANGE_H
