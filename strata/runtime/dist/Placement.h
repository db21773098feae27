// Which cell of a grid has what of a tensor.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_DIST_PLACEMENT_H
#define STRATA_RUNTIME_DIST_PLACEMENT_H

#include "strata/runtime/dist/Grid.h"
#include "strata/runtime/storage/Coordinates.h"
#include "strata/runtime/storage/NumberLists.h"

#include <span>
#include <vector>

namespace strata::runtime::dist {

/// What one axis of a grid does with a tensor.
struct Place {
  enum class Kind {
    Share,   ///< it cuts dimensions into intervals of coordinates
    Entries, ///< it cuts what is stored, in the order of dimensions, into parts of equal number
    All,     ///< all its cells have the same
    At       ///< one of its cells has it
  };
  Kind kind = Kind::All;
  std::vector<int64_t> dims = {};
  int64_t cell = 0; ///< At

  bool cuts() const { return kind == Kind::Share || kind == Kind::Entries; }
  template <typename A> void fields(A &a) { a(kind, dims, cell); }
  bool operator==(const Place &) const = default;
};
using Places = std::vector<Place>; ///< one for each axis

/// What of a tensor one cell has: for each dimension the coordinates from `lo` to before `hi`. With
/// a cut by entries not all that lies in there, and the boxes of cells overlap.
struct Box {
  std::vector<int64_t> lo, hi;

  /// All of a tensor of these sizes.
  static Box whole(const std::vector<int64_t> &sizes) {
    return {std::vector<int64_t>(sizes.size()), sizes};
  }
  bool operator==(const Box &) const = default;
  /// The sizes of a tensor that the box is.
  std::vector<int64_t> sizes() const;
};

/// Copies the values of the entries of these numbers to those of another list, one behind the
/// other.
void copyValues(const Coordinates &from, std::span<const int64_t> entries, Coordinates &to);

/// The entries of these numbers, which lie in a box, at coordinates that count from where it
/// begins.
Result<Coordinates> entriesIn(const Box &box, const Coordinates &list,
                              std::span<const int64_t> chosen);

/// The entries of these numbers, at their coordinates.
Result<Coordinates> picked(const Coordinates &list, std::span<const int64_t> chosen);

/// Counts the coordinates of a list of what lies in a box from where that begins, and gives it the
/// box's sizes.
Result<Coordinates> movedInto(const Box &box, Coordinates list);

/// Numbers of what is stored in the order of some dimensions: of their places that have an entry.
struct StoredNumbers {
  Array<int64_t> numbers = {}; ///< of each entry of a list
  int64_t total = 0;           ///< of the whole tensor
};

/// Numbers the entries of a list, which are in any order, by these dimensions.
Result<StoredNumbers> numberStored(const Coordinates &list, const std::vector<int64_t> &dims);

/// Where the entries of a list go, on each axis that cuts. A list of all entries knows how many
/// there are before each; of a part of them that is told, where an axis cuts by entries.
class Cut {
public:
  /// Where `isFull`, every place is stored, so that a cut by entries is one by coordinates. The
  /// list, the grid and the places outlive the cut.
  static Result<Cut> make(const Coordinates &list, const Grid &grid, const Places &places,
                          bool isFull, const StoredNumbers &known = {});
  /// The dimensions by which an axis cuts stored entries; null if none does.
  static const std::vector<int64_t> *storedDims(const Places &places, bool isFull);

  /// The entries of a cell, in their order, at coordinates that count from where its box begins;
  /// none of a cell to which an axis gives nothing.
  Result<Coordinates> entriesOf(int64_t cell) const;
  /// The box of a cell; of one without entries, where it is cut by entries: empty.
  Box boxOf(int64_t cell) const;
  /// Does the cell have a part of its own, and not a copy of another cell's, or nothing?
  bool isFirst(int64_t cell) const;
  /// For each process, the numbers of the entries that its cells have.
  Result<NumberLists> entriesOfOwners(int64_t ranks) const;

private:
  Cut(const Coordinates &list, const Grid &grid, const Places &places)
      : list(list), grid(grid), places(places) {}
  Status find(size_t axis, bool isFull, const StoredNumbers &known);
  Status findEntries(size_t axis, const StoredNumbers &known);
  Status findParts() const;
  Status findParts(size_t axis) const;
  Status group() const;
  int64_t shareOfCell(const std::vector<int64_t> &cell) const;
  bool has(const std::vector<int64_t> &cell) const;
  Result<Array<int32_t>> ownersOfEntries() const;
  void addOwners(int64_t entry, size_t axis, int64_t cell, std::vector<int64_t> &owners) const;

  const Coordinates &list;
  const Grid &grid;
  const Places &places;
  /// Of each axis, if it cuts: where each entry goes, once that has been asked for.
  mutable std::vector<Array<int32_t>> parts;
  std::vector<int64_t> shares; ///< of each axis: the coordinates of one cell; 0: none
  // Once the entries of a cell have been asked for:
  mutable Array<int64_t> goesTo;  ///< of each entry: its share, on all axes that cut
  mutable Array<int64_t> grouped; ///< the entries of one share behind those of another
  std::vector<std::vector<std::pair<int64_t, int64_t>>> hulls; ///< of the first dimension's entries
};

} // namespace strata::runtime::dist
#endif // STRATA_RUNTIME_DIST_PLACEMENT_H
