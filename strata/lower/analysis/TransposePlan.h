// Which tensors of a contraction to transpose, and how, so that what is left is a product of
// matrices (TTGT: transpose, transpose, product of matrices, transpose; 002 section 6).
#ifndef STRATA_LOWER_ANALYSIS_TRANSPOSEPLAN_H
#define STRATA_LOWER_ANALYSIS_TRANSPOSEPLAN_H

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace strata {

using LabelOrder = llvm::SmallVector<unsigned>;

/// result = sum of left * right over the labels that the result lacks. The labels of each tensor
/// stand in the order of its storage: elements that differ by one in the last label are neighbours.
struct PairContraction {
  LabelOrder left, right, result;
  llvm::SmallVector<double> extents; ///< of each label: how many values it has
  bool assumesSizes = false;         ///< some of these are not known

  /// How many elements a tensor with these labels has.
  double sizeOf(llvm::ArrayRef<unsigned> labels) const;
};

/// The order of the labels of each tensor in which they are grouped: those of all three tensors
/// (batch) come first, then the rows of a matrix, then its columns. Each group has one order in all
/// tensors. A matrix may be stored by rows or by columns. A tensor that has this order already is
/// not transposed.
struct TransposePlan {
  LabelOrder left, right, result;
  double moved = 0;     ///< elements of the tensors that are transposed
  double scattered = 0; ///< of these, those of tensors in which other elements become neighbours
  /// The right operand has the rows of the product, and the left one its columns.
  bool swapped = false;

  /// Orders plans by elements moved, and then by elements scattered.
  bool isCheaperThan(const TransposePlan &other) const;
};

/// The plan of least cost, in 8 steps for each of the at most 24 combinations of orders in which
/// the tensors have their groups; no other order of a group is cheaper. Nothing where the
/// contraction is no product of matrices: a label occurs twice in a tensor, or in one tensor only,
/// or none is summed.
std::optional<TransposePlan> transposesOfLeastCost(const PairContraction &contraction);

/// The plan that keeps the groups in the order of the left operand (of the right one for labels
/// that the left one lacks), with the contracted labels last in the left operand and before the
/// others in the right one. Nothing where the contraction is no product of matrices.
std::optional<TransposePlan> transposesAsWritten(const PairContraction &contraction);

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_TRANSPOSEPLAN_H
