// The dense level: a place for every coordinate, and no arrays.
//
//   3x4 matrix, both levels dense           buffers: none
//     rows    0        1        2           p_1 = c_1
//     cols  0 1 2 3  0 1 2 3  0 1 2 3       p_2 = p_1 * 4 + c_2
//
//   coord_iter()          -> [lo, hi)
//   coord_access(p, c)    -> p * N + c, always found
//   locate(p, c)          -> p * N + c, always found
//   insert(p, c)          -> p * N + c
//
// Where a format's map makes partial blocks, [lo, hi) stops at the tensor's edge, the places
// beyond exist and hold the fill. Source: 004 section 3.1.
#include "strata/level/Places.h"

using namespace mlir;

namespace strata {
namespace {

struct DenseLevel final : PlacesLevel {
  DenseLevel()
      : PlacesLevel({.name = "dense",
                     .defaults = {.full = true, .compact = true},
                     .iteratesCoordinates = true,
                     .locates = true,
                     .places = true,
                     .inFiles = FileLevel::Places}) {}
};

} // namespace

std::unique_ptr<LevelFormat> createDenseLevel() { return std::make_unique<DenseLevel>(); }

} // namespace strata
