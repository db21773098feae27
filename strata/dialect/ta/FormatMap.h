// What a format's map from dimensions to levels implies: which level determines which dimension,
// which coordinates are computed, and the bounds of each level's coordinates.
//
// With levels c_0, c_1, ... every level states an equation c_k = e_k(dimensions). Taken from the
// root down, the equations determine dimensions one after the other: `j - i = c_0` says nothing
// alone, with `i = c_1` it gives `j = c_0 + c_1`. The same solutions serve packing (the inverse
// map), clamping (a dimension lies in [0, size)) and iteration (docs/rationale/Iteration.md).
//
// A slot, `slot(e, f)`, numbers what is stored below one parent with equal e and f, in storage
// order. It is no function of the dimensions; in a map it stands as `e * s0 + f * s1`, with symbols
// that mean nothing else. As an equation it is empty; how many slots there are is stored with the
// tensor.
#ifndef STRATA_DIALECT_TA_FORMATMAP_H
#define STRATA_DIALECT_TA_FORMATMAP_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/AffineMap.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace strata::ta {

/// A dimension and its value in terms of level coordinates (dims of the expression are levels).
struct SolvedDim {
  unsigned dim;
  mlir::AffineExpr value;
};

struct FormatMap {
  /// Per level: the dimensions that this level, with those above it, determines.
  llvm::SmallVector<llvm::SmallVector<SolvedDim, 1>> solvedAt;
  /// Per level: its coordinate in terms of those above, if they determine it; else null.
  llvm::SmallVector<mlir::AffineExpr> implied;
  /// Per dimension: its value in terms of all levels; null if the levels leave it open.
  llvm::SmallVector<mlir::AffineExpr> inverse;

  explicit FormatMap(mlir::AffineMap dimToLvl);
  bool complete() const { return !llvm::is_contained(inverse, mlir::AffineExpr()); }
};

/// The slot of what is stored with equal `counted`.
mlir::AffineExpr slotOf(llvm::ArrayRef<mlir::AffineExpr> counted, mlir::MLIRContext *context);
/// Is the expression, of a format's map, a slot?
bool isSlot(mlir::AffineExpr expr);
/// How many symbols the slots among the expressions use.
unsigned symbolsIn(llvm::ArrayRef<mlir::AffineExpr> exprs);
/// What a slot's entries have in common.
llvm::SmallVector<mlir::AffineExpr> countedBy(mlir::AffineExpr slot);
/// Do the `known` coordinates of levels determine `expr`, another function of the dimensions of
/// `map`?
bool determines(mlir::AffineMap map, llvm::ArrayRef<mlir::AffineExpr> known, mlir::AffineExpr expr);
/// The level whose coordinates a slot numbers: the first below it that the levels above the slot
/// and what it counts do not determine; -1 if there is none.
int numberedLevel(mlir::AffineMap map, unsigned level);
/// The dimensions that determine a slot: those of the levels down to the one that it numbers.
llvm::SmallVector<unsigned> slotDims(mlir::AffineMap map, unsigned level);

/// Can it, or a part of it, be below zero? Dimensions and symbols are not.
bool canBeNegative(mlir::AffineExpr expr);

/// Coefficient of `dim` in a linear expression, and the rest; false if it is not linear in it.
bool splitLinear(mlir::AffineExpr expr, unsigned dim, int64_t &coefficient, mlir::AffineExpr &rest);

/// An interval of integers, [first, first + extent).
template <typename Number> struct Extent {
  Number first, extent;
};

/// The coordinates that `expr` can take for dimensions in [0, size). `Math` supplies constant,
/// add, sub, mul, ceilDiv and minimum on Number; so hosts and generated code share the rule.
template <typename Number, typename Math>
Extent<Number> extentOf(mlir::AffineExpr expr, llvm::ArrayRef<Number> sizes, Math &&math) {
  using mlir::AffineExprKind;
  if (auto dim = mlir::dyn_cast<mlir::AffineDimExpr>(expr))
    return {math.constant(0), sizes[dim.getPosition()]};
  if (auto constant = mlir::dyn_cast<mlir::AffineConstantExpr>(expr))
    return {math.constant(constant.getValue()), math.constant(1)};
  auto binary = mlir::cast<mlir::AffineBinaryOpExpr>(expr);
  Extent<Number> a = extentOf(binary.getLHS(), sizes, math);
  if (expr.getKind() == AffineExprKind::Add) {
    Extent<Number> b = extentOf(binary.getRHS(), sizes, math);
    return {math.add(a.first, b.first), math.sub(math.add(a.extent, b.extent), math.constant(1))};
  }
  int64_t factor = mlir::cast<mlir::AffineConstantExpr>(binary.getRHS()).getValue();
  Number k = math.constant(factor);
  if (expr.getKind() == AffineExprKind::Mul) {
    Number span = math.mul(math.sub(a.extent, math.constant(1)), math.constant(std::abs(factor)));
    Number low = math.mul(a.first, k);
    return {factor < 0 ? math.sub(low, span) : low, math.add(span, math.constant(1))};
  }
  if (expr.getKind() == AffineExprKind::Mod)
    return {math.constant(0), k};
  return {a.first, math.ceilDiv(a.extent, k)};
}

/// `expr` with names for its dims: "j - i", "i floordiv 4".
std::string exprText(mlir::AffineExpr expr, llvm::ArrayRef<std::string> names);

/// Names for n dimensions or levels: i, j, k, ...
llvm::SmallVector<std::string> indexNames(unsigned n);

} // namespace strata::ta

#endif // STRATA_DIALECT_TA_FORMATMAP_H
