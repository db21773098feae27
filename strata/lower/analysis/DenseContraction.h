// Loops that are nothing but contractions of dense tensors: C[...] += A[...] * B[...], each over
// its labels, or the same of another semiring.
#ifndef STRATA_LOWER_ANALYSIS_DENSECONTRACTION_H
#define STRATA_LOWER_ANALYSIS_DENSECONTRACTION_H

#include "strata/lower/analysis/LoopNest.h"

#include <string>
#include <vector>

namespace strata {

/// A nest of loops that stores a sum of contractions, and of other terms; most often one.
struct DenseContraction {
  enum Tensor { left, right, result };

  /// How loops move through a tensor with a place for every coordinate that they reach.
  struct Place {
    mlir::Value storage;
    std::optional<unsigned>
        access;              ///< its number in the nest; none of a temporary and of the result
    unsigned firstLevel = 0; ///< loops of the nest move in levels from here on
    /// Of each level from there on: a linear function of the nest's loops, and of those around it.
    llvm::SmallVector<mlir::AffineExpr> coordinates;
  };

  /// A product of two tensors that is summed up, of other factors that are the same everywhere.
  struct Term {
    llvm::SmallVector<cin::ForallOp> loops; ///< from the outside in
    cin::WhereOp where;                     ///< whose producer sums it up; null: the result does
    Place operands[2];
    llvm::SmallVector<mlir::Value> scales;
    bool negates = false;
    ta::Combine products = ta::Combine::mul;
  };

  llvm::SmallVector<cin::ForallOp> outer; ///< the loops around the assignment to the result
  std::vector<Term> terms;
  cin::AssignOp store;
  Place target;
  bool hasRest = false; ///< other terms are stored besides
  ta::Combine sums = ta::Combine::add;
  mlir::Type element;

  /// All loops, from the outside in, those of one term behind those of another.
  llvm::SmallVector<cin::ForallOp> loops() const;

  /// Marks all loops to be contracted.
  void mark() const;
  bool isMarked() const;

  /// Reads the loops that begin with `head`; nothing, and the reason in `why`, where they do more
  /// than contract, or less: a product of a matrix and a vector has no free label on one side.
  static std::optional<DenseContraction> match(const LoopNest &nest, cin::ForallOp head,
                                               std::string &why);
};

/// By how much a coordinate grows with a loop's variable: of a linear function of it; nothing of
/// any other.
std::optional<int64_t> factorOf(mlir::AffineExpr coordinate, unsigned variable);

/// Tells whether a loop's values move through the tensor.
bool movesWith(const DenseContraction::Place &place, unsigned variable);

/// Tells whether the sizes that are known leave a contraction in blocks worthwhile.
bool mayBeLarge(const DenseContraction &contraction);

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_DENSECONTRACTION_H
