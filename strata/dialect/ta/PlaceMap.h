// What the coordinates of a place say about the index variables: A[2*i + 1, i + j] at (c0, c1)
// means i = (c0 - 1) / 2, if that is an integer, and j = c1 - i.
#ifndef STRATA_DIALECT_TA_PLACEMAP_H
#define STRATA_DIALECT_TA_PLACEMAP_H

#include "mlir/IR/AffineMap.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace strata::ta {

/// A variable, from a coordinate and the variables solved before: (coordinate - rest) / factor.
struct PlaceSolution {
  unsigned variable, coordinate;
  int64_t factor;
  mlir::AffineExpr rest; ///< dims are variables
};

/// How a coordinate determines all of the map's variables, in an order in which they can be
/// computed; nothing if it leaves one open.
std::optional<llvm::SmallVector<PlaceSolution>> solvePlace(mlir::AffineMap place);

} // namespace strata::ta

#endif // STRATA_DIALECT_TA_PLACEMAP_H
