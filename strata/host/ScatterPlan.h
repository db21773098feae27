// Where rows go that cells make at the coordinates of lists.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_HOST_SCATTERPLAN_H
#define STRATA_HOST_SCATTERPLAN_H

#include "strata/host/FetchPlan.h"
#include "strata/runtime/dist/Grid.h"

namespace strata::host {

/// Brings rows to the cells that have an interval of their coordinates each. Of one coordinate
/// several cells may have made a row; they stay apart. Work and memory go with the cells and the
/// rows, not with the pairs of cells.
class ScatterPlan {
public:
  /// `lists` are the coordinates of the rows that the cells of this process make, and `homes` the
  /// intervals of all cells, in their order, in which they ascend.
  static runtime::Result<ScatterPlan> make(runtime::dist::World *world,
                                           const runtime::dist::Grid &grid,
                                           std::span<const CoordinateList> lists,
                                           std::span<const runtime::dist::Home> homes,
                                           int64_t rowBytes, const std::string &operation);

  /// Rows one behind the other: in a piece of this process, or, with -1, among those that come.
  struct Run {
    int32_t piece;
    int64_t row, count;
  };
  /// Rows that one cell has made, of coordinates in the interval of another. These lie in the lists
  /// that the plan was made of, or in the plan.
  struct Part {
    int64_t cell;
    CoordinateList coordinates;
    Run run;
  };
  /// Returns what comes to each cell of this process, by the cells that have made some of it.
  const std::vector<std::vector<Part>> &parts() const { return incoming; }

  /// Returns what this process sends each time, in bytes.
  int64_t sentBytes() const { return rows ? rows->sentBytes() : 0; }
  /// Sends and receives rows; `own` are the pieces of this process.
  runtime::Status bring(std::span<const DenseRows> own);
  /// Writes the rows of a cell of this process, one behind the other.
  void fill(size_t cell, char *values, std::span<const DenseRows> own);

  PlanKey key = {};
  SentBytes sentByAll = {};
  /// Of each cell of this process: a tensor that holds its rows, as the plan was made.
  std::vector<Tensor> patterns;

private:
  char *copy(const Run &run, std::span<const DenseRows> own, char *to);

  int64_t rowBytes = 0;
  std::vector<Run> sent;
  std::vector<std::vector<Part>> incoming;
  std::optional<runtime::dist::RowExchange> rows;
};

} // namespace strata::host

#endif // STRATA_HOST_SCATTERPLAN_H
