// The batch level: a place for every coordinate, around storages that have nothing in common.
//
//   batch of two 2x2 matrices in CSR       (b, i, j) -> (b : batch, i : dense, j : compressed)
//     p_1 = c_1; below, each matrix is one parent: buffers: none
//
//   coord_iter()          -> [lo, hi)
//   coord_access(p, c)    -> p * N + c, always found
//   locate(p, c)          -> p * N + c, always found
//   insert(p, c)          -> p * N + c
//
// Its functions are dense's: positions below different coordinates are never shared, so that slices
// are independent by construction, and nothing needs padding (MLIR's batch levels give every slice
// as much room as the largest takes). What the name adds is a promise that is checked: only batches
// stand above a batch, so that a slice is one coordinate of the outermost dimensions.
#include "strata/level/Places.h"

using namespace mlir;

namespace strata {
namespace {

struct BatchLevel final : PlacesLevel {
  BatchLevel()
      : PlacesLevel({.name = "batch",
                     .defaults = {.full = true, .compact = true},
                     .iteratesCoordinates = true,
                     .locates = true,
                     .places = true,
                     .outermost = true}) {}
};

} // namespace

std::unique_ptr<LevelFormat> createBatchLevel() { return std::make_unique<BatchLevel>(); }

} // namespace strata
