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

/// The variables that a coordinate determines whatever their extents are, in an order in which they
/// can be computed. There may be others: of `4 * i + j` neither i nor j is here.
llvm::SmallVector<PlaceSolution> solvePlace(mlir::AffineMap place);

/// Does every variable appear in some coordinate?
bool usesAllVariables(mlir::AffineMap place);

/// Do different values of the variables, each in [0, extent), give different places? An extent that
/// is absent can be any. True of `4 * i + j` if j has at most 4 values, and of
/// `(i floordiv 4, i mod 4)`. False also of places that are different for no such simple reason.
bool separates(mlir::AffineMap place, llvm::ArrayRef<std::optional<int64_t>> extents);

struct Interval {
  int64_t least, most;
};

/// An interval that holds the values of an expression for dims in these intervals.
Interval valuesOf(mlir::AffineExpr expr, llvm::ArrayRef<Interval> dims);
/// ... for dims in [0, extent), where no extent is 0.
Interval valuesOf(mlir::AffineExpr expr, llvm::ArrayRef<int64_t> extents);

} // namespace strata::ta

#endif // STRATA_DIALECT_TA_PLACEMAP_H
