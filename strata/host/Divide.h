// Tensors stored as the sum of several storages (hybrid formats): which entries each part takes.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_HOST_DIVIDE_H
#define STRATA_HOST_DIVIDE_H

#include "strata/host/StoredFormat.h"
#include "strata/runtime/storage/Coordinates.h"

#include <functional>

namespace strata::host {

/// Which entries a part takes of those that the parts before it have left.
struct Division {
  enum class Kind : int64_t {
    Slots, ///< the first `limit` slots; 0: as many as at least a third of what they count fills
    Room,  ///< the first coordinates below each parent, as many as a level has room for
    Share  ///< groups of places of which `limit` percent hold an entry; 0: 50
  };
  Kind kind = Kind::Slots;
  int64_t limit = 0;
  int64_t slot = 0;            ///< of Slots: the stored level
  std::vector<Affine> counted; ///< ... and what it counts for, of the dimensions
  std::vector<int64_t> rooms;  ///< of Room: for each stored level its room, 0 where it has any
  int64_t group = 0;           ///< of Share: the first stored level of a group
};

/// Divides a list without duplicates among parts: one list for each division, and one of the rest.
/// `parts` are the formats that the divisions are of.
runtime::Result<std::vector<runtime::Coordinates>> divide(runtime::Coordinates list,
                                                          const std::vector<StoredFormat> &parts,
                                                          const std::vector<Division> &divisions);

/// How many slots a part takes if `filled` says in how many rows each slot holds an entry.
int64_t usualSlots(std::span<const int64_t> filled, double rows);

/// The entries of all parts of a tensor of these sizes, one part behind the other; `entriesOf`
/// gives those of one.
runtime::Result<runtime::Coordinates>
joinParts(size_t parts, std::span<const int64_t> sizes,
          const std::function<runtime::Result<runtime::Coordinates>(size_t part)> &entriesOf);

} // namespace strata::host

#endif // STRATA_HOST_DIVIDE_H
