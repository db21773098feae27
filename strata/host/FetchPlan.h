// What cells need of a tensor, by lists of coordinates, and where that is.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_HOST_FETCHPLAN_H
#define STRATA_HOST_FETCHPLAN_H

#include "strata/host/DenseRows.h"
#include "strata/host/Renumber.h"
#include "strata/host/State.h"
#include "strata/runtime/dist/RowExchange.h"

#include <algorithm>
#include <optional>
#include <span>

namespace strata::host {

/// The entries whose coordinates in these dimensions are in the lists, and count by their numbers
/// there. `first` are the coordinates from which those of the entries count.
runtime::Result<runtime::Coordinates> restricted(const runtime::Coordinates &entries,
                                                 std::span<const int64_t> first,
                                                 std::span<const int64_t> dims,
                                                 std::span<const CoordinateList> lists);

/// The entries of a tensor of these sizes whose coordinates in the dimensions are the numbers of
/// others in the lists, at these others.
runtime::Result<runtime::Coordinates> scattered(const runtime::Coordinates &entries,
                                                std::vector<int64_t> sizes,
                                                std::span<const int64_t> dims,
                                                std::span<const CoordinateList> lists);

/// What each process sends each time that a plan is carried out, once all have met for that.
struct SentBytes {
  std::vector<int64_t> ofAll;

  bool areKnown() const { return !ofAll.empty(); }
  /// Tells whether it is known that no process sends anything, so that none waits for another.
  bool areNone() const {
    return areKnown() && std::ranges::all_of(ofAll, [](int64_t one) { return one == 0; });
  }
};

/// Says what a plan was made for; it is compared, and keeps nothing alive.
struct PlanKey {
  std::weak_ptr<const Pieces> lists;
  std::vector<int64_t> sizes;
  TypeId type = -1;

  bool is(const std::shared_ptr<const Pieces> &otherLists, const Tensor &from) const;
};

/// Where the rows are that the lists of this process's cells name, of a tensor whose pieces are
/// intervals of them; and how they come.
class FetchPlan {
public:
  using Intervals = std::vector<runtime::dist::Home>;
  /// Makes a plan where the cells of this process have `own`, in their order, intervals that are
  /// equal or apart; `homes` are those of all cells, ascending, and so are their processes. Rows of
  /// 0 bytes do not come: the plan then says what each process asks for.
  static runtime::Result<FetchPlan> make(runtime::dist::World *world,
                                         std::span<const CoordinateList> lists,
                                         const Intervals &own, const Intervals &homes,
                                         int64_t rowBytes, const std::string &operation);

  /// Returns for each process the coordinates that it asks of this one; null if there is one alone.
  const runtime::NumberLists *asked() const { return rows ? &rows->sentRows() : nullptr; }
  /// What this process sends each time, in bytes.
  int64_t sentBytes() const { return rows ? rows->sentBytes() : 0; }
  /// Sends and receives rows; `own` are the pieces of this process.
  runtime::Status bring(std::span<const DenseRows> own);
  /// Rows of a piece that are one behind the other in a cell's list, too, with nothing but room
  /// where the list has others.
  struct InPlace {
    int32_t piece;
    int64_t row, count;
    int64_t before, after; ///< how many rows the list has besides
  };
  /// Returns what a cell of this process can read where it lies; nothing if that is less than half
  /// of what it needs.
  const std::optional<InPlace> &inPlace(size_t cell) const { return unmoved[cell]; }
  /// Fills in the rows of a cell of this process, from its pieces and what has come, but for those
  /// that lie there already. Returns the bytes that it has copied.
  int64_t fill(size_t cell, const DenseRows &to, std::span<const DenseRows> own);

  PlanKey key = {};
  SentBytes sentByAll = {};

private:
  // Rows of one of the own pieces, or, with -1, of those that come.
  struct Source {
    int32_t piece;
    RowNumbers rows = {};
  };
  void sortPieces();
  runtime::Result<runtime::Buffer> missingOf(std::span<const CoordinateList> lists) const;
  std::optional<size_t> pieceWith(int64_t coordinate, size_t cell = 0) const;
  void findSources(std::span<const CoordinateList> lists);
  static void add(std::vector<Source> &sources, int32_t piece, int64_t row);
  std::optional<InPlace> findInPlace(const std::vector<Source> &sources) const;

  Intervals own;
  std::vector<size_t> ascending;               // numbers of those that have rows, by these
  std::vector<std::vector<Source>> sources;    // of each cell's list
  std::vector<std::optional<InPlace>> unmoved; // the same
  std::vector<Source> sent;                    // of what other processes ask for
  std::optional<runtime::dist::RowExchange> rows;
};

} // namespace strata::host

#endif // STRATA_HOST_FETCHPLAN_H
