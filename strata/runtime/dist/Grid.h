// A machine as a program sees it: a grid of cells, of which each process has some.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_DIST_GRID_H
#define STRATA_RUNTIME_DIST_GRID_H

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace strata::runtime::dist {

/// Returns how many coordinates each of some cells gets of so many: the last ones may get fewer, or
/// none.
inline int64_t shareOf(int64_t coordinates, int64_t cells) {
  return std::max<int64_t>(coordinates / cells + (coordinates % cells != 0), 1);
}
/// Returns the coordinates that a chunk has, where each has as many, as far as there are some: from
/// the first number, to before the second.
inline std::pair<int64_t, int64_t> chunkOf(int64_t coordinates, int64_t chunk, int64_t number) {
  int64_t lo;
  if (__builtin_mul_overflow(chunk, number, &lo))
    lo = coordinates;
  lo = std::min(lo, coordinates);
  return {lo, lo + std::min(chunk, coordinates - lo)};
}
/// Returns those of one of some cells, in the same way.
inline std::pair<int64_t, int64_t> intervalOf(int64_t coordinates, int64_t cells, int64_t cell) {
  return chunkOf(coordinates, shareOf(coordinates, cells), cell);
}

/// Cells are numbered in row-major order, and the processes have runs of them, which differ by one
/// cell at most. What a program computes depends on its cells, and not on how many processes have
/// them.
class Grid {
public:
  /// An axis of 0 cells gets as many as the other axes leave of the ranks; several such, as evenly
  /// as can be, the larger numbers first.
  Grid(std::vector<int64_t> axes, int64_t ranks);

  const std::vector<int64_t> &axes() const { return sizes; }
  int64_t cells() const { return count; }
  /// The place of a cell on each axis.
  std::vector<int64_t> coordinates(int64_t cell) const;
  int64_t owner(int64_t cell) const { return cell * ranks / count; }
  /// The cells of a process: from the first number, to before the second.
  std::pair<int64_t, int64_t> cellsOf(int64_t rank) const { return {first(rank), first(rank + 1)}; }

private:
  int64_t first(int64_t rank) const { return (rank * count + ranks - 1) / ranks; }

  std::vector<int64_t> sizes;
  int64_t ranks, count = 1;
};

} // namespace strata::runtime::dist
#endif // STRATA_RUNTIME_DIST_GRID_H
