// Sends lists of entries between processes, and puts them together.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_DIST_EXCHANGEENTRIES_H
#define STRATA_RUNTIME_DIST_EXCHANGEENTRIES_H

#include "strata/runtime/dist/Exchange.h"
#include "strata/runtime/dist/Placement.h"

#include <optional>

namespace strata::runtime::dist {

/// A list of what lies in a box of a tensor.
struct Boxed {
  Coordinates list; ///< at coordinates that count from where the box begins
  const Box *box;
};

/// All entries of some lists, one behind the other, as a list of the tensor, which has these sizes.
Result<Coordinates> joined(std::span<const Boxed> lists, const std::vector<int64_t> &sizes,
                           strata_type valueType);

/// The entries of all processes, rank by rank, in each of them. All lists have the same sizes, and
/// types of values.
Result<Coordinates> gatherEntries(World &world, const Coordinates &own, std::string_view operation);

/// Entries that are on their way between processes.
class EntryTransfer {
public:
  /// Sends each process those entries of this one whose numbers are listed for it. All lists have
  /// the same sizes, and types of values.
  static Result<EntryTransfer> begin(World &world, const Coordinates &own,
                                     const NumberLists &chosen, std::string_view operation);
  /// `kept` are those of this process that it keeps.
  EntryTransfer(int32_t self, Coordinates kept, Transfer messages)
      : self(self), kept(std::move(kept)), messages(std::move(messages)) {}
  /// Waits, and gives what has come, rank by rank.
  Result<Coordinates> finish();
  Channel &channel() { return messages.channel(); }

private:
  int32_t self;
  Coordinates kept;
  Transfer messages;
};

/// The same, at once, of a list that nobody needs any more.
Result<Coordinates> scatterEntries(World &world, Coordinates &&own, const NumberLists &chosen,
                                   std::string_view operation);

/// Entries that stand one behind the other.
struct EntryRange {
  int64_t begin, end;
};

/// For each process the entries that its cells have, where a dimension is cut into intervals, each
/// of which one cell has, and the list has the entries of a process one behind the other; nothing
/// of other lists and placements. So is most of what a process has read of a sorted file.
std::optional<std::vector<EntryRange>> rangesOfOwners(const Coordinates &list, const Grid &grid,
                                                      const Places &places, int64_t ranks);

/// Sends each process a range of the entries, as scatterEntries does. Some processes may call this,
/// and some that.
Result<Coordinates> scatterRanges(World &world, Coordinates own, std::span<const EntryRange> ranges,
                                  std::string_view operation);

/// The same of a list of at least one dimension: each process gets those of an interval of `dim`,
/// the first ones the first.
Result<Coordinates> scatterIntervals(World &world, Coordinates own, int64_t dim,
                                     std::string_view operation);

/// A tensor's entries with their numbers among those of all processes.
struct Numbered {
  Coordinates list;
  StoredNumbers stored;
};

/// Numbers what all processes store by these dimensions. An entry may come to another process.
Result<Numbered> numberEntries(World &world, Coordinates own, const std::vector<int64_t> &dims,
                               std::string_view operation);

/// The same as scatterEntries of entries with their numbers, if they have any.
Result<Numbered> scatterNumbered(World &world, Numbered own, const NumberLists &chosen,
                                 std::string_view operation);

} // namespace strata::runtime::dist
#endif // STRATA_RUNTIME_DIST_EXCHANGEENTRIES_H
