// Moves arrays between the boxes in which processes have parts of them: tiles to rows, rows to
// tiles, to a chunk of a row of tiles, or to all of them.
//
// Who has which box is arithmetic that all processes do alike, so nobody asks for anything, and
// numbers travel without coordinates.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_DIST_BOXEXCHANGE_H
#define STRATA_RUNTIME_DIST_BOXEXCHANGE_H

#include "strata/runtime/dist/Exchange.h"
#include "strata/runtime/dist/Placement.h"

#include <optional>

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

/// Returns what lies in both boxes; it has no place if nothing does.
Box common(const Box &one, const Box &other);
bool isEmpty(const Box &box);

/// Fills targets in from homes, which cover them: boxes whose intervals of each dimension are
/// equal, or apart. Work and memory go with the boxes of a grid, and with the parts that a process
/// has or gets.
class BoxTransfer {
public:
  /// Copies what is in this process, and makes room for what it sends and gets. All processes give
  /// the same boxes, and each the arrays of its own ones, in their order. `world` is null of a
  /// process that is alone. Nobody waits yet: an error is one of this process alone.
  static Result<BoxTransfer> prepare(World *world, std::span<const BoxOfRank> homes,
                                     std::span<const BoxOfRank> targets,
                                     std::span<const BoxArray> own, std::span<const BoxArray> made,
                                     int64_t elementBytes, std::string_view operation);
  /// Sends what others get, as all processes do.
  Status start();
  /// Waits for what comes from others, and puts it in its places.
  Status finish();
  /// Gives the messages that are under way; null if none are.
  Channel *channel() { return messages ? &messages->channel() : nullptr; }

private:
  explicit BoxTransfer(int64_t elementBytes) : elementBytes(elementBytes) {}

  /// A part of a target that comes from another process.
  struct Incoming {
    Box box, target;
    BoxArray made;
  };
  int64_t elementBytes;
  std::vector<std::vector<Incoming>> incoming; ///< from each rank, as they lie in its message
  std::optional<Transfer> messages;
};

} // namespace strata::runtime::dist
#endif // STRATA_RUNTIME_DIST_BOXEXCHANGE_H
